"""Keeps the whole suite on this machine: a connection beyond loopback fails the test that tries it."""

import gc
import ipaddress
import signal
import socket
from collections.abc import Iterator
from typing import NoReturn

import pytest
from hypothesis import settings

from tests.synced_sample import synced_sample
from tests.vendors.mongodb_server import mongodb
from tests.vendors.postgres_server import postgres
from tests.vendors.slack_server import slack

__all__ = ["mongodb", "postgres", "slack", "synced_sample"]  # fixtures for every folder, made once

# A busy machine is no failure: what hangs is ended by the timeout of every test.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


def pytest_configure() -> None:
    """Handle Ctrl-C as Python does, by a function that asyncio does not know.

    Where it sees Python's own it puts one in its place around each fixture and test, and to do so Python 3.11 spells out
    whatever the fixture returned: for a running server that takes longer than most tests.
    """
    signal.signal(signal.SIGINT, _interrupt)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def pytest_collection() -> None:
    """Collect tests, and no garbage: there is none among them, only more to look through each time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the collector look at what tests leave behind, and never at the tests themselves."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _no_internet() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for method in ("connect", "connect_ex"):
            patch.setattr(socket.socket, method, _guarded_connect(getattr(socket.socket, method)))
        patch.setattr(socket, "getaddrinfo", _guarded_look_up(socket.getaddrinfo))
        yield


def _guarded_connect(real):
    def connect(self, address):
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            _require_loopback(address[0])
        return real(self, address)

    return connect


def _guarded_look_up(real):
    def getaddrinfo(host, *args, **kwargs):
        if host is not None:
            _require_loopback(host)
        return real(host, *args, **kwargs)

    return getaddrinfo


def _require_loopback(host: str | bytes) -> None:
    """`pytest.fail` raises what `except Exception` lets through, so no handler can turn it into an outcome."""
    name = host.decode() if isinstance(host, bytes) else host
    if not _is_loopback(name):
        pytest.fail(f"a test tried to reach {name}: only this machine may be reached")


def _is_loopback(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified

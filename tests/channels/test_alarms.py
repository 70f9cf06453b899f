"""R-W19: without a free file descriptor nothing is accepted for a while, which raises one alarm; who is connected notices nothing."""

import asyncio
import os
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from structlog.testing import capture_logs

from bot.adapters.prometheus.observer import PrometheusObserver
from bot.channels.alarms import accept_alarm
from tests.waiting import wait_until

WAITING = 3


@contextmanager
def _no_descriptor_free() -> Iterator[None]:
    """Let this process open nothing more for as long as the block lasts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(entry.name) for entry in Path("/dev/fd").iterdir())
    held = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, hard))
    with suppress(OSError):  # too many open files
        while True:
            held.append(os.dup(0))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for number in held:
            os.close(number)


async def test_a_full_process_raises_one_alarm_serves_who_is_there_and_comes_back(rig, customer):
    observer = PrometheusObserver()
    with capture_logs() as logged, ExitStack() as stack:
        stack.enter_context(accept_alarm(observer.server.accept_failed))
        async with customer.socket() as ws:
            await ws.receive_json(timeout=5)
            knockers = [stack.enter_context(socket.socket()) for _ in range(WAITING)]
            with _no_descriptor_free():
                _knock(knockers, rig.url)
                await wait_until(lambda: logged)
                await ws.send_json({"type": "ping"})
                assert await ws.receive_json(timeout=5) == {"type": "pong"}

            status, _ = await customer.events()

    assert status == 200
    assert [line["event"] for line in logged] == ["connections_cannot_be_accepted"]
    assert b"\naccept_failures_total 0.0" not in observer.text()


def _knock(knockers: list[socket.socket], url: str) -> None:
    """Connect sockets that were made before: the system takes their calls, and the server cannot."""
    address = urlsplit(url)
    for knocker in knockers:
        knocker.setblocking(False)
        knocker.connect_ex((address.hostname, address.port))


async def test_other_failures_are_told_as_they_always_were(rig, caplog):
    with accept_alarm(lambda: None):
        asyncio.get_running_loop().call_exception_handler({"message": "something else"})

    assert "something else" in caplog.text

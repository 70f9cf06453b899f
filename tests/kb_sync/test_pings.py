"""A dead-man's switch hears of each run, and whatever it does, the run goes on (FAULTS K3)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from kb_sync.pings import Pings, address_of, opened_pings
from tests.vendors.local_server import LocalServer, Reply, hangs, resets, sends, serving


@dataclass(slots=True, kw_only=True)
class Switch(LocalServer):
    """A dead-man's switch on this machine; `heard` is what it was told."""

    heard: list[tuple[str, str, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    async def hear(self, request: web.Request) -> web.StreamResponse:
        self.heard.append((request.method, request.path_qs, await request.text()))
        return await self.replied(request, {})


@asynccontextmanager
async def switched(*replies: Reply) -> AsyncIterator[tuple[Switch, Pings]]:
    switch = Switch(replies=list(replies) or [sends("OK")])
    async with (
        serving(switch, [web.route("*", "/{path:.*}", switch.hear)]),
        opened_pings(f"{switch.url}/0f5a", switch.told.append, deadline_s=0.2) as pings,
    ):
        yield switch, pings


async def test_the_switch_hears_how_a_run_began_and_how_it_ended():
    async with switched() as (switch, pings):
        await pings.began()
        await pings.succeeded()
        await pings.failed("a.md: is empty")

    assert switch.heard == [
        ("GET", "/0f5a/start", ""),
        ("GET", "/0f5a", ""),
        ("POST", "/0f5a/fail", "a.md: is empty"),
    ]
    assert switch.told == []


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(sends("no such check", status=404), "answers 404", id="refusing"),
        pytest.param(sends("oops", status=500), "answers 500", id="failing"),
        pytest.param(sends("moved", status=302), "answers 302", id="redirecting"),
        pytest.param(hangs(), "did not answer within", id="slow"),
        pytest.param(resets(), "cannot be reached", id="dropping"),
    ],
)
async def test_a_switch_that_does_not_work_is_told_and_fails_nothing(reply, said):
    async with switched(reply) as (switch, pings):
        await pings.began()

    (sentence,) = switch.told
    assert said in sentence
    assert "the sync is not affected" in sentence
    assert "0f5a" not in sentence, "whoever knows the address can ping"


async def test_a_switch_that_is_not_there_fails_nothing():
    told: list[str] = []
    async with opened_pings("http://127.0.0.1:9/0f5a", told.append) as pings:
        await pings.succeeded()

    assert told == ["KB_PING_URL cannot be reached (ClientConnectorError); the sync is not affected"]


async def test_without_an_address_nobody_is_told():
    async with opened_pings(None, pytest.fail) as pings:
        await pings.began()
        await pings.failed("x")


async def test_a_long_reason_is_cut():
    async with switched() as (switch, pings):
        await pings.failed("x" * 1_000_000)

    ((_, _, body),) = switch.heard
    assert len(body) == 10_000


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://hc.example/0f5a", "https://hc.example/0f5a/fail"),
        ("https://hc.example/0f5a/", "https://hc.example/0f5a/fail"),
        ("https://hc.example/ping?key=1", "https://hc.example/ping/fail?key=1"),
    ],
)
def test_an_event_is_a_further_step_of_the_path(url, address):
    assert address_of(url, "fail") == address
    assert address_of(url, "") == url

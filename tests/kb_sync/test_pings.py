"""A dead-man's switch hears of each run, and whatever it does, the run goes on (FAULTS K3)."""

import pytest

from kb_sync.pings import address_of, opened_pings
from tests.kb_sync.switches import switched
from tests.vendors.local_server import hangs, resets, sends


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

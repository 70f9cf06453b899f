"""Calls about a channel follow one another at Slack's pace, and an idle channel costs no memory."""

import asyncio

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.slack.pacing import MOST_LANES, Pacing
from bot.errors import NotDelivered
from tests.waiting import wait_until


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def a_pacing(clock: ManualClock) -> Pacing:
    return Pacing(clock=clock, wait=clock.sleep)


async def go(pacing: Pacing, channel: str = "C1") -> None:
    async with pacing.turn(channel):
        return


async def test_a_channel_has_one_turn_a_second_and_another_its_own(clock):
    pacing = a_pacing(clock)

    for channel in ("C1", "C1", "C2", "C1"):
        await go(pacing, channel)

    assert clock.slept == [1.0, 1.0]


async def test_who_waited_long_enough_by_itself_waits_no_more(clock):
    pacing = a_pacing(clock)
    await go(pacing)
    clock.advance(1_500)

    await go(pacing)

    assert clock.slept == []


async def test_a_resting_channel_sends_everybody_away_with_the_time_that_is_left(clock):
    pacing = a_pacing(clock)
    pacing.rest("C1", 30)
    pacing.rest("C1", 2)
    clock.advance(10_000)

    with pytest.raises(NotDelivered) as refused:
        await go(pacing)

    assert refused.value.wait_s == 20.0
    await go(pacing, "C2")


async def test_a_turn_that_fails_or_is_given_up_lets_the_next_one_through(clock):
    pacing = a_pacing(clock)
    with pytest.raises(ValueError, match="broke"):
        async with pacing.turn("C1"):
            raise ValueError("broke")
    async with pacing.turn("C1"):
        waiting = asyncio.create_task(go(pacing))
        await wait_until(lambda: pacing._lanes["C1"].asked_for == 2)
        waiting.cancel()

    await go(pacing)

    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_idle_channels_are_forgotten_and_resting_ones_are_not(clock):
    pacing = a_pacing(clock)
    pacing.rest("C1", 900)
    for number in range(3 * MOST_LANES):
        await go(pacing, f"D{number}")
        clock.advance(1)

    assert len(pacing._lanes) <= 2 * MOST_LANES
    with pytest.raises(NotDelivered):
        await go(pacing)

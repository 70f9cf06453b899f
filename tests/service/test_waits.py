"""Where a waiting customer stands: the place in the queue, the median of recent waits, and when agents are there."""

import pytest

from bot.core.waiting import Wait
from bot.service.live import Changed
from tests.builders import NOON_MS, a_conversation
from tests.service.rig import UNCOVERED, Rig
from tests.service.waiting_rig import DAY_MS, WEEKDAYS, a_waiting, claimed, queued, replied


async def test_the_place_is_told_and_moves_up(rig: Rig):
    waiting = a_waiting(rig)
    first, second = [a_conversation(id=name) for name in ("first", "second")]
    for at_ms, conversation in enumerate((first, second), start=NOON_MS):
        await queued(rig, conversation, at_ms=at_ms)
    await waiting.tell_waiting()
    assert (await waiting.of(await rig.store.conversation(second.id))).position == 2

    with rig.live.watch(second.id) as watcher:
        await claimed(rig, await rig.store.conversation(first.id))
        await waiting.tell_waiting()

        assert watcher._events.get_nowait() == Changed()
        assert watcher._events.empty()
    assert (await waiting.of(await rig.store.conversation(second.id))).position == 1


async def test_the_opening_of_the_desk_wakes_whoever_watches(rig: Rig):
    await rig.ask(UNCOVERED)
    waiting = a_waiting(rig, hours=WEEKDAYS)
    await waiting.tell_waiting()
    rig.clock.advance(DAY_MS)

    with rig.live.watch(rig.conversation) as watcher:
        await waiting.tell_waiting()

        assert not watcher._events.empty()


async def test_the_expected_wait_is_the_median_of_recent_replies(rig: Rig):
    waits = (60_000, 240_000, 120_000)
    for name, wait_ms in zip("abc", waits, strict=True):
        await replied(rig, a_conversation(id=name), after_ms=wait_ms)
    await rig.ask(UNCOVERED)

    assert await a_waiting(rig).of(await rig.state()) == Wait(position=1, expected_ms=120_000)


@pytest.mark.parametrize(
    ("replies", "days_ago"), [pytest.param(2, 0, id="too few"), pytest.param(3, 8, id="too old")]
)
async def test_a_wait_that_cannot_be_told_is_not_known(rig: Rig, replies: int, days_ago: int):
    for name in "abc"[:replies]:
        await replied(rig, a_conversation(id=name), after_ms=60_000)
    rig.clock.advance(days_ago * DAY_MS)
    await rig.ask(UNCOVERED)

    assert (await a_waiting(rig).of(await rig.state())).expected_ms is None


async def test_outside_the_queue_there_is_no_place(rig: Rig):
    assert await a_waiting(rig).of(await rig.state()) == Wait()


async def test_out_of_hours_the_opening_is_known(rig: Rig):
    await rig.ask(UNCOVERED)
    wait = await a_waiting(rig, hours=WEEKDAYS).of(await rig.state())

    opens_ms = WEEKDAYS.next_opening(rig.clock.now_ms())
    assert (wait.position, wait.open_now, wait.opens_ms) == (1, False, opens_ms)

"""The sweep: nobody waits for a turn that nobody runs."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, ConversationId, Status
from bot.core.outcome import Answer, ReasonCode
from bot.errors import StoreUnavailable
from tests.builders import a_conversation, a_customer_message
from tests.service.desk_rig import Desk
from tests.service.rig import QUESTION, REPLIES, Rig, another_process
from tests.waiting import wait_until


@pytest.fixture
async def crashed(rig: Rig) -> Rig:
    """A process that has just started, after one that died with a message stored and unanswered."""
    await rig.runner.drain(grace_s=0)
    await rig.say(QUESTION)
    return another_process(rig)


async def test_what_is_unanswered_for_a_minute_is_handed_over(crashed: Rig):
    crashed.clock.advance(60_001)

    assert await crashed.sweep.hand_over_lost() == 1

    (said,) = await crashed.told()
    assert said.text == REPLIES.handoff(ReasonCode.TURN_LOST, "en")
    assert ((await crashed.state()).status, await crashed.reasons()) == (Status.QUEUED, ["turn_lost"])
    assert [truthful for _, truthful in crashed.observer.settled] == [True]


async def test_what_is_younger_is_left_alone(crashed: Rig):
    crashed.clock.advance(60_000)

    assert await crashed.sweep.hand_over_lost() == 0
    assert (await crashed.state()).owes_a_turn


async def test_a_second_sweep_finds_nothing(crashed: Rig):
    crashed.clock.advance(60_001)
    await crashed.sweep.hand_over_lost()

    assert await crashed.sweep.hand_over_lost() == 0


async def test_an_agent_who_is_faster_than_the_sweep_keeps_the_conversation(crashed: Rig):
    crashed.clock.advance(60_001)
    crashed.store.at_commit.waits = True
    sweeping = asyncio.create_task(crashed.sweep.hand_over_lost())
    await crashed.store.at_commit.reached.wait()

    await crashed.take_over()
    crashed.store.at_commit.opened.set()

    assert (await sweeping, await crashed.reasons()) == (0, [])


async def test_what_was_answered_before_the_sweep_came_to_it_is_left_alone(crashed: Rig):
    await crashed.run()

    assert await crashed.turns.lose(crashed.conversation) is None


async def test_a_start_resumes_what_is_young(crashed: Rig):
    assert await crashed.sweep.resume() == 1
    await crashed.idle()

    (turn,) = await crashed.turn_records()
    assert isinstance(turn.outcome, Answer)


async def test_a_start_hands_over_what_is_old(crashed: Rig):
    crashed.clock.advance(60_001)

    assert await crashed.sweep.resume() == 0
    assert await crashed.reasons() == ["turn_lost"]


async def test_blocks_shown_before_the_crash_stay_before_the_handoff(rig: Rig):
    await rig.runner.drain(grace_s=0)
    await rig.say(QUESTION)
    start = await rig.store.begin_turn(rig.conversation, history=9, turns_since_ms=0)
    assert start is not None
    await rig.store.show_blocks(start.fence, turn="died", texts=["Open My Lessons."])
    rig.clock.advance(60_001)

    await rig.sweep.hand_over_lost()

    assert [(m.interrupted, m.refusal) for m in await rig.told()] == [(True, False), (False, True)]


async def test_one_conversation_that_cannot_be_handed_over_does_not_keep_the_next_one_waiting(crashed: Rig):
    second = ConversationId("c2")
    await crashed.store.open_conversation(a_conversation(id=second))
    now = crashed.clock.now_ms()
    await crashed.store.receive(a_customer_message(conversation=second), at_ms=now)
    crashed.clock.advance(60_001)
    crashed.store.at_begin.fails_once = ValueError("a damaged row")

    assert await crashed.sweep.hand_over_lost() == 1

    assert await crashed.reasons() == []
    assert [row.reason for row in await crashed.store.handoffs(second)] == ["turn_lost"]


async def test_the_sweep_outlives_a_store_that_fails(crashed: Rig):
    crashed.clock.advance(60_001)
    crashed.store.at_unanswered.fails = StoreUnavailable("disk full")
    sweeping = asyncio.create_task(replace(crashed.sweep, every_s=0.001).run_forever())
    await crashed.store.at_unanswered.reached.wait()

    crashed.store.at_unanswered.fails = None
    await wait_until(crashed.reasons)

    sweeping.cancel()
    with suppress(asyncio.CancelledError):
        await sweeping
    assert await crashed.reasons() == ["turn_lost"]


async def test_the_sweep_ends_dead_claims_even_while_it_cannot_hand_over(desk: Desk):
    """H6."""
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS)
    desk.rig.store.at_unanswered.fails = StoreUnavailable("disk full")
    sweep = replace(desk.rig.sweep, desk=desk.service, every_s=0.001)
    sweeping = asyncio.create_task(sweep.run_forever())

    await wait_until(desk.is_queued)

    sweeping.cancel()
    with suppress(asyncio.CancelledError):
        await sweeping
    assert (await desk.audit())[-1] == ("sweep", "lease_expired")

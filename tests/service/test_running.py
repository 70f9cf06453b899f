"""The tasks of turns: superseded, drained with grace, and never ended by a defect."""

import asyncio

from bot.core.outcome import Answer
from bot.core.prompt import Finished, Stop
from bot.errors import StoreUnavailable
from tests.service.faults import quoted
from tests.service.rig import QUESTION, Rig, another_process
from tests.service.stand_ins import Point

FIRST = quoted("Open My Lessons and choose Reschedule.")
COMPLETE = Finished(stop=Stop.COMPLETE)


async def stalled_after_a_block(rig: Rig) -> Point:
    """Start a turn that has shown one block and waits."""
    between = Point(waits=True)
    rig.answerer.script = (FIRST, between, COMPLETE)
    await rig.say(QUESTION)
    await between.reached.wait()
    return between


async def test_a_turn_is_running_until_it_has_ended(rig: Rig):
    between = await stalled_after_a_block(rig)
    assert rig.runner.is_running(rig.conversation)

    between.opened.set()
    await rig.idle()

    assert not rig.runner.is_running(rig.conversation)


async def test_a_newer_turn_begins_when_the_older_one_has_let_go(rig: Rig):
    between = await stalled_after_a_block(rig)

    rig.answerer.script = None
    turn = await rig.ask("How do I reschedule a class tomorrow?")

    assert (rig.answerer.closed, between.opened.is_set()) == (2, False)
    assert await rig.turn_records() == (turn,)


async def test_a_drain_lets_a_running_turn_finish(rig: Rig):
    between = await stalled_after_a_block(rig)

    draining = asyncio.create_task(rig.runner.drain(grace_s=5))
    between.opened.set()
    await draining

    (turn,) = await rig.turn_records()
    assert isinstance(turn.outcome, Answer)


async def test_what_outlasts_the_grace_keeps_no_half_answer_and_is_resumed_elsewhere(rig: Rig):
    """R-W12."""
    await stalled_after_a_block(rig)

    await rig.runner.drain(grace_s=0.01)

    assert (await rig.told(), await rig.turn_records()) == ((), ())
    rig.answerer.script = None
    later = another_process(rig)
    assert await later.sweep.resume() == 1
    await later.idle()
    assert [m.interrupted for m in await rig.told()] == [True, False]
    assert isinstance((await rig.turn_records())[0].outcome, Answer)


async def test_nothing_starts_while_stopping_but_the_message_is_kept(rig: Rig):
    await rig.runner.drain(grace_s=0)

    await rig.say(QUESTION)

    assert not rig.runner.is_running(rig.conversation)
    assert (await rig.state()).owes_a_turn


async def test_a_defect_outside_every_stage_is_handed_over_at_once(rig: Rig):
    rig.store.at_commit.fails_once = ValueError("a defect of ours")

    await rig.say(QUESTION)
    await rig.idle()

    assert await rig.reasons() == ["turn_lost"]


async def test_a_defect_does_not_end_the_runner(rig: Rig, logged):
    rig.store.at_begin.fails = ValueError("a defect of ours")
    await rig.say(QUESTION)
    await rig.idle()
    assert [e["event"] for e in logged] == ["turn_broke", "turn_not_recorded"]

    rig.store.at_begin.fails = None
    turn = await rig.ask("How do I reschedule a class tomorrow?")

    assert turn.covers == (1, 2)


async def test_a_store_that_fails_leaves_the_turn_to_the_sweep(rig: Rig, logged):
    rig.store.at_commit.fails = StoreUnavailable("disk full")

    await rig.say(QUESTION)
    await rig.idle()

    assert [e["event"] for e in logged] == ["turn_not_recorded"]
    assert (await rig.state()).owes_a_turn
    assert rig.observer.settled == []

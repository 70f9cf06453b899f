"""One wall clock for a turn: who is waited for, for how long, and who is blamed for it (FAULTS L1, R-L4)."""

import asyncio

import pytest

from bot.core.knowledge import SearchResult
from bot.core.outcome import Answer, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.prompt import Finished, Stop
from bot.core.turn import Stage
from bot.service.live import CutOff, Progressed, Step
from tests.service.faults import quoted
from tests.service.rig import Rig, a_rig, reason_of
from tests.service.stand_ins import Point

DRAFT_S = 0.05
BLOCKS = (quoted("Open My Lessons and choose Reschedule."), Finished(stop=Stop.COMPLETE))


async def a_rig_in_a_hurry() -> Rig:
    return await a_rig(policy=TurnPolicy(deadlines=Deadlines(draft_s=DRAFT_S)))


async def say_while_showing_is_slow(rig: Rig) -> None:
    """Ask, and let the store take longer to record a block than a draft may take."""
    rig.store.at_show.waits = True
    await rig.say()
    await rig.store.at_show.reached.wait()
    asyncio.get_running_loop().call_later(3 * DRAFT_S, rig.store.at_show.opened.set)
    await rig.idle()


async def test_the_limits_are_those_that_customers_were_promised():
    limits = Deadlines()

    assert limits.turn_s == 30
    assert limits.draft_s < limits.turn_s < limits.lost_after_s


@pytest.mark.parametrize("streams", [True, False], ids=["block by block", "all at once"])
async def test_a_store_that_is_slow_to_record_a_block_is_not_blamed_on_the_model(streams):
    rig = await a_rig_in_a_hurry()
    rig.answerer.streams, rig.answerer.script = streams, BLOCKS

    await say_while_showing_is_slow(rig)

    (turn,) = await rig.turn_records()
    assert isinstance(turn.outcome, Answer)


async def test_after_a_slow_store_the_model_has_the_time_that_it_had_left():
    rig = await a_rig_in_a_hurry()
    rig.answerer.script = (BLOCKS[0], Point(waits=True))

    await say_while_showing_is_slow(rig)

    (turn,) = await rig.turn_records()
    assert reason_of(turn) is ReasonCode.MODEL_UNAVAILABLE
    assert turn.stages[-1].name is Stage.DRAFT


async def test_the_answerer_is_told_the_draft_s_deadline(rig: Rig):
    await rig.ask()

    assert rig.answerer.requests[0].deadline_s == 25.0


async def test_no_deadline_lies_behind_the_turn_s_own(rig: Rig):
    """A search that was slow leaves less for the draft, and no retry is worth a person's wait."""

    def found_late(result: SearchResult) -> SearchResult:
        rig.clock.advance(12_000)
        return result

    rig.index.found = found_late

    await rig.ask()

    assert rig.answerer.requests[0].deadline_s == 30.0


@pytest.mark.parametrize(
    ("point", "steps"),
    [("embedder.at_embed", [Step.SEARCHING]), ("answerer", [Step.SEARCHING, Step.WRITING])],
    ids=["before a slow search", "before a slow model"],
)
async def test_the_customer_sees_what_is_done_before_anything_slow(rig: Rig, point, steps):
    slow = Point(waits=True)
    if point == "answerer":
        rig.answerer.script = (slow,)
    else:
        rig.embedder.at_embed = slow
    with rig.live.watch(rig.conversation) as watcher:
        await rig.say()
        await slow.reached.wait()
        watcher.offer(CutOff(overloaded=False))
        seen = [event.step async for event in watcher.events() if isinstance(event, Progressed)]

    assert seen == steps
    await rig.runner.drain(grace_s=0)

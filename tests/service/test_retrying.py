"""The button "Try again" after what could not be looked up: the bot looks once more, unless a person has taken it up."""

import asyncio

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.core.audit import RETRIED, Change, rebuilt
from bot.core.conversation import AgentId, Kind, Status
from bot.core.outcome import Answer, Courtesy, CourtesyKind, ReasonCode
from bot.errors import RecordsUnavailable, StoreUnavailable
from tests.service.records_rig import COUNT, COUNT_SQL, HOW_MANY, WHICH_TEN, RecordsRig, a_records_rig
from tests.service.rig import UNCOVERED, reason_of

LABEL = "Try again"
UNAVAILABLE = ReasonCode.RECORDS_UNAVAILABLE
ANSWER = Answer(text="You have 12 lessons.", sources=())


async def refused(*plans) -> RecordsRig:
    """Return a conversation in which the database was down, and is not any more."""
    records = await a_records_rig(*(plans or (COUNT, COUNT)))
    records.records.at_query.fails = RecordsUnavailable("down")
    assert reason_of(await records.rig.ask(HOW_MANY)) is UNAVAILABLE
    records.records.at_query.fails = None
    return records


async def test_a_press_computes_the_question_of_then_once_more():
    records = await refused()

    turn = await records.rig.ask(LABEL, kind=Kind.RETRY)

    assert turn.outcome == ANSWER
    assert [plan.question for plan in records.planner.plans] == [HOW_MANY, HOW_MANY]
    assert (await records.rig.state()).status is Status.BOT


async def test_the_handoff_is_closed_and_the_audit_says_who_did_it():
    records = await refused()

    await records.rig.ask(LABEL, kind=Kind.RETRY)

    [handoff] = await records.rig.store.handoffs(records.rig.conversation)
    rows = await records.rig.store.audit(records.rig.conversation)
    assert handoff.closed_ms is not None
    assert [(row.who, row.what) for row in rows if row.what == RETRIED] == [("customer", RETRIED)]
    assert rebuilt(rows).status is Status.BOT


async def test_what_fails_again_hands_over_again_and_can_be_tried_again():
    records = await refused(COUNT, COUNT, COUNT)
    records.records.at_query.fails = RecordsUnavailable("down")

    again = await records.rig.ask(LABEL, kind=Kind.RETRY)
    records.records.at_query.fails = None
    third = await records.rig.ask(LABEL, kind=Kind.RETRY)

    assert reason_of(again) is UNAVAILABLE
    assert third.outcome == ANSWER
    assert [sql for _, sql in records.records.asked] == [COUNT_SQL] * 3


async def test_a_question_that_only_went_on_with_what_records_told_is_computed_again_too():
    records = await a_records_rig(COUNT, COUNT, COUNT)
    await records.rig.ask(HOW_MANY)
    records.records.at_query.fails = RecordsUnavailable("down")
    assert reason_of(await records.rig.ask(WHICH_TEN)) is UNAVAILABLE
    records.records.at_query.fails = None

    turn = await records.rig.ask(LABEL, kind=Kind.RETRY)

    assert turn.outcome == ANSWER
    assert records.planner.plans[-1].question == WHICH_TEN


async def test_what_was_written_in_the_queue_is_read_too():
    records = await refused()
    await records.rig.say("I would like to talk to a person")

    turn = await records.rig.ask(LABEL, kind=Kind.RETRY)

    assert reason_of(turn) is ReasonCode.CUSTOMER_ASKED


async def test_once_an_agent_has_it_a_press_is_a_message_like_any_other():
    records = await refused()
    claimed = (await records.rig.state()).claimed_by(AgentId("ana"), now_ms=records.rig.clock.now_ms())
    await records.rig._move(claimed)

    await records.rig.say(LABEL, kind=Kind.RETRY)
    await records.rig.idle()

    assert (await records.rig.state()).status is Status.CLAIMED
    assert (await records.rig.messages())[-1].text == LABEL
    assert len(records.planner.plans) == 1


async def test_a_handoff_for_another_reason_is_not_taken_back():
    records = await a_records_rig()
    assert reason_of(await records.rig.ask(UNCOVERED)) is ReasonCode.NO_EVIDENCE

    await records.rig.say(LABEL, kind=Kind.RETRY)
    await records.rig.idle()

    assert (await records.rig.state()).status is Status.QUEUED


async def test_the_same_press_twice_is_one():
    records = await refused()

    await records.rig.say(LABEL, kind=Kind.RETRY, id="press")
    await records.rig.idle()
    repeated = await records.rig.say(LABEL, kind=Kind.RETRY, id="press")
    await records.rig.idle()

    assert repeated.duplicate
    assert len(await records.rig.turn_records()) == 2


async def test_a_press_that_a_crash_left_half_done_is_finished_by_its_repeat():
    records = await refused()
    records.rig.store.at_change.fails_once = StoreUnavailable("the process died")
    with pytest.raises(StoreUnavailable):
        await records.rig.say(LABEL, kind=Kind.RETRY, id="press")

    await records.rig.say(LABEL, kind=Kind.RETRY, id="press")
    await records.rig.idle()

    assert (await records.rig.turn_records())[-1].outcome == ANSWER


async def test_an_agent_who_is_faster_keeps_it():
    records = await refused()
    rig = records.rig
    rig.store.at_change.waits = True
    press = asyncio.create_task(rig.say(LABEL, kind=Kind.RETRY))
    await rig.store.at_change.reached.wait()
    claimed = (await rig.state()).claimed_by(AgentId("ana"), now_ms=rig.clock.now_ms())
    change = Change(who="ana", what="claimed", at_ms=rig.clock.now_ms())
    await MemoryConversationStore.change(rig.store, await rig.state(), claimed, change)

    rig.store.at_change.opened.set()
    await press

    assert (await rig.state()).agent == "ana"


async def test_a_press_without_anything_to_try_asks_what_it_is_about():
    records = await a_records_rig()

    turn = await records.rig.ask(LABEL, kind=Kind.RETRY)

    assert turn.outcome == Courtesy(kind=CourtesyKind.CATEGORY)

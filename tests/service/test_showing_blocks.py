"""What of a draft is shown and when: verified, then recorded, then shown, and never after the bot lost the word."""

import pytest

from bot.core.conversation import Status
from bot.core.outcome import Answer, Ask, ReasonCode
from bot.core.prompt import Abstained, Asked, Finished, Stop
from bot.errors import ModelUnavailable, StoreUnavailable
from bot.service.live import CutOff, DraftShown, Progressed, Step
from tests.service.faults import quoted
from tests.service.rig import QUESTION, Rig, reason_of
from tests.service.stand_ins import Point

FIRST, SECOND = quoted("Open My Lessons and choose Reschedule."), quoted("It is free until 24 hours before.")
COMPLETE = Finished(stop=Stop.COMPLETE)
INVENTED = quoted("It costs 99 EUR.")


async def test_each_block_is_recorded_before_it_is_shown(rig: Rig):
    rig.answerer.script = (FIRST, SECOND, COMPLETE)

    turn = await rig.ask(QUESTION)

    assert rig.log == [
        ("changed", ""),
        ("recorded", FIRST.text),
        ("shown", FIRST.text),
        ("recorded", SECOND.text),
        ("shown", SECOND.text),
        ("committed", turn.id),
        ("changed", ""),
    ]


async def test_blocks_are_counted_from_the_start_of_their_turn(rig: Rig):
    rig.answerer.script = (FIRST, SECOND, COMPLETE)
    with rig.live.watch(rig.conversation) as watcher:
        turn = await rig.ask(QUESTION)
        watcher.offer(CutOff(overloaded=False))
        seen = [event async for event in watcher.events()]

    shown = [event for event in seen if isinstance(event, DraftShown)]
    assert [(s.turn, s.position, s.text) for s in shown] == [
        (turn.id, 0, FIRST.text),
        (turn.id, 1, SECOND.text),
    ]
    assert [e.step for e in seen if isinstance(e, Progressed)] == [Step.SEARCHING, Step.WRITING]


async def test_the_shown_blocks_become_the_answer_and_nothing_is_left_of_the_draft(rig: Rig):
    rig.answerer.script = (FIRST, SECOND, COMPLETE)

    await rig.ask(QUESTION)

    (said,) = await rig.told()
    assert said.text == f"{FIRST.text}\n\n{SECOND.text}"
    assert (await rig.store.snapshot(rig.conversation, after=0)).draft == ()


async def test_a_block_that_does_not_pass_is_never_shown_and_the_earlier_ones_stay_interrupted(rig: Rig):
    rig.answerer.script = (FIRST, INVENTED, SECOND, COMPLETE)

    turn = await rig.ask(QUESTION)

    before, handoff = await rig.told()
    assert reason_of(turn) is ReasonCode.UNGROUNDED_DRAFT
    assert (before.text, before.interrupted, before.turn) == (FIRST.text, True, turn.id)
    assert handoff.reason == ReasonCode.UNGROUNDED_DRAFT
    assert [text for what, text in rig.log if what == "shown"] == [FIRST.text]


@pytest.mark.parametrize(
    "broken", [ModelUnavailable("reset"), TimeoutError(), ValueError("a defect")], ids=repr
)
async def test_a_draft_that_breaks_off_leaves_what_was_shown_before_the_handoff(rig: Rig, broken):  # fmt: skip
    rig.answerer.script = (FIRST, broken)

    await rig.ask(QUESTION)

    before, handoff = await rig.told()
    assert (before.text, before.interrupted) == (FIRST.text, True)
    assert handoff.refusal
    assert before.seq < handoff.seq


async def test_an_agent_who_takes_over_during_the_draft_is_not_talked_over(rig: Rig):
    """R-H1: the rest of the draft is dropped; what was shown stays in the transcript."""
    between = Point(waits=True)
    rig.answerer.script = (FIRST, between, SECOND, COMPLETE)
    await rig.say(QUESTION)
    await between.reached.wait()

    await rig.take_over()
    between.opened.set()
    await rig.idle()

    assert [(m.text, m.interrupted) for m in await rig.told()] == [(FIRST.text, True)]
    assert ("shown", SECOND.text) not in rig.log
    assert (await rig.turn_records(), rig.observer.settled) == ((), [])
    assert ((await rig.state()).status, await rig.reasons()) == (Status.CLAIMED, [])


async def test_an_agent_who_takes_over_before_the_commit_is_not_talked_over(rig: Rig):
    rig.store.at_commit.waits = True
    await rig.say(QUESTION)
    await rig.store.at_commit.reached.wait()

    await rig.take_over()
    rig.store.at_commit.opened.set()
    await rig.idle()

    assert [m.interrupted for m in await rig.told()] == [True]
    assert await rig.turn_records() == ()


async def test_a_handoff_that_an_agent_was_faster_than_is_not_written(rig: Rig):
    rig.store.at_commit.waits = True
    await rig.say("I want my money back now")
    await rig.store.at_commit.reached.wait()

    await rig.take_over()
    rig.store.at_commit.opened.set()
    await rig.idle()

    assert (await rig.told(), await rig.reasons()) == ((), [])
    assert (await rig.state()).status is Status.CLAIMED


async def test_a_store_that_cannot_record_a_block_shows_nothing_and_leaves_the_turn_to_the_sweep(rig: Rig):
    rig.store.at_show.fails = StoreUnavailable("disk full")

    await rig.say(QUESTION)
    await rig.idle()

    assert [what for what, _ in rig.log] == ["changed"]
    assert (await rig.state()).owes_a_turn
    rig.store.at_show.fails = None
    assert isinstance((await rig.run()).outcome, Answer)


@pytest.fixture
def at_once(rig: Rig) -> Rig:
    """A bot whose whole draft is there at once."""
    rig.answerer.streams = False
    return rig


async def test_a_draft_that_is_there_at_once_is_recorded_in_one_write_and_then_shown_in_order(at_once: Rig):
    at_once.answerer.script = (FIRST, SECOND, COMPLETE)

    turn = await at_once.ask(QUESTION)

    assert at_once.log == [
        ("changed", ""),
        ("recorded", f"{FIRST.text}\n\n{SECOND.text}"),
        ("shown", FIRST.text),
        ("shown", SECOND.text),
        ("committed", turn.id),
        ("changed", ""),
    ]


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param((INVENTED, SECOND, COMPLETE), id="a block does not pass"),
        pytest.param((Finished(stop=Stop.COMPLETE, options=("72 hours",)),), id="the end does not pass"),
        pytest.param((Finished(stop=Stop.CUT_OFF),), id="cut off"),
        pytest.param((Abstained(),), id="abstained"),
        pytest.param((ModelUnavailable("reset"),), id="breaks off"),
    ],
)
async def test_nothing_is_shown_of_a_draft_at_once_of_which_something_does_not_pass(at_once: Rig, rest):
    at_once.answerer.script = (FIRST, *rest)

    await at_once.ask(QUESTION)

    (handoff,) = await at_once.told()
    assert handoff.refusal
    assert [what for what, _ in at_once.log] == ["changed", "committed", "changed"]


async def test_a_question_without_blocks_has_nothing_to_show_before_it(at_once: Rig):
    at_once.answerer.script = (Asked(text="Is your class today?"),)

    turn = await at_once.ask(QUESTION)

    assert isinstance(turn.outcome, Ask)
    assert [what for what, _ in at_once.log] == ["changed", "committed", "changed"]


async def test_an_agent_who_takes_over_before_a_draft_at_once_is_recorded_sees_none_of_it(at_once: Rig):
    at_once.store.at_show.waits = True
    await at_once.say(QUESTION)
    await at_once.store.at_show.reached.wait()

    await at_once.take_over()
    at_once.store.at_show.opened.set()
    await at_once.idle()

    assert (await at_once.told(), await at_once.turn_records()) == ((), ())
    assert (await at_once.state()).status is Status.CLAIMED


async def test_a_store_that_cannot_record_a_draft_at_once_leaves_the_turn_to_the_sweep(at_once: Rig):
    at_once.store.at_show.fails = StoreUnavailable("disk full")

    await at_once.say(QUESTION)
    await at_once.idle()

    assert [what for what, _ in at_once.log] == ["changed"]
    assert (await at_once.state()).owes_a_turn

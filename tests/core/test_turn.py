"""What a turn reads at its beginning, and what its record and its outcome are called."""

from dataclasses import replace

import pytest

from bot.core.conversation import Kind, Role
from bot.core.outcome import Ask, Courtesy, CourtesyKind, outcome_name
from bot.core.turn import Fence, Stage, StageStatus, TurnStart, failing_stage
from tests.builders import (
    CONVERSATION,
    a_bot_message,
    a_conversation,
    a_handoff,
    a_message,
    an_agent_message,
    an_answer,
)
from tests.core.builders import a_stage

ASKED = a_bot_message("Is it less than 24 hours before your lesson?", seq=2, options=("Less", "More"))


def a_start(*history):
    conversation = a_conversation(epoch=4, last_seq=3, last_customer_seq=3)
    return TurnStart(
        conversation=conversation,
        history=history,
        unanswered=tuple(m for m in history if m.seq >= 3),
    )


def test_a_turn_may_write_while_owner_and_newest_message_are_what_it_read():
    start = a_start(a_message(seq=3))

    assert start.fence == Fence(conversation=CONVERSATION, epoch=4, last_customer_seq=3)


@pytest.mark.parametrize(
    ("before", "prompted"),
    [
        pytest.param([], False, id="nothing before"),
        pytest.param([ASKED], True, id="a question with options"),
        pytest.param([a_bot_message(seq=2)], False, id="an answer"),
        pytest.param([a_bot_message(seq=1, options=("Less",)), a_bot_message(seq=2)], False, id="a later answer"),
        pytest.param([ASKED, a_message("hm", seq=3)], True, id="the customer wrote twice"),
        pytest.param([a_message(seq=2, kind=Kind.CATEGORY, options=("A",))], False, id="the customer's own"),
    ],
)  # fmt: skip
def test_the_bot_prompted_when_its_last_message_before_offers_replies(before, prompted):
    assert a_start(*before, a_message("👍", seq=4)).prompted is prompted


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        pytest.param([a_bot_message(seq=2, refusal=True, options=("A person",))], True, id="an offer"),
        pytest.param([a_bot_message(seq=2, refusal=True)], False, id="a refusal"),
        pytest.param([ASKED], False, id="a question"),
        pytest.param([], False, id="nothing"),
    ],
)
def test_an_offer_is_a_refusal_with_replies_to_tap(said, offered):
    assert a_start(*said, a_message(seq=3)).offered is offered


NO = a_message("no", seq=1, kind=Kind.FEEDBACK)
YES = a_message("yes", seq=2, kind=Kind.FEEDBACK)


@pytest.mark.parametrize(
    ("before", "doubted"),
    [
        pytest.param([], False, id="nothing before"),
        pytest.param([NO], True, id="it did not help"),
        pytest.param([NO, a_bot_message(seq=2), a_message(seq=3)], True, id="and was asked about again"),
        pytest.param([NO, YES], False, id="the next answer helped"),
        pytest.param([replace(YES, seq=1), replace(NO, seq=2)], True, id="only the answer before helped"),
        pytest.param([NO, a_bot_message(seq=2, reason="unresolved")], False, id="it was handed over"),
        pytest.param([NO, an_agent_message(seq=2)], False, id="a person helped"),
        pytest.param([a_message("no", seq=1)], False, id="a no in words"),
        pytest.param([replace(NO, role=Role.BOT)], False, id="not the customer's"),
    ],
)
def test_a_doubt_lasts_until_something_or_somebody_helped(before, doubted):
    assert a_start(*before, a_message("no", seq=4, kind=Kind.FEEDBACK)).doubted is doubted


@pytest.mark.parametrize(
    ("before", "unhelpful"),
    [
        pytest.param([a_bot_message("Try this.", seq=0), NO], "Try this.", id="an answer"),
        pytest.param([a_bot_message("Hi", seq=0, kind=Kind.NOTICE), NO], None, id="no answer"),
        pytest.param([NO, a_bot_message("Try that.", seq=2)], None, id="a later answer"),
        pytest.param([a_bot_message("Try this.", seq=0), NO, YES], None, id="no doubt"),
    ],
)
def test_what_did_not_help_is_the_answer_before_the_doubt(before, unhelpful):
    assert a_start(*before, a_message(seq=4)).unhelpful == unhelpful


def test_the_first_no_is_no_doubt_of_itself():
    assert not a_start(a_message("no", seq=4, kind=Kind.FEEDBACK)).doubted


REFUSED = {"reason": "records_unavailable", "refusal": True}


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        (a_bot_message("You have 12 lessons.", seq=2), True),
        (a_bot_message("Open My Lessons.", seq=2, sources=an_answer().sources), False),
        (ASKED, False),
        (a_bot_message("A person will help you.", seq=2, refusal=True), False),
        (a_bot_message("Hello!", seq=2, kind=Kind.NOTICE), False),
        (an_agent_message("You have 12 lessons.", seq=2), False),
    ],
    ids=["records", "articles", "question", "refusal", "notice", "agent"],
)
def test_a_message_follows_what_records_told_when_the_bot_said_that_last(said, follows):
    assert a_start(said, a_message("Which 10 are next?", seq=3)).follows_records is follows


def test_a_retry_asks_again_what_could_not_be_computed():
    question, retry = a_message("How many?", seq=1), a_message("Try again", seq=3, kind=Kind.RETRY)

    start = a_start(question, a_bot_message(seq=2, turn="t1", **REFUSED), retry)

    assert start.asked == (question, retry)


def test_a_retry_reaches_back_over_earlier_ones_and_what_was_shown_of_them():
    question = a_message("How many?", seq=-4)
    before = (
        a_message("Hi", seq=-6),
        a_bot_message("Hello!", seq=-5),
        question,
        a_bot_message("You have", seq=-3, turn="t1", interrupted=True),
        a_bot_message(seq=-2, turn="t1", **REFUSED),
        a_message("Try again", seq=-1, kind=Kind.RETRY),
        a_bot_message(seq=2, turn="t2", **REFUSED),
    )

    retry = a_message("Try again", seq=3, kind=Kind.RETRY)

    assert a_start(*before, retry).asked == (question, retry)


@pytest.mark.parametrize("kind", [Kind.TEXT, Kind.RETRY])
def test_without_a_refusal_only_what_is_unanswered_was_asked(kind):
    start = a_start(a_message(seq=1), a_bot_message(seq=2), a_message(seq=3, kind=kind))

    assert start.asked == start.unanswered


def test_what_the_bot_says_meanwhile_does_not_prompt():
    history = (a_message(seq=3), a_bot_message(seq=4, options=("Less", "More")), a_message("👍", seq=5))

    assert not a_start(*history).prompted


@pytest.mark.parametrize("status", [StageStatus.FAILED, StageStatus.TIMED_OUT], ids=str)
def test_the_failing_stage_is_the_first_that_broke(status):
    stages = (a_stage(Stage.ROUTE), a_stage(Stage.EMBED, status), a_stage(Stage.SEARCH, StageStatus.FAILED))

    assert failing_stage(stages) is stages[1]


def test_a_turn_that_was_stopped_has_no_failing_stage():
    assert failing_stage((a_stage(Stage.ROUTE, StageStatus.STOPPED),)) is None


@pytest.mark.parametrize(
    ("outcome", "name"),
    [
        (an_answer(), "answer"),
        (Ask(text="Which?"), "ask"),
        (Courtesy(kind=CourtesyKind.THANKS), "courtesy"),
        (a_handoff(), "handoff"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_outcome_has_one_name_everywhere(outcome, name):
    assert outcome_name(outcome) == name

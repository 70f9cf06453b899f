"""Which turn a mark is about, and what becomes of it as a candidate."""

from dataclasses import replace

from bot.core.conversation import AgentId
from bot.core.desk import Mark, MarkKind
from bot.evaluation.candidates import marked_turn, to_candidates
from tests.builders import CONVERSATION, a_bot_message, a_handoff, a_message, a_turn, an_answer

GAP = Mark(
    conversation=CONVERSATION,
    kind=MarkKind.KNOWLEDGE_GAP,
    seq=0,
    agent=AgentId("ana"),
    at_ms=50,
    remark="gap",
)
WRONG = replace(GAP, kind=MarkKind.WRONG_ANSWER, seq=2, remark="wrong")
ANSWERED = a_turn(an_answer(), id="answered", covers=(1,), settled_ms=10)
HANDED_OVER = a_turn(a_handoff(), id="handed over", covers=(3,), settled_ms=20)
ANSWERED_LATER = a_turn(an_answer(), id="answered later", covers=(5,), settled_ms=30)
TURNS = (ANSWERED, HANDED_OVER, ANSWERED_LATER)
MESSAGES = (
    a_message("one", seq=1), a_bot_message("first", seq=2, turn="answered"),
    a_message("two", seq=3), a_bot_message("second", seq=4, turn="handed over"),
    a_message("three", seq=5), a_bot_message("third", seq=6, turn="answered later"),
)  # fmt: skip


def about(mark: Mark) -> str | None:
    turn = marked_turn(mark, TURNS, MESSAGES)
    return None if turn is None else turn.id


def test_a_mark_on_a_message_is_about_the_turn_that_said_it():
    assert about(WRONG) == "answered"


def test_a_mark_on_a_conversation_is_about_the_last_handoff_before_it():
    assert about(GAP) == "handed over"


def test_without_a_handoff_before_it_it_is_about_the_last_turn():
    assert about(replace(GAP, at_ms=15)) == "answered"


def test_a_mark_before_anything_was_said_is_about_nothing():
    assert about(replace(GAP, at_ms=5)) is None
    assert to_candidates(TURNS, MESSAGES, [replace(GAP, at_ms=5)], locale="en") == ()


def test_a_mark_on_a_message_whose_turn_was_lost_is_about_nothing():
    assert marked_turn(replace(WRONG, seq=6), TURNS[:2], MESSAGES) is None


def test_a_turn_with_two_marks_is_one_candidate_with_both():
    other = replace(WRONG, seq=4, remark="also wrong")

    (row,) = to_candidates(TURNS, MESSAGES, [GAP, other], locale="de")

    assert (row["id"], row["tag"], row["locale"]) == ("handed over", "wrong_answer", "de")
    assert row["marks"] == [
        {"kind": "knowledge_gap", "at_ms": 50, "remark": "gap"},
        {"kind": "wrong_answer", "at_ms": 50, "remark": "also wrong"},
    ]


def test_a_candidate_ends_with_the_question_and_not_with_what_came_of_it():
    (row,) = to_candidates(TURNS, MESSAGES, [WRONG], locale="en")

    assert row["turns"] == [{"role": "customer", "text": "one"}]
    assert row["recorded"]["outcome"] == "answer"  # type: ignore[index]  # a row is JSON

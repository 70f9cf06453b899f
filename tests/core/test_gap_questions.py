"""Which turns show that an article is missing, and which replies of agents belong to them."""

from dataclasses import replace

import pytest

from bot.core.gap_questions import REPLIES_EACH, REPLIES_SHOWN, counted, replies_to
from bot.core.gaps import GapSign
from bot.core.knowledge import ArticleId
from bot.core.outcome import ReasonCode, Triage
from tests.builders import CONVERSATION, NOON_MS
from tests.core.gap_builders import (
    a_gap_question,
    a_mark,
    a_question_turn,
    a_reply,
    a_verdict,
    an_answered_turn,
)


def signs(turns, marks=()):
    return [(question.turn, question.sign) for question in counted(turns, marks)]


@pytest.mark.parametrize(
    ("fields", "sign"),
    [
        pytest.param({}, GapSign.NO_EVIDENCE, id="the gate stopped it"),
        pytest.param(
            {"outcome": "ask", "reason": None, "offer": True}, GapSign.NO_EVIDENCE, id="an offer to rephrase"
        ),
        pytest.param(
            {"reason": ReasonCode.MODEL_ABSTAINED}, GapSign.MODEL_ABSTAINED, id="the model abstained"
        ),
    ],
)
def test_a_turn_without_an_answer_shows_a_gap(fields, sign):
    turn = a_question_turn(**fields)

    assert signs([turn]) == [(turn.turn, sign)]


@pytest.mark.parametrize(
    "reason", sorted(set(ReasonCode) - {ReasonCode.NO_EVIDENCE, ReasonCode.MODEL_ABSTAINED})
)
def test_no_other_reason_shows_a_gap(reason):
    assert counted([a_question_turn(reason=reason)], ()) == ()


def test_an_answer_shows_none_until_the_customer_says_that_it_did_not_help():
    answer = an_answered_turn(turn="t1")
    doubt = a_verdict(False, turn="t2", settled_ms=NOON_MS + 1)

    assert signs([answer]) == []
    assert signs([doubt, answer]) == [("t1", GapSign.UNRESOLVED)]


def test_feedback_is_about_the_last_answer_before_it():
    first = an_answered_turn("How late?", turn="t1")
    second = an_answered_turn(turn="t2", settled_ms=NOON_MS + 1)
    elsewhere = an_answered_turn(turn="t3", settled_ms=NOON_MS + 2, conversation="c2")
    doubt = a_verdict(False, turn="t4", settled_ms=NOON_MS + 3)
    later = an_answered_turn(turn="t5", settled_ms=NOON_MS + 4)

    assert signs([first, second, elsewhere, doubt, later]) == [("t2", GapSign.UNRESOLVED)]


def test_a_second_thought_counts():
    answer = an_answered_turn(turn="t1")
    doubt = a_verdict(False, turn="t2", settled_ms=NOON_MS + 1)
    helped = a_verdict(True, turn="t3", settled_ms=NOON_MS + 2)

    assert signs([answer, doubt, helped]) == []


def test_feedback_about_nothing_is_left_alone():
    assert signs([a_verdict(False)]) == []


def test_a_marked_conversation_counts_with_the_last_question_that_was_searched_before_the_mark():
    early = an_answered_turn("How late?", turn="t1", settled_ms=NOON_MS)
    last = an_answered_turn(turn="t2", settled_ms=NOON_MS + 1)
    unsearched = a_verdict(True, turn="t3", settled_ms=NOON_MS + 2)
    later = an_answered_turn(turn="t4", settled_ms=NOON_MS + 200)

    (question,) = counted([early, last, unsearched, later], [a_mark("anything", remark="ramps")])

    assert (question.turn, question.sign) == ("t2", GapSign.KNOWLEDGE_GAP)
    assert (question.marked, question.remark) == (True, "ramps")


def test_a_mark_on_a_question_that_counts_already_counts_it_once():
    (question,) = counted([a_question_turn()], [a_mark("Is there a ramp?")])

    assert (question.sign, question.marked) == (GapSign.NO_EVIDENCE, True)


def test_a_marked_conversation_without_a_search_counts_with_what_was_typed_last():
    handed_over = a_question_turn(
        "A person, please", reason=ReasonCode.CUSTOMER_ASKED, best_cosine=None, threshold=None
    )
    mark = a_mark("A person, please", "Is there a ramp?", asked_ms=NOON_MS + 40)

    (question,) = counted([handed_over], [mark])

    assert (question.text, question.turn, question.at_ms) == ("Is there a ramp?", None, NOON_MS + 40)
    assert question.id == CONVERSATION


def test_what_was_never_typed_is_no_question():
    assert counted([a_question_turn("")], [a_mark(conversation="c2")]) == ()


def test_a_question_comes_with_what_was_recorded_of_it():
    turn = a_question_turn(
        own="Is there a ramp for wheelchairs?",
        triage=Triage.NEAR_MISS,
        articles=(ArticleId("KB7"), ArticleId("KB3")),
        locale="de",
        asker="ada",
    )

    (question,) = counted([turn], ())

    assert (question.text, question.locale, question.asker) == (
        "Is there a ramp for wheelchairs?",
        "de",
        "ada",
    )
    assert (question.triage, question.best_cosine, question.threshold, question.article) == (
        Triage.NEAR_MISS,
        0.4,
        0.5,
        "KB7",
    )


def test_what_identifies_a_person_is_left_out_of_questions_remarks_and_replies():
    turn = a_question_turn("I am ada@example.org, is there a ramp?")
    mark = a_mark(remark="call +44 20 7946 0958")

    (question,) = counted([turn], [mark])
    (reply,) = replies_to([question], {CONVERSATION: [a_reply("Write to bob@example.org")]}, [turn])

    assert (question.text, question.remark, reply.text) == (
        "I am [e-mail], is there a ramp?",
        "call [phone]",
        "Write to [e-mail]",
    )


def test_the_first_replies_after_a_question_belong_to_it():
    replies = [a_reply(f"reply {n}", at_ms=NOON_MS + n) for n in (-1, 0, *range(1, 5))]

    quoted = replies_to([a_gap_question()], {CONVERSATION: replies}, ())

    assert [reply.text for reply in quoted] == [f"reply {n}" for n in range(REPLIES_EACH)]


def test_turns_that_hand_nothing_over_end_no_questions_replies():
    question, answered = a_question_turn(turn="t0"), an_answered_turn(turn="t1", settled_ms=NOON_MS + 10)
    replies = {CONVERSATION: [a_reply(at_ms=NOON_MS + 50)]}

    assert len(replies_to(counted([question], ()), replies, [question, answered])) == 1


def test_replies_after_the_next_handoff_belong_to_the_next_question():
    first, second = (a_question_turn(turn=f"t{n}", settled_ms=NOON_MS + n * 100) for n in (0, 1))
    asked = counted([first, second], ())
    replies = {CONVERSATION: [a_reply("one", at_ms=NOON_MS + 50), a_reply("two", at_ms=NOON_MS + 150)]}

    of_each = [replies_to([question], replies, [first, second]) for question in asked]

    assert [[reply.text for reply in quoted] for quoted in of_each] == [["one"], ["two"]]


def test_a_gap_quotes_the_newest_conversations_and_only_so_many_replies():
    asked = [
        a_gap_question(turn=f"t{n}", conversation=f"c{n}", at_ms=NOON_MS + n)
        for n in range(REPLIES_SHOWN + 3)
    ]
    replies = {
        q.conversation: [a_reply(q.conversation, conversation=q.conversation, at_ms=q.at_ms)] for q in asked
    }

    quoted = replies_to(asked, replies, ())

    assert [reply.text for reply in quoted] == [f"c{n}" for n in range(REPLIES_SHOWN + 2, 2, -1)]


def test_one_reply_to_two_questions_is_quoted_once():
    asked = [a_gap_question(turn="t1"), a_gap_question(turn="t2", at_ms=NOON_MS + 1)]

    assert len(replies_to(asked, {CONVERSATION: [a_reply()]}, ())) == 1


def test_the_order_in_which_turns_come_changes_nothing():
    turns = [
        a_question_turn(turn=f"t{n}", settled_ms=NOON_MS + n % 2, conversation=f"c{n % 3}") for n in range(6)
    ]
    doubted = [replace(an_answered_turn(), turn="t7"), a_verdict(False, turn="t8", settled_ms=NOON_MS + 9)]

    assert counted([*turns, *doubted], ()) == counted([*doubted, *reversed(turns)], ())

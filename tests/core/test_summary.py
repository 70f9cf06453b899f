"""The summary of a handoff: the extractive one's three lines, and what a model's may not state."""

from dataclasses import replace

import pytest

from bot.core.conversation import Kind, Source, TurnId
from bot.core.outcome import ReasonCode
from bot.core.replies import LANGUAGES
from bot.core.summary import (
    LONGEST_LINE,
    Summary,
    SummaryRequest,
    extractive_summary,
    in_lines,
    rests_on,
    summary_request,
)
from tests.builders import a_bot_message, a_conversation, a_handoff, a_message, a_ranked_passage, a_turn
from tests.core.test_replies import REPLIES, RULES

RESCHEDULE = Source(id="KB3", title="How to Reschedule a Lesson", url="https://help.example/KB3")
TALK = (
    a_message("hello"),
    a_bot_message("Hello! I am an automated assistant.", kind=Kind.NOTICE),
    a_message("How do I reschedule a class?"),
    a_bot_message("Open My Lessons. Is it less than 24 hours for you?", sources=(RESCHEDULE,)),
    a_message("no its more than 24 hours"),
    a_bot_message("Our articles do not answer this fully.", refusal=True),
    a_message("agent please!!"),
)


def a_request(*messages, **fields) -> SummaryRequest:
    return SummaryRequest(messages=messages or TALK, **{"reason": ReasonCode.CUSTOMER_ASKED, **fields})


def summed_up(*messages, **fields) -> Summary:
    return extractive_summary(a_request(*messages, **fields), REPLIES, RULES)


def test_the_three_lines_say_what_is_asked_what_was_said_and_what_is_open():
    lines = in_lines(summed_up(), REPLIES, "en").split("\n")

    assert lines == [
        "Asked: “How do I reschedule a class?” · “no its more than 24 hours”",
        "Said so far: “How to Reschedule a Lesson”",
        "Open: the customer asked for a person",
    ]


@pytest.mark.parametrize(
    ("messages", "asked"),
    [
        pytest.param([a_message("agent!!")], "“agent!!”", id="only a plea"),
        pytest.param([a_message("a.pdf", kind=Kind.FILE)], "nothing in words", id="only a file"),
        pytest.param(
            [a_message("I want to talk to a person about my refund")],
            "“I want to talk to a person about my refund”",
            id="a plea that says what for",
        ),
        pytest.param([a_message(f"Question {n}?") for n in range(5)], "2?”", id="the last ones"),
    ],
)
def test_the_customers_own_words_are_kept(messages, asked):
    assert asked in summed_up(*messages).asked


def test_where_nothing_was_answered_the_summary_says_so():
    assert summed_up(a_message("Where is my tutor?")).said == "no answer yet"


def test_a_question_of_the_bots_without_an_article_is_quoted():
    said = summed_up(a_message("help"), a_bot_message("Which of these applies to you?")).said

    assert said == "“Which of these applies to you?”"


def test_the_rule_and_the_nearest_article_are_named():
    found = summed_up(reason=ReasonCode.ESCALATION_RULE, rule="refund_demand", nearest="Refunds")

    assert found.open == "a rule sends this to a person (refund_demand); nearest article: “Refunds”"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", list(ReasonCode))
def test_every_reason_has_three_lines_in_every_language(language, reason):
    text = in_lines(summed_up(locale=language, reason=reason), REPLIES, language)

    assert text.count("\n") == 2
    assert REPLIES.reason(reason, language) in text


def test_long_and_broken_texts_stay_one_line_each():
    hostile = "a\r\n\x1b[31mb\u2028c " * 200

    lines = in_lines(Summary(asked=hostile, said=hostile, open=hostile), REPLIES, "en").split("\n")

    assert len(lines) == 3
    assert all(len(line) <= LONGEST_LINE + 20 and line.isprintable() for line in lines)


def test_what_the_customer_wrote_after_the_handoff_is_left_out():
    turn = a_turn(
        a_handoff(), on=a_conversation(last_seq=1, last_customer_seq=1), ranked=(a_ranked_passage(),)
    )
    talk = [
        a_message("Which wine?"),
        a_bot_message("No article.", seq=2, turn=turn.id),
        a_message("hm", seq=3),
    ]

    request = summary_request(talk, turn, a_handoff(), locale="de")

    assert [m.text for m in request.messages] == ["Which wine?", "No article."]
    assert (request.nearest, request.locale) == ("How to Reschedule a Lesson", "de")


def test_a_lost_turn_without_a_message_of_its_own_is_summed_up_to_the_customers_last_word():
    turn = a_turn(a_handoff(), on=a_conversation(last_seq=1, last_customer_seq=1), id=TurnId("gone"))

    request = summary_request([a_message(), a_message(seq=2)], turn, a_handoff(), locale="en")

    assert len(request.messages) == 1


@pytest.mark.parametrize(
    ("line", "rests"),
    [
        pytest.param("Wants to reschedule; more than 24 hours are left.", True, id="said"),
        pytest.param("Wants 30 % off.", False, id="another figure"),
        pytest.param("See https://evil.example/x.", False, id="a link"),
        pytest.param("Write to ceo@evil.example.", False, id="an address"),
        pytest.param("  ", False, id="nothing"),
    ],
)
def test_a_models_line_may_state_only_what_was_said(line, rests):
    summary = Summary(asked="Wants another time.", said="Was shown how.", open="A person.")

    assert rests_on(replace(summary, asked=line), a_request()) is rests
    assert rests_on(replace(summary, open=line), a_request()) is rests


def test_what_the_customer_edited_since_the_handoff_is_summed_up_as_it_reads_now():
    asked, deleted = a_message("my card is 4242", seq=1), a_message("and my PIN is 1234", seq=2)
    said = a_bot_message("A person will help you.", seq=3, turn=TurnId("t1"))
    edit = a_message("my card is lost", seq=4, channel_message_id="m1#1", revises=1)
    tombstone = a_message("", seq=5, kind=Kind.TOMBSTONE, channel_message_id="m2#deleted", revises=2)
    later = a_message("hello?", seq=6)
    turn = a_turn(a_handoff(), on=a_conversation(last_seq=2, last_customer_seq=2))

    request = summary_request((asked, deleted, said, edit, tombstone, later), turn, a_handoff(), locale="en")

    assert [m.text for m in request.messages] == ["A person will help you.", "my card is lost"]

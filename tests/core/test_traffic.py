"""What is read of a recorded turn: the customer's own words, what the gate saw, and what was said of an earlier answer."""

import pytest

from bot.core.conversation import Kind
from bot.core.customers import Subject
from bot.core.outcome import Ask, ReasonCode, Triage
from bot.core.traffic import to_question_turn
from bot.core.turn import RetrievalQuery
from tests.builders import CONVERSATION, a_handoff, a_message, a_ranked_passage, a_turn, an_answer
from tests.core.gap_builders import a_question_turn, an_answered_turn


def read(turn, *covered, subject=None):
    return to_question_turn(turn, covered, locale="en", subject=subject)


def feedback(text):
    return a_message(text, kind=Kind.FEEDBACK)


def test_a_turn_that_searched_says_with_what():
    query = RetrievalQuery(text="window", bare="Is there?", own="Is there a ramp?", used=(1,))
    turn = a_turn(
        a_handoff(triage=Triage.ABSENT), query=query, ranked=(a_ranked_passage(),) * 2, best_cosine=0.4
    )

    found = read(turn, a_message("Is there?"))

    assert (found.question, found.texts, found.articles) == (
        "Is there a ramp?",
        ("Is there?",),
        ("KB000003",),
    )
    assert (found.reason, found.triage) == (ReasonCode.NO_EVIDENCE, Triage.ABSENT)
    assert (found.searched, found.stopped, found.answered) == (True, True, False)


def test_without_its_evidence_a_turn_has_what_was_typed():
    found = read(a_turn(), a_message("one"), feedback("no"), a_message("two "))

    assert (found.question, found.searched) == ("one\ntwo", False)


def test_an_answer_comes_with_each_article_that_it_cites_once():
    found = read(a_turn(an_answer(sources=an_answer().sources * 2)))

    assert (found.outcome, found.cited, found.answered) == ("answer", ("KB000003",), True)


def test_an_offer_to_rephrase_is_no_answer():
    found = read(a_turn(Ask(text="", offer=True)))

    assert (found.outcome, found.stopped, found.answered) == ("ask", True, False)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [((), None), (("maybe",), None), (("no",), False), (("no", "yes"), True)],
    ids=["nothing", "neither", "no", "a second thought"],
)
def test_the_last_word_on_an_answer_counts(said, verdict):
    assert read(a_turn(), *map(feedback, said)).verdict is verdict


@pytest.mark.parametrize(("subject", "asker"), [(None, CONVERSATION), (Subject("ada"), "ada")])
def test_a_customer_is_whom_the_site_vouches_for_else_the_conversation(subject, asker):
    assert read(a_turn(), subject=subject).asker == asker


def test_only_answers_that_stand_count_as_such():
    assert an_answered_turn().answered
    assert not a_question_turn().answered

"""What trials are counted by: recall, the first hit, outcomes by label, reasons, and who passes the gate."""

import pytest

from bot.core.conversation import Source
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode
from bot.evaluation.golden import GoldenConversation, Topic, question_after
from bot.evaluation.trials import (
    Trial,
    hit_at_1,
    outcome_table,
    outcome_word,
    pass_rates,
    recall_at,
    right_reasons,
    scored,
)
from tests.builders import a_found_passage, a_handoff, a_passage, a_ranked_passage, a_turn, an_answer


def a_golden(**fields) -> GoldenConversation:
    start = question_after((), "How do I reschedule a class?", locale="en")
    return GoldenConversation(
        **{"id": "g", "start": start, "gold": ("KB1",), "topic": Topic.ANSWERABLE, "label": "ANSWER"} | fields
    )


def a_trial(*found: str, outcome=None, best=None, **golden) -> Trial:
    ranked = tuple(
        a_ranked_passage(found=a_found_passage(passage=a_passage(article_id=article))) for article in found
    )
    turn = a_turn(a_handoff() if outcome is None else outcome, ranked=ranked, best_cosine=best)
    return Trial(golden=a_golden(**golden), turn=turn)


def from_article(*articles: str):
    return an_answer(sources=tuple(Source(id=one, title="", url="") for one in articles))


@pytest.mark.parametrize(
    ("found", "gold", "k", "recall"),
    [
        pytest.param(["KB1"], ["KB1"], 1, 1.0, id="found"),
        pytest.param(["KB2", "KB1"], ["KB1"], 1, 0.0, id="second"),
        pytest.param(["KB2", "KB1"], ["KB1"], 3, 1.0, id="among three"),
        pytest.param(["KB1", "KB1", "KB1", "KB2"], ["KB2"], 2, 1.0, id="passages of an article count once"),
        pytest.param(["KB1"], ["KB1", "KB2"], 1, 1.0, id="more gold than places"),
        pytest.param(["KB1"], ["KB1", "KB2"], 3, 0.5, id="one of two"),
        pytest.param([], ["KB1"], 3, 0.0, id="nothing found"),
    ],
)
def test_recall_is_the_share_of_gold_among_the_first(found, gold, k, recall):
    assert recall_at([a_trial(*found, gold=tuple(gold))], k) == recall


def test_recall_and_hits_are_means_over_the_answerable():
    tried = [
        a_trial("KB1"),
        a_trial("KB2"),
        a_trial("KB2", topic=Topic.NEAR, gold=()),
        a_trial(topic=Topic.ROUTED, gold=()),
    ]

    assert (recall_at(tried, 1), hit_at_1(tried)) == (0.5, 0.5)


def test_without_trials_every_share_is_defined():
    assert (recall_at([], 3), hit_at_1([]), right_reasons([])) == (0.0, 0.0, 1.0)
    assert pass_rates([], 0.5) == {Topic.ANSWERABLE: 0.0, Topic.NEAR: 0.0, Topic.OFF: 0.0}


def test_only_trials_that_reached_the_gate_are_scored():
    tried = [a_trial(best=0.7), a_trial(best=None), a_trial(best=0.9, topic=Topic.ROUTED)]

    assert [(s.topic, s.cosine) for s in scored(tried)] == [(Topic.ANSWERABLE, 0.7)]


def test_pass_rates_are_shares_of_each_topic():
    tried = [a_trial(best=0.5), a_trial(best=0.4), a_trial(best=0.6, topic=Topic.OFF)]

    assert pass_rates(tried, 0.5) == {Topic.ANSWERABLE: 0.5, Topic.NEAR: 0.0, Topic.OFF: 1.0}


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (an_answer(), "answered"),
        (Ask(text="Which?"), "asked"),
        (Courtesy(kind=CourtesyKind.THANKS), "courtesy"),
        (a_handoff(ReasonCode.NO_EVIDENCE), "no_evidence"),
    ],
)
def test_every_outcome_has_a_column(outcome, word):
    assert outcome_word(a_turn(outcome)) == word


def test_an_answer_from_no_gold_article_is_counted_as_wrong_too():
    tried = [
        a_trial(outcome=from_article("KB1", "KB9")),
        a_trial(outcome=from_article("KB9")),
        a_trial(outcome=from_article("KB9"), gold=(), topic=Topic.NEAR, label=""),
        a_trial(),
    ]

    assert outcome_table(tried) == {
        "ANSWER": {"answered": 2, "wrong": 1, "no_evidence": 1},
        "near": {"answered": 1, "wrong": 1},
    }


def test_reasons_are_right_when_the_handoff_has_the_expected_one():
    tried = [
        a_trial(reason="no_evidence"),
        a_trial(reason="customer_asked"),
        a_trial(reason="no_evidence", outcome=an_answer()),
        a_trial(),
    ]

    assert right_reasons(tried) == pytest.approx(1 / 3)

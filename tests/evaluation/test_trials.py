"""What trials are counted by: outcomes by label, reasons, and who passes the gate."""

import pytest

from bot.core.conversation import Source
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode
from bot.evaluation.golden import Topic
from bot.evaluation.trials import Endings, endings, outcome_word, pass_rates, right_reasons, scored
from tests.builders import a_handoff, a_turn, an_answer
from tests.evaluation.builders import a_trial
from tests.knowledge_builders import a_calibration


def from_article(*articles: str):
    return an_answer(sources=tuple(Source(id=one, title="", url="") for one in articles))


def test_without_trials_shares_are_none_or_unknown():
    assert right_reasons([]) is None
    assert pass_rates([], a_calibration()) == {Topic.ANSWERABLE: 0.0, Topic.NEAR: 0.0, Topic.OFF: 0.0}


def test_only_trials_that_reached_the_gate_are_scored():
    tried = [a_trial(best=0.7), a_trial(best=None), a_trial(best=0.9, topic=Topic.ROUTED)]

    assert [(s.topic, s.cosine) for s in scored(tried)] == [(Topic.ANSWERABLE, 0.7)]


def test_pass_rates_are_shares_of_each_topic():
    tried = [a_trial(best=0.5), a_trial(best=0.4), a_trial(best=0.6, topic=Topic.OFF)]

    assert pass_rates(tried, a_calibration(strict=0.5)) == {
        Topic.ANSWERABLE: 0.5,
        Topic.NEAR: 0.0,
        Topic.OFF: 1.0,
    }


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


def test_every_turn_ends_in_one_number_of_its_label():
    tried = [
        a_trial(outcome=from_article("KB1", "KB9")),
        a_trial(outcome=from_article("KB9")),
        a_trial(outcome=from_article("KB9"), gold=(), topic=Topic.NEAR, label=""),
        a_trial(outcome=Ask(text="Which?")),
        a_trial(),
        a_trial(outcome=Courtesy(kind=CourtesyKind.THANKS), label="CHITCHAT"),
    ]

    assert endings(tried) == {
        "ANSWER": some_endings(answered=1, wrong=1, asked=1, handed_off={"no_evidence": 1}),
        "near": some_endings(wrong=1),
        "CHITCHAT": some_endings(courtesy=1),
    }
    assert sum(ended.turns for ended in endings(tried).values()) == len(tried)


def some_endings(**counts) -> Endings:
    return Endings(**{"answered": 0, "wrong": 0, "asked": 0, "courtesy": 0, "handed_off": {}, **counts})


def test_reasons_are_right_when_the_handoff_has_the_expected_one():
    tried = [
        a_trial(reason="no_evidence"),
        a_trial(reason="customer_asked"),
        a_trial(reason="no_evidence", outcome=an_answer()),
        a_trial(),
    ]

    assert right_reasons(tried) == pytest.approx(1 / 3)

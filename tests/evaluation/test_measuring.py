"""From searches and turns to the numbers of a set: who counts where, and what cannot be told is absent."""

import pytest

from bot.core.outcome import Ask
from bot.evaluation.golden import Topic
from bot.evaluation.measures import MEASURES
from bot.evaluation.measuring import Gathered, evaluated, mean, pooled
from bot.evaluation.strategies import Retrieved, Strategy
from tests.evaluation.builders import a_search, a_trial, an_unanswerable_search


def a_set(*found: Retrieved, name: str = "set", **others: tuple[Retrieved, ...]) -> Gathered:
    """Return a set whose turns are those of the blended searches."""
    tried = tuple(a_trial(id=r.golden.id, conversation_id=r.golden.conversation_id) for r in found)
    retrieved = {Strategy.BLENDED: found} | {Strategy(name): rows for name, rows in others.items()}
    return Gathered(name=name, tried=tried, retrieved=retrieved)


def blended(*found: Retrieved) -> dict[str, float]:
    measures = evaluated(a_set(*found)).strategies[Strategy.BLENDED].measures
    return {name: estimate.value for name, estimate in measures.items()}


def test_rankings_are_judged_on_questions_with_gold_and_the_gate_on_all():
    measures = blended(
        a_search("KB1", "KB2", score=0.8),
        a_search("KB2", "KB1", score=0.4),
        a_search("KB1", gold=(), score=0.9),
        an_unanswerable_search("KB1", score=0.5),
    )

    assert (measures["hit@1"], measures["recall@3"], measures["mrr"]) == (0.5, 1.0, 0.75)
    assert measures["auroc"] == pytest.approx(2 / 3)


def test_every_measure_of_the_contract_is_there():
    assert set(blended(a_search("KB1"), an_unanswerable_search())) == set(MEASURES)


def test_a_measure_that_the_set_cannot_tell_is_absent():
    assert "auroc" not in blended(a_search("KB1"))
    assert blended(an_unanswerable_search()) == {}


def test_every_estimate_lies_in_its_interval():
    found = [a_search("KB1" if n % 3 else "KB2", score=n / 20, conversation_id=f"c{n}") for n in range(20)]
    others = [an_unanswerable_search(score=n / 40, conversation_id=f"u{n}") for n in range(20)]

    (performance,) = evaluated(a_set(*found, *others)).strategies.values()

    assert all(e.low <= e.value <= e.high for e in performance.measures.values())
    assert all(e.low < e.high for e in performance.measures.values())


def test_the_gate_by_itself_is_measured_at_the_threshold_in_force():
    gate = evaluated(
        a_set(
            a_search(score=0.5),
            a_search(score=0.49),
            an_unanswerable_search(score=0.6),
            an_unanswerable_search(score=0.1),
            an_unanswerable_search(score=0.2),
        )
    ).gate

    assert (gate.threshold, gate.answerable_passed) == (0.5, 0.5)
    assert gate.unanswerable_stopped == pytest.approx(2 / 3)


def test_without_a_threshold_nothing_is_said_of_the_gate():
    gate = evaluated(a_set(a_search(threshold=None))).gate

    assert (gate.threshold, gate.answerable_passed, gate.unanswerable_stopped) == (None, None, None)


def test_bare_replies_are_those_tagged_so():
    bare = evaluated(
        a_set(
            a_search("KB1", tag="bare_reply"),
            a_search("KB2", tag="bare_reply"),
            a_search("KB2", tag="single"),
            an_unanswerable_search("KB1", tag="bare_reply"),
        )
    ).bare_replies

    assert (bare.questions, bare.hit_at_1) == (2, 0.5)


def test_a_strategy_that_nothing_was_searched_with_is_left_out():
    searched = evaluated(a_set(a_search("KB1"), window=(a_search("KB2"),), rewrite=()))

    assert set(searched.strategies) == {Strategy.BLENDED, Strategy.WINDOW}


def test_sets_are_pooled_question_by_question_and_their_conversations_stay_apart():
    one = a_set(a_search("KB1"), name="one")
    two = a_set(a_search("KB2"), a_search("KB2"), window=(a_search("KB1"),), name="two")

    together = pooled([one, two], "all sets")

    assert evaluated(together).strategies[Strategy.BLENDED].measures["hit@1"].value == pytest.approx(1 / 3)
    assert evaluated(together).strategies[Strategy.WINDOW].questions == 1
    assert len({t.golden.conversation_id for t in together.tried}) == 2


def test_endings_and_reasons_are_those_of_the_turns():
    tried = (
        a_trial(outcome=Ask(text="Which?"), label="ANSWER"),
        a_trial(reason="no_evidence", label="OFF_TOPIC", topic=Topic.OFF),
    )

    found = evaluated(Gathered(name="set", tried=tried, retrieved={Strategy.BLENDED: ()}))

    assert (found.conversations, found.reason_accuracy) == (2, 1.0)
    assert (found.labels["ANSWER"].asked, found.labels["OFF_TOPIC"].handed_off) == (1, {"no_evidence": 1})


def test_a_mean_counts_every_set_the_same_over_those_that_tell_a_number():
    small = a_set(a_search("KB1", score=0.9), an_unanswerable_search(score=0.1))
    large = a_set(*(a_search("KB2") for _ in range(3)), window=(a_search("KB1"),))

    found = mean([evaluated(small), evaluated(large)])

    assert found.sets == 2
    assert (found.strategies[Strategy.BLENDED]["hit@1"], found.strategies[Strategy.BLENDED]["auroc"]) == (
        0.5,
        1.0,
    )
    assert found.strategies[Strategy.WINDOW]["hit@1"] == 1.0
    assert found.gate == {"answerable_passed": 1.0, "unanswerable_stopped": 1.0}
    assert found.auroc_by_label == {"NO_KB_NEAR": 1.0}

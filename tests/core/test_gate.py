"""The evidence gate on its one score, the thresholds that may be used with it, and why nothing was found."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.gate import blend_of, check_threshold, evidence_gate, gate_cosine, threshold_for, triage
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import GatePolicy, RetrievalPolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.errors import Misconfigured
from tests.core.builders import a_calibration, passage_of, ranked_as_found

GATE = GatePolicy(threshold=0.55)
UNCALIBRATED = GatePolicy(threshold=None)


def cosine_of(index_score):
    """Return the raw cosine behind the score of an index that reports (1 + cosine) / 2."""
    return 2 * index_score - 1


def gated(*cosines, score=None, policy=GATE, can_abstain=False, rivals=frozenset()):
    """Judge passages of one article each; the question's *score* is the best cosine unless it is given."""
    found = [passage_of(f"A{n}", cosine) for n, cosine in enumerate(cosines)]
    return evidence_gate(
        ranked_as_found(*found, rivals=rivals),
        policy,
        score=max(cosines, default=None) if score is None else score,
        can_abstain=can_abstain,
    )


def kept(evidence):
    assert isinstance(evidence, Evidence)
    return [p.found.article_id for p in evidence.passages]


def test_the_gate_that_could_not_fire_is_a_start_up_error():
    """DESIGN §2.2: 0.35 on the index's scale is cosine -0.30, which no article is ever below."""
    with pytest.raises(Misconfigured, match=r"-0\.30 \(raw cosine\) is outside the range 0\.12 to 0\.86"):
        check_threshold(cosine_of(0.35), a_calibration())


def test_the_articles_that_passed_the_gate_that_could_not_fire_are_stopped():
    """Unrelated articles at index score 0.79 are at cosine 0.58: below what a calibration of such a model finds."""
    calibrated = GatePolicy(threshold=0.62)

    assert cosine_of(0.79) == pytest.approx(0.58)
    assert gated(*map(cosine_of, (0.79, 0.78, 0.78)), policy=calibrated) == Handoff(
        reason=ReasonCode.NO_EVIDENCE
    )


@pytest.mark.parametrize("threshold", [0.0, 0.1199, 0.8601, 1.0, math.nan, math.inf, -math.inf], ids=str)
def test_a_threshold_outside_what_calibration_saw_is_refused_with_a_remedy(threshold):
    with pytest.raises(Misconfigured, match="run `python -m bot calibrate`, or unset GATE_THRESHOLD"):
        check_threshold(threshold, a_calibration())


@pytest.mark.parametrize("threshold", [0.12, 0.55, 0.86])
def test_a_threshold_within_what_calibration_saw_may_be_used(threshold):
    check_threshold(threshold, a_calibration())


@pytest.mark.parametrize(
    ("cosine", "passes"), [(0.549_999, False), (0.55, True), (0.9, True), (-0.3, False)], ids=str
)
def test_the_score_of_the_question_decides_and_not_the_passages(cosine, passes):
    assert isinstance(gated(0.7, 0.1, score=cosine), Evidence) is passes


def test_what_falls_short_of_the_best_by_no_more_than_the_question_passes_becomes_evidence_in_its_order():
    assert kept(gated(0.60, 0.54, 0.58)) == ["A0", "A2"]
    assert kept(gated(0.70, 0.64, 0.68, score=0.60)) == ["A0", "A2"]
    assert kept(gated(0.70, 0.64, 0.68, score=0.62)) == ["A0", "A1", "A2"]


def test_the_first_article_goes_through_with_all_its_passages():
    """Words may have put it before the nearest one."""
    first = (passage_of("FIRST", 0.50), passage_of("FIRST", 0.30, position=1))
    ranked = ranked_as_found(*first, passage_of("NEAR", 0.60), passage_of("FAR", 0.50))

    evidence = evidence_gate(ranked, GATE, score=0.58, can_abstain=False)

    assert kept(evidence) == ["FIRST", "FIRST", "NEAR"]


def test_the_evidence_says_how_near_its_passages_had_to_be():
    assert gated(0.70, 0.40, score=0.60).threshold == pytest.approx(0.65)


def test_rivals_travel_along_with_what_passes():
    assert kept(gated(0.60, 0.52, 0.20, rivals=frozenset({"A0", "A1"}))) == ["A0", "A1"]


def test_rivals_alone_are_no_evidence():
    assert gated(0.54, 0.50, rivals=frozenset({"A0", "A1"})) == Handoff(reason=ReasonCode.NO_EVIDENCE)


def test_passages_without_a_score_are_a_fault_of_the_index():
    ranked = ranked_as_found(passage_of("A", 0.9))

    handoff = evidence_gate(ranked, GATE, score=None, can_abstain=True)

    assert isinstance(handoff, Handoff)
    assert handoff.reason is ReasonCode.INDEX_NOT_READY


@pytest.mark.parametrize("policy", [GATE, UNCALIBRATED], ids=["calibrated", "uncalibrated"])
@pytest.mark.parametrize("can_abstain", [True, False])
def test_an_empty_list_is_a_fault_of_the_index_and_never_no_evidence(policy, can_abstain):
    assert gated(policy=policy, can_abstain=can_abstain).reason is ReasonCode.INDEX_NOT_READY


def test_without_calibration_an_answerer_that_can_abstain_decides():
    assert kept(gated(0.2, 0.1, policy=UNCALIBRATED, can_abstain=True)) == ["A0", "A1"]


def test_without_calibration_an_answerer_that_cannot_abstain_gets_nothing():
    handoff = gated(0.9, policy=UNCALIBRATED, can_abstain=False)

    assert handoff.reason is ReasonCode.INDEX_NOT_READY
    assert "bot calibrate" in handoff.detail


def test_a_score_that_is_no_number_passes_no_gate():
    assert gated(0.9, score=math.nan) == Handoff(reason=ReasonCode.NO_EVIDENCE)


@given(
    st.lists(st.floats(-1, 1), max_size=8),
    st.floats(-1, 1),
    st.one_of(st.none(), st.floats(-1, 1)),
    st.booleans(),
    st.frozensets(st.sampled_from(["A0", "A1", "A2"])),
)
def test_evidence_always_holds_the_best_and_no_evidence_never_hides_a_passage(
    cosines, score, threshold, abstains, rivals
):
    policy = GatePolicy(threshold=threshold)
    result = gated(*cosines, score=score, policy=policy, can_abstain=abstains, rivals=rivals)

    if isinstance(result, Evidence):
        assert kept(result)[0] == "A0"
        assert max(p.found.cosine for p in result.passages) == max(cosines)
        assert threshold is None or score >= threshold
    elif result.reason is ReasonCode.NO_EVIDENCE:
        assert cosines
        assert threshold is not None
        assert score < threshold
    else:
        assert result.reason is ReasonCode.INDEX_NOT_READY
        assert not cosines or (threshold is None and not abstains)


def test_the_score_is_the_weighted_mean_of_the_window_s_best_cosine_and_the_own_words_best():
    policy = RetrievalPolicy(gate_window_weight=0.25)

    assert gate_cosine((0.4, 0.8), 0.8, policy) == pytest.approx(0.7)
    assert gate_cosine((0.4, 0.8), 0.8, replace(policy, gate_window_weight=1.0)) == 0.4
    assert gate_cosine((0.4, 0.8), 0.8, replace(policy, gate_window_weight=0.0)) == 0.8


def test_a_conversation_about_another_article_does_not_carry_a_question_over_the_gate():
    """The window is close to what was just answered, the question to something else: no passage is close to both."""
    policy = RetrievalPolicy(gate_disagreement=0.05)

    assert gate_cosine((0.9, 0.5), 0.52, policy) == pytest.approx(0.57)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1))
def test_the_score_is_never_above_the_better_cosine_nor_far_above_the_best_passage(window, own, best, weight):
    policy = RetrievalPolicy(gate_window_weight=weight)

    score = gate_cosine((window, own), best, policy)

    assert score <= max(window, own) + 1e-9
    assert score <= best + policy.gate_disagreement


@pytest.mark.parametrize(("can_abstain", "expected"), [(True, 0.42), (False, 0.55)])
def test_an_answerer_that_can_abstain_gets_the_permissive_threshold(can_abstain, expected):
    assert threshold_for(a_calibration(), TurnPolicy(), can_abstain=can_abstain) == expected


@pytest.mark.parametrize("name", blend_of(RetrievalPolicy()))
def test_a_calibration_of_another_blend_does_not_count(name):
    """Each of these numbers shapes the gate's score, which the threshold was measured on."""
    other = replace(RetrievalPolicy(), **{name: getattr(RetrievalPolicy(), name) + 1})

    assert threshold_for(a_calibration(), TurnPolicy(retrieval=other), can_abstain=True) is None


@pytest.mark.parametrize("policy", [RetrievalPolicy(told_weight=1.0), RetrievalPolicy(limit=5)])
def test_what_only_orders_or_bounds_the_search_leaves_the_calibration_valid(policy):
    assert threshold_for(a_calibration(), TurnPolicy(retrieval=policy), can_abstain=True) is not None


def test_without_a_calibration_there_is_no_threshold():
    assert threshold_for(None, TurnPolicy(gate_threshold=0.5), can_abstain=True) is None


def test_the_operators_own_threshold_wins_over_the_calibrated_one():
    assert threshold_for(a_calibration(), TurnPolicy(gate_threshold=0.5), can_abstain=False) == 0.5


def test_a_question_whose_words_were_not_found_needs_a_higher_cosine():
    calibration = a_calibration(support_slope=0.3, typical_support=0.5)

    def asked(support):
        return threshold_for(calibration, TurnPolicy(), can_abstain=False, support=support)

    assert [asked(s) for s in (0.0, 0.5, 1.0)] == [pytest.approx(t) for t in (0.70, 0.55, 0.40)]
    assert asked(None) == 0.55


@pytest.mark.parametrize(
    ("best", "outside", "expected"),
    [
        pytest.param(0.20, {"draft": 0.60}, Triage.ONLY_DRAFT, id="a draft would have passed"),
        pytest.param(0.20, {"superseded": 0.55}, Triage.ONLY_SUPERSEDED, id="an old article would have passed"),
        pytest.param(0.20, {"other_language": 0.7}, Triage.OTHER_LANGUAGE, id="another language would have passed"),
        pytest.param(0.54, {"draft": 0.60, "superseded": 0.9}, Triage.ONLY_DRAFT, id="a draft is named first"),
        pytest.param(0.48, {}, Triage.NEAR_MISS, id="just below"),
        pytest.param(0.46, {}, Triage.ABSENT, id="beyond the margin"),
        pytest.param(
            0.20, {"draft": 0.54, "superseded": 0.3, "other_language": -1.0}, Triage.ABSENT, id="nothing anywhere"
        ),
    ],
)  # fmt: skip
def test_the_content_team_learns_why_nothing_was_found(best, outside, expected):
    nowhere = {"draft": None, "superseded": None, "other_language": None}

    assert triage(best, GATE, **(nowhere | outside)) is expected


def test_without_a_threshold_only_a_perfect_match_counts_as_near():
    nowhere = {"draft": 0.9, "superseded": None, "other_language": None}

    assert triage(0.9, UNCALIBRATED, **nowhere) is Triage.ABSENT
    assert triage(0.93, replace(UNCALIBRATED, near_miss_margin=0.08), **nowhere) is Triage.NEAR_MISS

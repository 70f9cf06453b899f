"""The gate's threshold: the stricter of two limits, reachable, and never letting through more than it was told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.gate import check_threshold
from bot.core.metrics import passing
from bot.core.policy import RetrievalPolicy
from bot.errors import InputRejected, Refused
from bot.evaluation.calibration import (
    Limits,
    Scored,
    auroc,
    calibrated,
    keeping,
    lowest_stopping,
)
from bot.evaluation.golden import Topic
from tests.knowledge_builders import a_calibration

COSINES = st.one_of(
    st.floats(-1, 1, allow_subnormal=False), st.integers(-10_000, 10_000).map(lambda n: n / 10_000)
)
SHARES = st.floats(0, 1)
SCORED = st.builds(Scored, id=st.just("q"), topic=st.sampled_from(Topic), cosine=COSINES)


def scored(topic: Topic, *cosines: float) -> list[Scored]:
    return [Scored(id=f"{topic}{n}", topic=topic, cosine=cosine) for n, cosine in enumerate(cosines)]


def spread(low: float, high: float, count: int = 100) -> list[float]:
    return [low + (high - low) * n / (count - 1) for n in range(count)]


def measured(*sets: list[Scored], **limits: float):
    return calibrated(
        sets,
        fingerprint="local/m",
        policy=RetrievalPolicy(),
        limits=Limits(**limits),
        data="here",
        at_ms=7,
    )


@given(st.lists(COSINES, min_size=1), SHARES)
def test_a_threshold_never_lets_through_more_than_its_share(cosines, share):
    assert passing(cosines, lowest_stopping(cosines, share)) <= share


@given(st.lists(COSINES, min_size=1), SHARES)
def test_no_lower_threshold_of_four_decimals_would_do(cosines, share):
    threshold = lowest_stopping(cosines, share)

    lower = round(threshold - 0.0001, 4)
    assert threshold == -1.0 or sum(c >= lower for c in cosines) > int(share * len(cosines))


@given(st.lists(COSINES, min_size=1), SHARES, SHARES)
def test_a_larger_share_never_raises_the_threshold(cosines, one, other):
    small, large = sorted((one, other))

    assert lowest_stopping(cosines, large) <= lowest_stopping(cosines, small)


@given(st.lists(COSINES, min_size=1), SHARES)
def test_a_keeping_threshold_keeps_its_share(cosines, share):
    assert passing(cosines, keeping(cosines, share)) >= share


@given(st.lists(COSINES, min_size=1), SHARES)
def test_no_higher_threshold_of_four_decimals_keeps_as_many(cosines, share):
    higher = round(keeping(cosines, share) + 0.0001, 4)

    assert passing(cosines, higher) < max(share, 1 / len(cosines))


@pytest.mark.parametrize(
    ("cosines", "share", "threshold"),
    [
        pytest.param([], 0.1, -1.0, id="no questions stop nothing"),
        pytest.param([0.2, 0.4], 1.0, -1.0, id="everything may pass"),
        pytest.param([0.57], 0.0, 0.5701, id="0.57 times 10,000 is a little less than 5,700"),
        pytest.param([0.9, 0.5, 0.4, 0.3], 0.25, 0.5001, id="one of four may pass"),
        pytest.param([0.9, 0.9, 0.4, 0.3], 0.25, 0.9001, id="equal ones pass together or not at all"),
        pytest.param([-0.00005], 0.0, 0.0, id="below zero"),
    ],
)
def test_the_lowest_stopping_threshold(cosines, share, threshold):
    assert lowest_stopping(cosines, share) == threshold


@given(st.lists(SCORED))
def test_auroc_is_the_share_of_pairs_in_the_right_order(found):
    answerable = [s.cosine for s in found if s.topic is Topic.ANSWERABLE]
    others = [s.cosine for s in found if s.topic in {Topic.NEAR, Topic.OFF}]
    pairs = [(a, o) for a in answerable for o in others]

    naive = sum(1.0 if a > o else 0.5 if a == o else 0.0 for a, o in pairs) / len(pairs) if pairs else 0.5
    assert auroc(found, a_calibration()) == pytest.approx(naive)


@given(SHARES, SHARES, st.floats(-1, 1), st.floats(-1, 1))
def test_a_calibration_is_never_outside_its_own_range(near, off, low, high):
    """Otherwise `serve` would refuse the threshold and name the calibration as the remedy."""
    found = [
        *scored(Topic.ANSWERABLE, *spread(0.4, 0.9)),
        *scored(Topic.NEAR, *spread(low, 0.6, 50)),
        *scored(Topic.OFF, *spread(-0.1, high, 50)),
    ]

    try:
        calibration = measured(found, near=near, off=off)
    except InputRejected as refused:
        assert refused.problem == "no question at all would pass"  # noqa: PT017 - the other half of the property
    else:
        check_threshold(calibration.strict, calibration)
        check_threshold(calibration.permissive, calibration)


def test_the_stricter_of_the_two_limits_counts():
    found = [
        *scored(Topic.ANSWERABLE, *spread(0.4, 0.9)),
        *scored(Topic.NEAR, *spread(0.3, 0.6)),
        *scored(Topic.OFF, *spread(0.0, 0.3)),
    ]

    calibration = measured(found, near=0.15, off=0.02)

    assert calibration.strict == lowest_stopping(spread(0.3, 0.6), 0.15)
    assert (calibration.near_topic_passed, calibration.off_topic_passed) == (0.15, 0.0)
    assert calibration.permissive == keeping(spread(0.4, 0.9), 0.95)
    assert (calibration.lowest, calibration.highest) == (0.0, 0.9)
    assert (calibration.answerable, calibration.unanswerable, calibration.data) == (100, 200, "here")


@pytest.mark.parametrize(
    ("answerable", "near", "said"),
    [
        pytest.param(99, 100, "hold 99 answerable questions", id="too few answerable"),
        pytest.param(100, 99, "hold 99 unanswerable questions", id="too few unanswerable"),
    ],
)
def test_too_few_questions_are_refused(answerable, near, said):
    found = [*scored(Topic.ANSWERABLE, *[0.5] * answerable), *scored(Topic.NEAR, *[0.1] * near)]

    with pytest.raises(Refused, match=f"the conversations {said}; calibrate on at least 100 of each kind"):
        measured(found)


def test_support_is_weighed_as_far_as_it_tells_questions_apart():
    """Near-topic questions score like answerable ones, but their words do not stand in what was found."""
    cosines = spread(0.4, 0.8)
    found = [
        *(replace(s, support=0.9) for s in scored(Topic.ANSWERABLE, *cosines)),
        *(replace(s, support=0.1) for s in scored(Topic.NEAR, *cosines)),
    ]

    calibration = measured(found)

    assert calibration.typical_support == pytest.approx(0.5)
    assert calibration.support_slope > 0.4
    assert calibration.answerable_passed > 0.9
    assert calibration.near_topic_passed <= 0.15


def test_support_that_tells_nothing_apart_is_not_weighed():
    found = [*scored(Topic.ANSWERABLE, *spread(0.5, 0.9)), *scored(Topic.OFF, *spread(0.0, 0.6))]

    assert measured(found).support_slope == 0


def test_each_set_keeps_the_limits_by_itself():
    easy = scored(Topic.ANSWERABLE, *spread(0.5, 0.9)) + scored(Topic.NEAR, *spread(0.1, 0.3))
    hard = scored(Topic.ANSWERABLE, *spread(0.5, 0.9)) + scored(Topic.NEAR, *spread(0.4, 0.8))

    together = measured(easy, hard, near=0.15)

    assert together.strict == measured(hard, near=0.15).strict

"""What other thresholds would let through: the chosen one in the middle, and never more the higher they are."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluation.calibration import Scored
from bot.evaluation.golden import Topic
from bot.evaluation.trade_off import Passing, levelled, trade_off

UNIT = st.floats(-1, 1, allow_subnormal=False)
SCORED = st.builds(
    Scored,
    id=st.just("q"),
    topic=st.sampled_from(Topic),
    cosine=UNIT,
    support=st.none() | st.floats(0, 1),
)
SETS = st.lists(st.lists(SCORED))


def scored(topic: Topic, *cosines: float, support: float | None = None) -> list[Scored]:
    return [Scored(id=f"{topic}{n}", topic=topic, cosine=c, support=support) for n, c in enumerate(cosines)]


FOUND = [
    *scored(Topic.ANSWERABLE, 0.9, 0.7, 0.5, 0.3),
    *scored(Topic.NEAR, 0.6, 0.5, 0.1, 0.1),
    *scored(Topic.OFF, 0.2, 0.1),
]


@given(SETS, st.floats(0, 0.8), st.floats(0, 1), UNIT)
def test_shares_never_rise_with_the_threshold(sets, slope, typical, around):
    points = trade_off(sets, slope, typical, around)

    for lower, higher in pairwise(points):
        assert lower.threshold < higher.threshold
        assert lower.answerable >= higher.answerable
        assert lower.near >= higher.near
        assert lower.off >= higher.off


@given(SETS, UNIT)
def test_the_chosen_threshold_stands_in_the_middle_to_the_letter(sets, around):
    points = trade_off(sets, 0.4, 0.5, around)

    assert len(points) == 9
    assert points[4].threshold == around
    assert [p.threshold for p in points].count(around) == 1


@pytest.mark.parametrize(
    ("threshold", "shares"),
    [
        pytest.param(0.1, (1.0, 1.0, 1.0), id="one that all reach"),
        pytest.param(0.5, (0.75, 0.5, 0.0), id="one that some reach to the letter"),
        pytest.param(0.55, (0.5, 0.25, 0.0), id="one between scores"),
        pytest.param(0.95, (0.0, 0.0, 0.0), id="one that none reaches"),
    ],
)
def test_the_shares_that_pass(threshold, shares):
    answerable, near, off = shares

    assert levelled(FOUND, 0.0, 1.0).passing(threshold) == Passing(
        threshold=threshold, answerable=answerable, near=near, off=off
    )


def test_sets_count_together_by_question():
    one, other = scored(Topic.ANSWERABLE, 0.9), scored(Topic.ANSWERABLE, 0.1, 0.1, 0.1)

    assert trade_off([one, other], 0.0, 1.0, 0.5)[4].answerable == 0.25


def test_a_question_with_less_support_counts_as_scoring_less():
    (score,) = levelled(scored(Topic.NEAR, 0.6, support=0.25), 0.4, 0.5).near

    assert score == pytest.approx(0.5)


def test_what_routing_settles_is_in_no_share():
    assert levelled(scored(Topic.ROUTED, 0.9), 0.0, 1.0).every == ()


def test_steps_fit_scores_that_lie_close_together():
    points = trade_off([scored(Topic.ANSWERABLE, 0.80, 0.90)], 0.0, 1.0, 0.85)

    assert points[0].threshold >= 0.83
    assert points[-1].threshold <= 0.87

"""Another threshold over recorded turns: the gate's comparison again, and a curve that agrees with it."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.what_if import Change, WhatIf, change_of, curve, thresholds_between


@dataclass(frozen=True)
class Past:
    best_cosine: float | None
    stopped: bool = False
    answered: bool = False


def pasts():
    cosines = st.one_of(st.none(), st.floats(-1, 1), st.sampled_from([0.4, 0.5]))
    ends = st.sampled_from([(True, False), (False, True), (False, False)])
    return st.lists(st.builds(lambda c, e: Past(c, *e), cosines, ends), max_size=12)


@given(pasts(), st.lists(st.one_of(st.floats(-1, 1), st.sampled_from([0.4, 0.5])), max_size=5))
def test_the_curve_counts_what_each_threshold_changes(turns, thresholds):
    for point in curve(turns, thresholds):
        changes = [change_of(turn, point.threshold) for turn in turns]
        assert point.passes == changes.count(Change.PASSES)
        assert point.handed_over == changes.count(Change.IS_HANDED_OVER)


@given(pasts())
def test_a_higher_threshold_lets_fewer_pass_and_hands_more_over(turns):
    points = curve(turns, thresholds_between(-1, 1))

    assert [p.passes for p in points] == sorted((p.passes for p in points), reverse=True)
    assert [p.handed_over for p in points] == sorted(p.handed_over for p in points)


def test_the_surest_change_comes_first():
    near, far = Past(0.55, answered=True), Past(0.2, answered=True)

    assert WhatIf(threshold=0.6, turns=(near, far)).of(Change.IS_HANDED_OVER) == (far, near)


def test_a_turn_that_never_came_to_the_gate_stays():
    assert WhatIf(threshold=0.9, turns=(Past(None, answered=True),)).of(Change.STAYS) == (
        Past(None, answered=True),
    )


def test_the_curve_reaches_from_one_end_to_the_other():
    thresholds = thresholds_between(0.21, 0.87)

    assert (thresholds[0], thresholds[-1], len(thresholds)) == (0.21, 0.87, 41)
    assert thresholds[20] == pytest.approx(0.54)

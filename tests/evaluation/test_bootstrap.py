"""Intervals: the same data give the same interval, and questions of one conversation are drawn together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.metrics import auroc
from bot.evaluation.bootstrap import auroc_interval, mean_interval, resampled

APART = [f"c{number}" for number in range(100)]


def test_the_interval_of_a_mean_is_as_wide_as_theory_says():
    values = [1.0] * 50 + [0.0] * 50

    interval = mean_interval(values, resampled(APART).of(APART))

    assert interval == pytest.approx((0.40, 0.60), abs=0.02)


def test_the_same_data_give_the_same_interval():
    values = [float(number % 3 == 0) for number in range(100)]

    first, second = (mean_interval(values, resampled(APART).of(APART)) for _ in range(2))

    assert first == second


def test_long_conversations_widen_the_interval():
    """A hundred questions of ten conversations say little more than ten."""
    together = [f"c{number // 10}" for number in range(100)]
    values = [float(number < 50) for number in range(100)]

    narrow = mean_interval(values, resampled(APART).of(APART))
    wide = mean_interval(values, resampled(together).of(together))

    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def test_a_resample_without_any_of_the_questions_is_left_out():
    assert mean_interval([1.0], resampled(APART).of(APART[:1])) == (1.0, 1.0)
    assert auroc_interval([0.9], [0.1], (resampled(APART).of(["c0"]), resampled(APART).of(["c1"]))) == (1, 1)


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=8), st.lists(st.integers(0, 5), min_size=2, max_size=8)
)
def test_the_weighted_auroc_is_that_of_the_drawn_questions(positives, negatives):
    """Each resample's AUROC is checked against the one of the questions written out as often as they were drawn."""
    conversations = [f"c{number}" for number in range(len(positives) + len(negatives))]
    resamples = resampled(conversations, resamples=1)
    ours = resamples.of(conversations[: len(positives)])
    theirs = resamples.of(conversations[len(positives) :])
    drawn = np.repeat(positives, ours[0].astype(int)), np.repeat(negatives, theirs[0].astype(int))

    if all(map(len, drawn)):
        expected = auroc(drawn[0].tolist(), drawn[1].tolist())
        assert auroc_interval(positives, negatives, (ours, theirs)) == pytest.approx((expected, expected))

"""Confidence intervals by resampling whole conversations: questions of one conversation are no independent samples.

The percentile method of Efron, Tibshirani: An Introduction to the Bootstrap, 1993, §13.3, over clusters. The seed is fixed, so
that the same data always give the same interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
_SEED = 20_240_229
_PERCENTILES = (2.5, 97.5)

Floats = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resamples:
    """How often each conversation was drawn in each resample."""

    columns: dict[str, int]
    draws: Floats

    def of(self, conversations: Sequence[str]) -> Floats:
        """Return a row of weights per resample, one weight for each of *conversations*."""
        weights: Floats = self.draws[:, [self.columns[one] for one in conversations]]
        return weights


def resampled(conversations: Sequence[str], *, resamples: int = RESAMPLES) -> Resamples:
    """Draw as many conversations as there are different ones, with replacement, *resamples* times."""
    columns = {one: column for column, one in enumerate(dict.fromkeys(conversations))}
    count = len(columns)
    chance = np.full(count, 1 / max(count, 1))
    draws = np.random.default_rng(_SEED).multinomial(count, chance, size=resamples).astype(np.float64)
    return Resamples(columns=columns, draws=draws)


def mean_interval(values: Sequence[float], weights: Floats) -> Interval:
    """Return the 95 % interval of the mean of *values*, which are at least one."""
    total = weights.sum(axis=1)
    drawn = total > 0  # a resample may hold none of these questions
    return _percentiles(weights[drawn] @ np.asarray(values) / total[drawn])


def auroc_interval(
    positives: Sequence[float], negatives: Sequence[float], weights: tuple[Floats, Floats]
) -> Interval:
    """Return the 95 % interval of the AUROC; both kinds are at least one, each with its weights."""
    ours, theirs = weights
    pairs = ours.sum(axis=1) * theirs.sum(axis=1)
    drawn = pairs > 0
    beaten = _weight_below(positives, negatives, theirs[drawn])
    return _percentiles((ours[drawn] * beaten).sum(axis=1) / pairs[drawn])


def _weight_below(scores: Sequence[float], others: Sequence[float], weights: Floats) -> Floats:
    """Return how much of the weight of *others* lies below each of *scores*, in each resample; ties count half.

    By rank: each score with each other one would be millions of pairs in every resample.
    """
    order = np.argsort(np.asarray(others), kind="stable")
    ordered = np.asarray(others)[order]
    summed = np.zeros((len(weights), len(ordered) + 1))
    np.cumsum(weights[:, order], axis=1, out=summed[:, 1:])
    below, up_to = (np.searchsorted(ordered, scores, side=side) for side in ("left", "right"))
    half: Floats = (summed[:, below] + summed[:, up_to]) / 2
    return half


def _percentiles(resamples: Floats) -> Interval:
    low, high = np.percentile(resamples, _PERCENTILES)
    return float(low), float(high)

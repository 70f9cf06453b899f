"""The gate's scores in bins of one width, for histograms and for how often each score is right."""

import math
from dataclasses import dataclass

from bot.evaluation.measuring import Scores

WIDTH = 0.05
_Z = 1.96  # of a 95 % interval


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBin:
    """How many questions of each kind scored from `low` up to `high`."""

    low: float
    high: float
    answerable: int
    unanswerable: int

    @property
    def questions(self) -> int:
        """Return how many questions these are."""
        return self.answerable + self.unanswerable

    @property
    def name(self) -> str:
        """Return the bin's range for people."""
        return f"{self.low:.2f} to {self.high:.2f}"


def score_bins(scores: Scores) -> tuple[ScoreBin, ...]:
    """Return the bins from the lowest score to the highest, empty ones between them included."""
    every = (*scores.answerable, *scores.unanswerable)
    if not every:
        return ()
    ours, theirs = [_place(s) for s in scores.answerable], [_place(s) for s in scores.unanswerable]
    return tuple(
        ScoreBin(
            low=place * WIDTH,
            high=(place + 1) * WIDTH,
            answerable=ours.count(place),
            unanswerable=theirs.count(place),
        )
        for place in range(_place(min(every)), _place(max(every)) + 1)
    )


def wilson(successes: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of at least one (Wilson, JASA 22, 1927); unlike the plain one it stays within 0 and 1."""
    share, square = successes / of, _Z * _Z / of
    middle = (share + square / 2) / (1 + square)
    half = _Z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return middle - half, middle + half


def _place(score: float) -> int:
    return math.floor(round(score / WIDTH, 9))  # 0.15 / 0.05 is a little less than 3

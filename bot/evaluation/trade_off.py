"""What other thresholds than the chosen one would let through: the choice that `calibrate` puts before people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.metrics import passing
from bot.evaluation.calibration import Scored
from bot.evaluation.golden import Topic

_EITHER_SIDE = 4
_STEPS_IN_RANGE = 40  # all thresholds shown span a fifth of the scores, where the decision is


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """The shares of each kind of question that pass a threshold; 0 for a kind without questions."""

    threshold: float
    answerable: float
    near: float
    off: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Levelled:
    """What is compared with the threshold, of each kind of question (see `Scored.at_typical_support`)."""

    answerable: tuple[float, ...]
    near: tuple[float, ...]
    off: tuple[float, ...]

    @property
    def unanswerable(self) -> tuple[float, ...]:
        """Return what near-topic and off-topic questions score."""
        return self.near + self.off

    @property
    def every(self) -> tuple[float, ...]:
        """Return all scores."""
        return self.answerable + self.unanswerable

    def passing(self, threshold: float) -> Passing:
        """Return the shares that reach *threshold*."""
        return Passing(
            threshold=threshold,
            answerable=passing(self.answerable, threshold),
            near=passing(self.near, threshold),
            off=passing(self.off, threshold),
        )


def levelled(scored: Iterable[Scored], slope: float, typical: float) -> Levelled:
    """Return the scores by kind, as if every question had *typical* support."""
    by_topic: dict[Topic, list[float]] = {topic: [] for topic in Topic}
    for one in scored:
        by_topic[one.topic].append(one.at_typical_support(slope, typical))
    return Levelled(
        answerable=tuple(by_topic[Topic.ANSWERABLE]),
        near=tuple(by_topic[Topic.NEAR]),
        off=tuple(by_topic[Topic.OFF]),
    )


def trade_off(
    sets: Sequence[Sequence[Scored]], slope: float, typical: float, around: float
) -> tuple[Passing, ...]:
    """Return what thresholds from below *around* to above it let through of all sets, lowest first, *around* in the middle."""
    scores = levelled((one for mine in sets for one in mine), slope, typical)
    step = _step(scores.every)
    places = range(-_EITHER_SIDE, _EITHER_SIDE + 1)
    return tuple(
        scores.passing(round(around + place * step, 4) if place else around)  # the chosen one to the letter
        for place in places
    )


def _step(scores: Sequence[float]) -> float:
    """Return a distance that fits the model's scores, some of which lie close together."""
    spread = max(scores, default=0.0) - min(scores, default=0.0)
    return max(0.001, round(spread / _STEPS_IN_RANGE, 3))

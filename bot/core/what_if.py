"""What another threshold would have done to recorded turns: the gate's one comparison again, without any search.

It says who would have passed the gate, not what would have come of it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from bot.core.gate import is_enough

CURVE_POINTS = 41  # a step of a fortieth of the range is finer than the range is known


class Change(StrEnum):
    """What happens to a recorded turn under the other threshold."""

    PASSES = "passes"
    IS_HANDED_OVER = "is_handed_over"
    STAYS = "stays"


class Judged(Protocol):
    """A recorded turn: whether the gate stopped it, whether it was answered, and its best raw cosine, None when it never came to the gate."""

    @property
    def stopped(self) -> bool: ...
    @property
    def answered(self) -> bool: ...
    @property
    def best_cosine(self) -> float | None: ...


T = TypeVar("T", bound=Judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf(Generic[T]):
    """Recorded turns under *threshold*; those that ended neither at the gate nor with an answer stay."""

    threshold: float
    turns: tuple[T, ...]

    @property
    def stopped(self) -> int:
        """Return how many turns the gate stopped."""
        return sum(turn.stopped for turn in self.turns)

    @property
    def answered(self) -> int:
        """Return how many turns were answered, questions that rest on an article included."""
        return sum(turn.answered for turn in self.turns)

    def of(self, change: Change) -> tuple[T, ...]:
        """Return the turns with *change*, the surest first: by their best cosine's distance from the threshold."""
        chosen = [turn for turn in self.turns if change_of(turn, self.threshold) is change]
        return tuple(sorted(chosen, key=self._sureness))

    def _sureness(self, turn: T) -> float:
        return 0.0 if turn.best_cosine is None else -abs(turn.best_cosine - self.threshold)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """How many stopped turns would pass at a threshold, and how many answers would be handed over."""

    threshold: float
    passes: int
    handed_over: int


def change_of(turn: Judged, threshold: float) -> Change:
    """Return what *threshold* in the place of the recorded one does to a turn."""
    if turn.best_cosine is None:
        return Change.STAYS
    passes = is_enough(turn.best_cosine, threshold)
    if turn.stopped and passes:
        return Change.PASSES
    if turn.answered and not passes:
        return Change.IS_HANDED_OVER
    return Change.STAYS


def curve(turns: Sequence[Judged], thresholds: Sequence[float]) -> tuple[CurvePoint, ...]:
    """Return the counts at each of *thresholds*, as `change_of` decides each turn."""
    stopped = sorted(_cosines(turn for turn in turns if turn.stopped))
    answered = sorted(_cosines(turn for turn in turns if turn.answered))
    return tuple(
        CurvePoint(
            threshold=threshold,
            passes=len(stopped) - bisect_left(stopped, threshold),
            handed_over=bisect_left(answered, threshold),
        )
        for threshold in thresholds
    )


def thresholds_between(lowest: float, highest: float, count: int = CURVE_POINTS) -> tuple[float, ...]:
    """Return *count* thresholds, evenly spread and both ends among them."""
    step = (highest - lowest) / (count - 1)
    return tuple(round(lowest + step * place, 6) for place in range(count))


def _cosines(turns: Iterable[Judged]) -> list[float]:
    return [turn.best_cosine for turn in turns if turn.best_cosine is not None]

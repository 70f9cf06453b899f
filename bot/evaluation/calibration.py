"""Where the gate's threshold comes from: measured on labelled questions, never guessed (FAULTS §5.3)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core import metrics
from bot.core.gate import blend_of
from bot.core.knowledge import Calibration
from bot.core.metrics import passing
from bot.core.policy import RetrievalPolicy
from bot.errors import InputRejected, Refused
from bot.evaluation.golden import Topic

LEAST_QUESTIONS = 100  # of each kind, FAULTS §5.3
UNANSWERABLE = (Topic.NEAR, Topic.OFF)
GATED = (Topic.ANSWERABLE, *UNANSWERABLE)
_SLOPES = tuple(n / 20 for n in range(17))  # 0 to 0.8; the first of equally good ones is the smallest
_STEPS = 10_000  # thresholds have four decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A labelled question, the best raw cosine that retrieval found for it, and its support (see `core.topics.support`)."""

    id: str
    topic: Topic
    cosine: float
    support: float | None = None

    def at_typical_support(self, slope: float, typical: float) -> float:
        """Return the cosine less what the threshold would ask for more, so that one threshold serves all questions."""
        return self.cosine if self.support is None else self.cosine + slope * (self.support - typical)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The largest shares of unanswerable questions that may pass the strict threshold, on each set by itself and on all together.

    One set's easy questions must not pay for another's: an average over knowledge bases is a promise to none of them. A set
    with too few questions of a kind for even one to pass counts with the others only.
    """

    near: float = 0.15
    off: float = 0.02
    answerable_kept: float = 0.95  # by the permissive threshold, whose answerer can still abstain


def calibrated(
    sets: Sequence[Sequence[Scored]],
    *,
    fingerprint: str,
    policy: RetrievalPolicy,
    limits: Limits,
    data: str,
    at_ms: int,
) -> Calibration:
    """Return the lowest threshold that keeps both shares on every set, with its error rates over all of them.

    Refused when there is too little data, or when only a threshold that nothing reaches would keep them.
    """
    scored = [one for mine in sets for one in mine]
    _require(sum(s.topic is Topic.ANSWERABLE for s in scored), "answerable")
    _require(sum(s.topic in UNANSWERABLE for s in scored), "unanswerable")
    supports = [s.support for s in scored if s.support is not None]
    typical = sum(supports) / len(supports) if supports else 1.0
    seen = [s.cosine for s in scored if s.topic in GATED]
    gates = [_Gate.keeping(limits, (scored, *sets), slope, typical, lowest=min(seen)) for slope in _SLOPES]
    best = max(gates, key=lambda gate: passing(gate.levelled(scored, Topic.ANSWERABLE), gate.strict))
    slope, strict = best.slope, best.strict
    answerable, near, off = (best.levelled(scored, topic) for topic in Topic if topic in GATED)
    if strict > max(seen):
        raise InputRejected("limits", "no question at all would pass", "let larger shares pass")
    return Calibration(
        fingerprint=fingerprint,
        strict=strict,
        permissive=min(strict, max(min(seen), keeping(answerable, limits.answerable_kept))),
        lowest=min(seen),
        highest=max(seen),
        blend=blend_of(policy),
        support_slope=slope,
        typical_support=typical,
        answerable=len(answerable),
        unanswerable=len(near) + len(off),
        answerable_passed=passing(answerable, strict),
        near_topic_passed=passing(near, strict),
        off_topic_passed=passing(off, strict),
        data=data,
        measured_ms=at_ms,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gate:
    """A slope and the lowest threshold that keeps the limits with it."""

    slope: float
    typical: float
    strict: float

    @classmethod
    def keeping(
        cls, limits: Limits, sets: Sequence[Sequence[Scored]], slope: float, typical: float, *, lowest: float
    ) -> "_Gate":
        """Return the gate that keeps *limits* on each of *sets*."""
        strict = max(lowest, *(_stopping(mine, limits, slope, typical) for mine in sets))
        return cls(slope=slope, typical=typical, strict=strict)

    def levelled(self, scored: Sequence[Scored], topic: Topic) -> tuple[float, ...]:
        """Return what is compared with the threshold."""
        return _levelled(scored, topic, self.slope, self.typical)


def _stopping(scored: Sequence[Scored], limits: Limits, slope: float, typical: float) -> float:
    shares = ((Topic.NEAR, limits.near), (Topic.OFF, limits.off))
    levelled = ((_levelled(scored, topic, slope, typical), share) for topic, share in shares)
    return max(
        (lowest_stopping(cosines, share) for cosines, share in levelled if len(cosines) * share >= 1),
        default=-1.0,
    )


def lowest_stopping(cosines: Sequence[float], share: float) -> float:
    """Return the lowest threshold, to four decimals, that at most *share* of *cosines* reach; -1 for none at all."""
    falling = sorted(cosines, reverse=True)
    allowed = int(share * len(falling))
    if allowed >= len(falling):
        return -1.0
    return _up(falling[allowed])


def keeping(cosines: Sequence[float], share: float) -> float:
    """Return the highest threshold, to four decimals, that at least *share* of *cosines* reach."""
    falling = sorted(cosines, reverse=True)
    needed = max(1, math.ceil(share * len(falling)))
    return _down(falling[needed - 1])


def auroc(scored: Sequence[Scored], calibration: Calibration) -> float:
    """Return how well the gate's score tells answerable from unanswerable questions."""
    return _separation(scored, calibration.support_slope, calibration.typical_support)


def passed(scored: Sequence[Scored], topic: Topic, calibration: Calibration) -> float:
    """Return the share of a topic's questions that pass the strict threshold."""
    levelled = _levelled(scored, topic, calibration.support_slope, calibration.typical_support)
    return passing(levelled, calibration.strict)


def _separation(scored: Sequence[Scored], slope: float, typical: float) -> float:
    unanswerable = [c for topic in UNANSWERABLE for c in _levelled(scored, topic, slope, typical)]
    return metrics.auroc(_levelled(scored, Topic.ANSWERABLE, slope, typical), unanswerable)


def _levelled(scored: Sequence[Scored], topic: Topic, slope: float, typical: float) -> tuple[float, ...]:
    return tuple(s.at_typical_support(slope, typical) for s in scored if s.topic is topic)


def _up(cosine: float) -> float:
    """Return the lowest four-decimal number above *cosine*, so that *cosine* itself is stopped."""
    steps = math.floor(cosine * _STEPS)
    return next(step / _STEPS for step in (steps, steps + 1, steps + 2) if step / _STEPS > cosine)


def _down(cosine: float) -> float:
    """Return the highest four-decimal number that *cosine* reaches."""
    steps = math.floor(cosine * _STEPS)
    return next(step / _STEPS for step in (steps + 1, steps, steps - 1) if step / _STEPS <= cosine)


def _require(count: int, kind: str) -> None:
    if count < LEAST_QUESTIONS:
        raise Refused(
            f"the conversations hold {count} {kind} questions; calibrate on at least {LEAST_QUESTIONS} of each kind"
        )

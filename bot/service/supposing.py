"""What another gate threshold would have done to the turns that were recorded lately."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.gate import threshold_for
from bot.core.knowledge import Calibration
from bot.core.policy import TurnPolicy
from bot.core.ranking import DAY_MS
from bot.core.traffic import QuestionTurn
from bot.core.what_if import Change, CurvePoint, WhatIf, curve, thresholds_between
from bot.errors import InputRejected
from bot.ports import Clock, PassageIndex
from bot.traffic_ports import TrafficReads

MOST_TURNS = 20_000  # of a span, the newest
MOST_ROWS = 200  # of each kind, the surest; more are counted only
LONGEST_DAYS = 366
UNCALIBRATED = "there is no calibration of this embedder and these settings; run `python -m bot calibrate`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposition:
    """Recorded turns under another threshold, raw cosine.

    `current` is the one in use for a typical question: a question's own lies around it (see `gate.threshold_for`). `lowest` and `highest`
    are what calibration saw. `n` turns came to the gate and are comparable; `others` are of another embedder and left out, and
    `unread` says that the span had more turns than are read. `passes` and `handed_over` are counts; their turns are the surest ones.
    """

    threshold: float | None = None
    current: float | None = None
    lowest: float | None = None
    highest: float | None = None
    n: int = 0
    others: int = 0
    unread: bool = False
    stopped: int = 0
    answered: int = 0
    passes: int = 0
    handed_over: int = 0
    passing_turns: tuple[QuestionTurn, ...] = ()
    handed_over_turns: tuple[QuestionTurn, ...] = ()
    curve: tuple[CurvePoint, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposing:
    """Compares recorded scores with another threshold; *can_abstain* is the answerer's."""

    traffic: TrafficReads
    index: PassageIndex
    policy: TurnPolicy
    clock: Clock
    can_abstain: bool

    async def what_if(self, threshold: float | None, *, days: int) -> Supposition:
        """Return what *threshold*, or the current one, does to the turns of the last *days*; InputRejected, RetrievalUnavailable, StoreUnavailable."""
        if not 1 <= days <= LONGEST_DAYS:
            raise InputRejected("days", f"{days} is no span", f"name 1 to {LONGEST_DAYS}")
        calibration = (await self.index.status()).calibration
        current = threshold_for(calibration, self.policy, can_abstain=self.can_abstain)
        if calibration is None or current is None:
            return Supposition(problem=UNCALIBRATED)
        now_ms = self.clock.now_ms()
        turns = await self.traffic.question_turns(
            since_ms=now_ms - days * DAY_MS, until_ms=now_ms, limit=MOST_TURNS
        )
        chosen = current if threshold is None else _within(threshold, calibration)
        return _supposition(turns, chosen, current, calibration)


def _within(threshold: float, calibration: Calibration) -> float:
    if not calibration.lowest <= threshold <= calibration.highest:
        span = f"{calibration.lowest:.2f} to {calibration.highest:.2f}"
        raise InputRejected("threshold", "could never fire, or always", f"name one from {span}")
    return threshold


def _supposition(
    turns: Sequence[QuestionTurn], threshold: float, current: float, calibration: Calibration
) -> Supposition:
    searched = [turn for turn in turns if turn.searched]
    comparable = tuple(turn for turn in searched if turn.fingerprint == calibration.fingerprint)
    supposed = WhatIf(threshold=threshold, turns=comparable)
    passing, handed_over = supposed.of(Change.PASSES), supposed.of(Change.IS_HANDED_OVER)
    return Supposition(
        threshold=threshold,
        current=current,
        lowest=calibration.lowest,
        highest=calibration.highest,
        n=len(comparable),
        others=len(searched) - len(comparable),
        unread=len(turns) >= MOST_TURNS,
        stopped=supposed.stopped,
        answered=supposed.answered,
        passes=len(passing),
        handed_over=len(handed_over),
        passing_turns=passing[:MOST_ROWS],
        handed_over_turns=handed_over[:MOST_ROWS],
        curve=curve(comparable, thresholds_between(calibration.lowest, calibration.highest)),
    )

"""Collects what happens in a turn while it happens, so that a failure half way leaves a true record."""

import asyncio
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import structlog

from bot.core.conversation import TurnId
from bot.core.failures import is_outage, reason_for
from bot.core.knowledge import RankedPassage, SearchQuery
from bot.core.outcome import Handoff, Outcome
from bot.core.prompt import Usage
from bot.core.records import RecordsSeen
from bot.core.truth import DEFECT, TURN_BUDGET
from bot.core.turn import IndexSeen, RetrievalQuery, Stage, StageRecord, StageStatus, Turn, TurnStart
from bot.ports import Clock

log = structlog.get_logger()

NOT_KEPT = TurnId("")  # of a search outside a turn
Passing = tuple[type[Exception], ...]


class StageBroken(Exception):
    """A stage failed; carries the handoff that follows from it."""

    def __init__(self, handoff: Handoff) -> None:
        super().__init__(handoff.detail)
        self.handoff = handoff


@dataclass(slots=True, kw_only=True)
class Note:
    """What a stage has to say for itself; `stopped` when it worked and ended the turn."""

    finding: str | None = None
    stopped: bool = False
    _limit: asyncio.Timeout

    def stop(self, finding: str) -> None:
        """Say that the stage worked and that the turn ends here."""
        self.finding = finding
        self.stopped = True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Wait inside for something that the stage is not about: its own time stands still, the turn's does not."""
        loop, ends_at_s = asyncio.get_running_loop(), self._limit.when()
        if ends_at_s is None:
            yield
            return
        began_s = loop.time()
        self._limit.reschedule(None)
        try:
            yield
        finally:
            self._limit.reschedule(ends_at_s + loop.time() - began_s)


@dataclass(slots=True, kw_only=True)
class Trace:
    """The growing record of one turn; `ends_at_s` is when its budget is spent, by the clock's monotonic time.

    `counted_before` is what the turn's model calls before the one that runs were counted with, whatever became of them.
    """

    clock: Clock
    started_ms: int
    turn: TurnId = NOT_KEPT
    ends_at_s: float = math.inf
    stages: list[StageRecord] = field(default_factory=list)
    query: RetrievalQuery | None = None
    search: SearchQuery | None = None
    ranked: tuple[RankedPassage, ...] = ()
    index: IndexSeen | None = None
    best_cosine: float | None = None
    threshold: float | None = None
    support: float | None = None
    prompt_digest: str | None = None
    model: str | None = None
    usage: Usage | None = None
    records: RecordsSeen | None = None
    counted_before: Usage | None = None
    _running: tuple[Stage, float] | None = None

    @asynccontextmanager
    async def stage(
        self, name: Stage, *, within_s: float | None = None, passing: Passing = ()
    ) -> AsyncIterator[Note]:
        """Record a stage; a failure inside becomes StageBroken with its reason, unless it is one of *passing*."""
        limit = asyncio.timeout(within_s)
        note = Note(_limit=limit)
        self._running = (name, self.clock.monotonic_s())
        try:
            async with limit:
                yield note
        except passing:
            raise
        except Exception as failure:  # the design: whatever a step raises ends in a reason
            self._broke(name, failure)
            raise StageBroken(
                Handoff(reason=reason_for(name, failure), detail=_described(failure))
            ) from failure
        self._close(StageStatus.STOPPED if note.stopped else StageStatus.OK, finding=note.finding)

    def count_on(self) -> None:
        """Keep what the turn was counted with so far: another call of a model follows, and is counted beside it."""
        self.counted_before = self.usage

    def counted(self, usage: Usage | None) -> Usage | None:
        """Return what one call is counted with together with those before it."""
        if usage is None or self.counted_before is None:
            return usage or self.counted_before
        return self.counted_before + usage

    def out_of_time(self) -> None:
        """Record that the turn's own budget ran out in whatever stage was running."""
        if self._running is None:
            self._running = (Stage.ROUTE, self.clock.monotonic_s())
        self._close(StageStatus.TIMED_OUT, error="TimeoutError", finding=TURN_BUDGET)

    def settled(self, start: TurnStart, outcome: Outcome) -> Turn:
        """Return the finished record."""
        return Turn(
            id=self.turn,
            fence=start.fence,
            outcome=outcome,
            covers=tuple(m.seq for m in start.unanswered),
            started_ms=self.started_ms,
            settled_ms=self.clock.now_ms(),
            stages=tuple(self.stages),
            query=self.query,
            ranked=self.ranked,
            index=self.index,
            best_cosine=self.best_cosine,
            threshold=self.threshold,
            support=self.support,
            prompt_digest=self.prompt_digest,
            model=self.model,
            usage=self.usage,
            records=self.records,
        )

    def _broke(self, name: Stage, failure: Exception) -> None:
        outage = is_outage(failure)
        level = log.warning if outage else log.error
        level("stage_failed", stage=name, error=type(failure).__name__, exc_info=None if outage else failure)
        self._close(
            StageStatus.TIMED_OUT if isinstance(failure, TimeoutError) else StageStatus.FAILED,
            error=type(failure).__name__,
            finding=None if outage else DEFECT,
        )

    def _close(self, status: StageStatus, *, error: str | None = None, finding: str | None = None) -> None:
        if self._running is None:
            return
        name, began = self._running
        ms = round((self.clock.monotonic_s() - began) * 1000, 3)
        self.stages.append(StageRecord(name=name, status=status, ms=ms, error=error, finding=finding))
        self._running = None


def _described(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}" if is_outage(failure) else type(failure).__name__

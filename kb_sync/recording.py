"""The record of one run, kept up to date in the store while the run goes on, and closed whatever comes of it (FAULTS K1)."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from bot.errors import StoreUnavailable, SyncBusy, SyncHeld
from bot.ports import Clock
from bot.sync_ports import KnowledgeWriter, RunRecord
from kb_sync.plan import SyncPlan
from kb_sync.reading import SourceState
from kb_sync.report import RunOutcome

_LOOKED_BACK = 50  # runs; one that died is closed by the next, so it is among the newest
_DIED = "the process ended without saying why; whatever it did not publish was not seen by anybody"


def outcome_of(exc: BaseException) -> RunOutcome:
    """Return how a run ended that ended with *exc*."""
    match exc:
        case SyncBusy():
            return RunOutcome.BUSY
        case SyncHeld():
            return RunOutcome.HELD
        case asyncio.CancelledError() | KeyboardInterrupt():
            return RunOutcome.STOPPED
        case _:
            return RunOutcome.FAILED


class RunLog:
    """Writes one run's record. `record` is what was written last."""

    def __init__(
        self, writer: KnowledgeWriter, clock: Clock, *, source: str, interval_s: int | None = None
    ) -> None:
        self._writer = writer
        self._clock = clock
        self.record = RunRecord(
            id=clock.new_id(), source=source, started_ms=clock.now_ms(), interval_s=interval_s
        )
        self._at_stake = 0

    def begin(self) -> None:
        """Say that the run goes on. Called with the lock held, so every other run that says so is dead."""
        for other in self._writer.runs(limit=_LOOKED_BACK):
            if other.outcome == RunOutcome.RUNNING:
                self._writer.record_run(_closed(other, RunOutcome.FAILED, self._clock.now_ms(), _DIED))
        self.keep(self.record)

    def keep(self, record: RunRecord) -> None:
        """Write how far the run is."""
        self.record = record
        self._writer.record_run(record)

    def plan(self, planned: SyncPlan, state: SourceState, *, live: str) -> None:
        """Write what will be done to the *live* generation; what is not done in the end counts as failed."""
        self._at_stake = planned.changes
        self.keep(
            replace(
                self.record,
                seen=state.seen,
                added=len(planned.added),
                changed=len(planned.changed),
                unchanged=len(planned.unchanged),
                retired=len(planned.retirements),
                withheld=len(planned.withheld),
                skipped=len(state.skipped),
                generation=live,
                source_digest=state.digest,
            )
        )

    def embedded(self, passages: int, tokens: int) -> None:
        """Write what the run has cost so far."""
        self.keep(replace(self.record, embedded_passages=passages, embedded_tokens=tokens))

    def closed(self, outcome: RunOutcome, *, error: str = "") -> RunRecord:
        """Return the record of the run as it ends now, for whoever writes it."""
        return _closed(self.record, outcome, self._clock.now_ms(), error)

    def end(self, outcome: RunOutcome, *, error: str = "") -> None:
        """Write how the run ended."""
        self.keep(self.closed(outcome, error=error))

    def fail(self, exc: BaseException) -> None:
        """Write that the run ended with *exc*, which stays the error to report when this cannot be written."""
        outcome = outcome_of(exc)
        error = "it was stopped" if outcome is RunOutcome.STOPPED else str(exc) or type(exc).__name__
        record = replace(self.closed(outcome, error=error), failed=self._at_stake)
        with suppress(StoreUnavailable):
            self.keep(record)


def _closed(record: RunRecord, outcome: RunOutcome, ended_ms: int, error: str) -> RunRecord:
    return replace(record, outcome=outcome.value, ended_ms=ended_ms, exit_code=outcome.exit_code, error=error)

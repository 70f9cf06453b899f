"""Runs of the sync job as people see them: once with a bar and a table, as JSON, or again and again as a worker."""

import asyncio
import random
import signal
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console

from bot.errors import CandorError
from kb_sync.change import Allowed
from kb_sync.display import ProgressBar, show_lines, show_report
from kb_sync.job import KnowledgeSync
from kb_sync.pings import Pings
from kb_sync.progress import NoProgress
from kb_sync.recording import outcome_of
from kb_sync.report import RunOutcome, SyncReport, to_json, withheld_sentence
from kb_sync.rollback import RolledBack, lines
from kb_sync.rollback import to_json as rollback_to_json
from kb_sync.sources.source import Source
from kb_sync.telling import print_json, tell_failure
from kb_sync.worker import repeat, until_stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a person asked for; `interval_s` is None for a single run."""

    source: Source
    allowed: Allowed
    is_dry_run: bool = False
    as_json: bool = False
    interval_s: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs a job, tells people and the dead-man's switch, and ends cleanly when it is told to."""

    job: KnowledgeSync
    request: Request
    pings: Pings
    chance: Callable[[], float] = random.random

    async def run(self) -> int:
        """Do what is asked for and return the exit code."""
        stop = _stop_on_signals()
        if self.request.interval_s is not None:
            await repeat(self._once, interval_s=self.request.interval_s, stop=stop, chance=self.chance)
            return 0
        code = await until_stopped(self._once, stop)
        return _told_stop(as_json=self.request.as_json) if code is None else code

    async def _once(self) -> int:
        """Run once and return the exit code; an error that nobody expected is raised."""
        if self.request.is_dry_run:
            return await self._previewed()
        await self.pings.began()
        try:
            report = await self._synced()
        except CandorError as exc:
            await self.pings.failed(str(exc))
            return tell_failure(str(exc), outcome=outcome_of(exc), as_json=self.request.as_json)
        except Exception as exc:
            await self.pings.failed(f"an error that was not expected: {type(exc).__name__}")
            raise
        self._show(report)
        if report.outcome is RunOutcome.DONE:
            await self.pings.succeeded()
        else:
            await self.pings.failed(withheld_sentence(report))
        return report.outcome.exit_code

    async def _previewed(self) -> int:
        report = await self.job.preview(self.request.source, self.request.allowed)
        self._show(report)
        return report.outcome.exit_code

    async def _synced(self) -> SyncReport:
        source, allowed = self.request.source, self.request.allowed
        if self.request.as_json:
            return await self.job.run(source, allowed, progress=NoProgress())
        with ProgressBar(Console(stderr=True)) as bar:
            return await self.job.run(source, allowed, progress=bar)

    def _show(self, report: SyncReport) -> None:
        if self.request.as_json:
            print_json(to_json(report))
        else:
            show_report(report, Console())


def show_rollback(done: RolledBack, *, as_json: bool) -> int:
    """Say what is live now and return the exit code."""
    if as_json:
        print_json(rollback_to_json(done))
    else:
        show_lines(lines(done), Console())
    return RunOutcome.ROLLED_BACK.exit_code


def _told_stop(*, as_json: bool) -> int:
    return tell_failure(
        "stopped; nothing was changed, and what was embedded is kept for the next run",
        as_json=as_json,
        outcome=RunOutcome.STOPPED,
    )


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop

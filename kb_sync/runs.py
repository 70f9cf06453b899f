"""Runs of the sync job as people see them: once with a bar and a table, as JSON, or again and again as a worker."""

import asyncio
import json
import signal
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console

from bot.errors import CandorError
from kb_sync.display import ProgressBar, show_report
from kb_sync.job import KnowledgeSync, NoProgress
from kb_sync.report import SyncReport, to_json
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.worker import repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a person asked for; `interval_s` is None for a single run."""

    source: Path
    approved: int = 0
    is_dry_run: bool = False
    as_json: bool = False
    interval_s: int | None = None


async def run(job: KnowledgeSync, request: Request) -> int:
    """Do what *request* asks for and return the exit code; CandorError when a single run fails."""
    if request.interval_s is None:
        return await _once(job, request)
    await repeat(lambda: _unattended(job, request), interval_s=request.interval_s, stop=_stop_on_signals())
    return 0


def tell_failure(message: str, *, as_json: bool) -> int:
    """Say what went wrong, further problems indented below the first, and return the exit code."""
    if as_json:
        typer.echo(json.dumps({"outcome": "failed", "error": message}, ensure_ascii=False))
    typer.echo("kb_sync: " + message.replace("\n", "\n  "), err=True)
    return 1


async def _once(job: KnowledgeSync, request: Request) -> int:
    report = await _synced(job, request)
    if request.as_json:
        typer.echo(json.dumps(to_json(report), ensure_ascii=False))
    else:
        show_report(report, Console())
    return 1 if report.withheld else 0


async def _synced(job: KnowledgeSync, request: Request) -> SyncReport:
    source = MarkdownFolder(request.source)
    if request.is_dry_run:
        return await job.preview(source, approved=request.approved)
    if request.as_json:
        return await job.run(source, approved=request.approved, progress=NoProgress())
    with ProgressBar(Console(stderr=True)) as bar:
        return await job.run(source, approved=request.approved, progress=bar)


async def _unattended(job: KnowledgeSync, request: Request) -> None:
    """Sync once; a failure is told and recorded, and the next run is the remedy."""
    try:
        await _once(job, request)
    except CandorError as exc:
        tell_failure(str(exc), as_json=request.as_json)


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop

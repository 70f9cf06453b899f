"""`python -m kb_sync SOURCE`: brings the knowledge base to what the source holds. Exit codes: 0 done, 1 refused or failed, 2 usage."""

import asyncio
import os
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.adapters.system_clock import SystemClock
from bot.errors import CandorError
from bot.knowledge_wiring import database_file, opened_knowledge
from bot.settings import Settings, read_settings
from kb_sync.job import KnowledgeSync
from kb_sync.runs import Request, run, tell_failure
from kb_sync.worker import seconds_of

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def sync(
    *,
    source: Annotated[
        Path | None,
        typer.Argument(metavar="SOURCE", help="A folder of Markdown files; default: KB_SOURCE."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would change; write nothing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
    approve_retirements: Annotated[
        int, typer.Option(min=0, help="Let up to this many vanished articles be retired.")
    ] = 0,
    every: Annotated[str | None, typer.Option(help="Sync again and again, such as every 15m.")] = None,
) -> None:
    """Bring the knowledge base to what SOURCE holds; only text that changed is embedded."""
    interval_s = _interval_s(every, dry_run=dry_run)
    settings: Settings | None = None
    try:
        settings = read_settings(os.environ)
        request = Request(
            source=_source(source, settings),
            approved=approve_retirements,
            is_dry_run=dry_run,
            as_json=as_json,
            interval_s=interval_s,
        )
        with _place(settings, is_dry_run=dry_run) as place:
            code = asyncio.run(_work(request, place))
    except typer.BadParameter:
        raise
    except CandorError as exc:
        code = tell_failure(str(exc), as_json=as_json)
    except Exception as exc:  # noqa: BLE001 - the edge of the program: a person gets a sentence, the log the trace
        code = tell_failure(_logged(exc, settings), as_json=as_json)
    raise typer.Exit(code)


def _interval_s(every: str | None, *, dry_run: bool) -> int | None:
    if every is None:
        return None
    interval_s = seconds_of(every)
    if interval_s is None:
        raise typer.BadParameter("use a duration such as 90s, 15m or 6h", param_hint="--every")
    if dry_run:
        raise typer.BadParameter("cannot be combined with --dry-run", param_hint="--every")
    return interval_s


def _source(given: Path | None, settings: Settings) -> Path:
    source = given if given is not None or settings.kb_source is None else Path(settings.kb_source)
    if source is None:
        raise typer.BadParameter("name a folder of articles, or set KB_SOURCE", param_hint="SOURCE")
    return source


@contextmanager
def _place(settings: Settings, *, is_dry_run: bool) -> Iterator[Settings]:
    """Give a dry run without a database a place of its own, so that it leaves none behind."""
    if not is_dry_run or database_file(settings).exists():
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="candor-dry-run-") as folder:
        yield settings.model_copy(update={"data_dir": Path(folder)})


async def _work(request: Request, settings: Settings) -> int:
    async with opened_knowledge(settings) as knowledge:
        job = KnowledgeSync(
            embedder=knowledge.embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        if not request.is_dry_run:
            await job.ship_calibration(knowledge.shipped)
        return await run(job, request)


def _logged(exc: Exception, settings: Settings | None) -> str:
    """Write the trace to a log file and return a sentence that says where it is."""
    file = (settings.data_dir if settings else Path.cwd()) / "kb_sync.log"
    at = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).isoformat(timespec="seconds")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as log:
            log.write("".join([f"{at} kb_sync failed\n", *traceback.format_exception(exc)]))
    except OSError:
        return f"failed for a reason it did not expect, {exc!r}"
    return f"failed for a reason it did not expect, {type(exc).__name__}; the details are in {file}"


if __name__ == "__main__":
    app()

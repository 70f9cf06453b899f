"""What a person or a program is told: sentences beside the output, one JSON object in it, and traces in a log file."""

import json
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import typer

from bot.adapters.system_clock import SystemClock
from bot.settings import Settings
from kb_sync.report import Json, RunOutcome, failure_to_json


def tell_failure(message: str, *, as_json: bool, outcome: RunOutcome = RunOutcome.FAILED) -> int:
    """Say what went wrong, further problems indented below the first, and return the exit code."""
    if as_json:
        print_json(failure_to_json(outcome, message))
    tell(message)
    return outcome.exit_code


def tell(message: str) -> None:
    """Say something beside the output."""
    typer.echo("kb_sync: " + message.replace("\n", "\n  "), err=True)


def print_json(document: Mapping[str, Json]) -> None:
    """Print one object on one line."""
    typer.echo(json.dumps(document, ensure_ascii=False))


def logged(exc: Exception, settings: Settings | None) -> str:
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

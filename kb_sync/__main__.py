"""`python -m kb_sync SOURCE`: brings the knowledge base to what the source holds. Exit codes: 0 done, 1 refused or failed, 2 usage."""

import asyncio
import os
from collections.abc import Callable
from typing import Annotated

import typer

from bot.errors import CandorError
from bot.setting_values import seconds_of
from bot.settings import Settings, read_settings
from kb_sync.change import Allowed
from kb_sync.recording import outcome_of
from kb_sync.starting import Options, roll_back_now, sync_now
from kb_sync.telling import logged, tell_failure

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


Source = Annotated[
    str | None,
    typer.Argument(
        metavar="SOURCE",
        help="A folder of Markdown files, an export (.jsonl, .json, .csv), a site or its sitemap (https://…), "
        "or zendesk:https://…; default: KB_SOURCE.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change; write nothing.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Retirements = Annotated[
    int,
    typer.Option(
        "--approve-retirements",
        metavar="N",
        min=0,
        show_default=False,
        help="Let up to N vanished articles be retired.",
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        metavar="TOKENS",
        min=1,
        help="Embed at most so many tokens; the next run goes on. Default: KB_BUDGET_TOKENS.",
    ),
]
Every = Annotated[
    str | None, typer.Option(metavar="DURATION", help="Sync again and again, such as every 15m.")
]
Rollback = Annotated[
    bool, typer.Option("--rollback", help="Go back at once to what was searched before the last change.")
]
Forward = Annotated[
    bool, typer.Option("--forward", help="Put a state of the source to use that was rolled back.")
]
AcceptWorse = Annotated[
    bool,
    typer.Option("--accept-worse", help="Put another model to use though the recorded questions find less."),
]


@app.command()
def sync(  # noqa: PLR0913 - each is an option of the command line
    *,
    source: Source = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    approve_retirements: Retirements = 0,
    budget: Budget = None,
    every: Every = None,
    rollback: Rollback = False,
    forward: Forward = False,
    accept_worse: AcceptWorse = False,
) -> None:
    """Bring the knowledge base to what SOURCE holds; only text that changed is embedded."""
    options = Options(
        source=source,
        is_dry_run=dry_run,
        as_json=as_json,
        allowed=Allowed(
            retirements=approve_retirements, tokens=budget, rolled_back=forward, worse=accept_worse
        ),
        interval_s=_interval_s(every),
    )
    _require_sense(options, rollback=rollback)
    raise typer.Exit(_rolled_back(as_json=as_json) if rollback else _run(options))


def _interval_s(every: str | None) -> int | None:
    if every is None:
        return None
    interval_s = seconds_of(every)
    if interval_s is None:
        raise typer.BadParameter("use a duration such as 90s, 15m or 6h", param_hint="--every")
    return interval_s


def _require_sense(options: Options, *, rollback: bool) -> None:
    """Refuse options that mean nothing together."""
    if options.interval_s is not None and options.is_dry_run:
        raise typer.BadParameter("cannot be combined with --dry-run", param_hint="--every")
    if rollback and (options.source or options.is_dry_run or options.interval_s is not None):
        raise typer.BadParameter(
            "reads no source and happens once; give it alone, or with --json", param_hint="--rollback"
        )


def _run(options: Options) -> int:
    def work(settings: Settings) -> int:
        if options.source is None and settings.kb_source is None:
            raise typer.BadParameter("name a folder of articles, or set KB_SOURCE", param_hint="SOURCE")
        return asyncio.run(sync_now(options, settings))

    return _told(work, as_json=options.as_json)


def _rolled_back(*, as_json: bool) -> int:
    return _told(lambda settings: asyncio.run(roll_back_now(settings, as_json=as_json)), as_json=as_json)


def _told(work: Callable[[Settings], int], *, as_json: bool) -> int:
    """Return the exit code of *work*; whatever goes wrong is one sentence, and an unexpected error's trace is in the log."""
    settings: Settings | None = None
    try:
        settings = read_settings(os.environ)
        return work(settings)
    except typer.BadParameter:
        raise
    except CandorError as exc:
        return tell_failure(str(exc), outcome=outcome_of(exc), as_json=as_json)
    except Exception as exc:  # noqa: BLE001 - the edge of the program: a person gets a sentence, the log the trace
        return tell_failure(logged(exc, settings), as_json=as_json)


if __name__ == "__main__":
    app()

"""The command line, `python -m bot …`. Exit codes: 0 done, 1 refused or failed, 2 usage. Reads the environment, alone."""

import asyncio
import io
import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import structlog
import typer
from rich.console import Console

from bot.errors import CandorError
from bot.logs import configure_logs
from bot.settings import Settings, read_settings
from bot.terminal.command_groups import add_groups
from bot.terminal.json_output import AsJson, print_json

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Candor: answers customers from articles, hands over to people, and never lies about why.",
)
log = structlog.get_logger()

Result = TypeVar("Result")


@contextmanager
def _settings(*, log_level: str | None = None) -> Iterator[Settings]:
    """Give a command its settings; whatever it raises, printing included, becomes one sentence and exit code 1."""
    try:
        _print_whatever_comes()
        settings = read_settings(os.environ)
        configure_logs(log_level or settings.log_level, secrets=settings.secrets())
        yield settings
        return
    except (typer.Exit, BrokenPipeError):
        raise
    except CandorError as refused:
        _say(str(refused))
    except KeyboardInterrupt:
        _say("stopped")
    except Exception:  # the edge of the program: a person gets a sentence, the log gets the trace
        log.exception("command_failed")
        _say("this is a defect of Candor; the log above says where")
    raise typer.Exit(1)


def _print_whatever_comes() -> None:
    """Arguments that are no UTF-8, and terminals that know only some letters, must not end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(sentence: str) -> None:
    typer.echo(f"candor: {sentence}", err=True)


def _wait(work: Coroutine[object, object, Result]) -> Result:
    return asyncio.run(work)


@app.command()
def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on; default: HOST.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Port; default: PORT.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say whether the address can be had; start nothing.")
    ] = False,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="With Claude, ask the sample's records where RECORDS_URL is not set."),
    ] = False,
) -> None:
    """Run the service until it is stopped."""
    from bot.terminal import serving  # noqa: PLC0415 - each command imports only what it needs
    from bot.terminal.choosing import with_sample_records  # noqa: PLC0415

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    with _settings() as settings:
        asked = with_sample_records(settings) if demo else settings
        chosen = asked.model_copy(update=given)
        _wait(serving.try_address(chosen) if dry_run else serving.serve(chosen, Console()))


@app.command()
def ask(
    *,
    text: Annotated[str, typer.Argument(help="What the customer writes.")],
    history: Annotated[
        Path | None, typer.Option(help="Earlier messages, JSONL, oldest first.", exists=True, dir_okay=False)
    ] = None,
    locale: Annotated[str, typer.Option(help="The customer's language.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Settle one turn on the synced articles and print it; nothing is kept."""
    from bot.terminal import asking  # noqa: PLC0415

    with _settings(log_level="error") as settings:
        turn, spoken = _wait(asking.ask(settings, text, history=history, locale=locale))
        if as_json:
            print_json(asking.to_json(turn, spoken, locale=locale))
        else:
            asking.show(turn, spoken, Console(), locale=locale)


@app.command()
def inspect(
    *, texts: Annotated[list[str], typer.Argument(help="One or more texts.")], as_json: AsJson = False
) -> None:
    """Show what each text retrieves: rank, article, raw cosine, threshold, and whether the gate lets it through."""
    from bot.terminal import inspecting  # noqa: PLC0415

    with _settings(log_level="error") as settings:
        found = _wait(inspecting.inspect(settings, texts))
        if as_json:
            print_json(inspecting.to_json(found))
        else:
            inspecting.show(found, Console())
        if any(one.problem for one in found):
            raise typer.Exit(1)


@app.command()
def check(*, as_json: AsJson = False) -> None:
    """Say whether each part is usable; exit code 1 when one is not."""
    from bot.terminal import checking  # noqa: PLC0415

    with _settings() as settings:
        checked = _wait(checking.check(settings))
        if as_json:
            print_json(checking.to_json(checked))
        else:
            checking.show(checked, Console())
        if not all(one.ok for one in checked):
            raise typer.Exit(1)


@app.command()
def migrate(
    *,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Then move everything from this data file into MongoDB, and compare it. Stop the service first.",
            metavar="sqlite:PATH",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring the data file to this version's schema, or make MongoDB's indexes; doing it again changes nothing."""
    from bot.terminal import migrating  # noqa: PLC0415

    with _settings() as settings:
        if source is not None:
            _carry(settings, migrating.source_of(source), as_json=as_json)
            return
        done = _wait(migrating.migrate(settings))
        if as_json:
            print_json(done)
        else:
            typer.echo(migrating.said(done))


def _carry(settings: Settings, source: Path, *, as_json: bool) -> None:
    from bot.terminal import carried, carrying  # noqa: PLC0415

    done = _wait(carrying.carry(settings, source, Console(stderr=as_json)))
    if as_json:
        print_json(carried.to_json(done))
    else:
        carried.show(done, Console())
    if done.differing:
        raise typer.Exit(1)


add_groups(app, opened_settings=partial(_settings, log_level="error"))


if __name__ == "__main__":
    # Before anything imports NumPy: at every search its own threads would take the processor from the embedder's.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app()

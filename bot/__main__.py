"""The command line, `python -m bot …`. Exit codes: 0 done, 1 refused or failed, 2 usage. Reads the environment, alone."""

import asyncio
import io
import json
import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import structlog
import typer
from rich.console import Console
from typer.models import OptionInfo

from bot.core.faithfulness import JudgeName
from bot.errors import CandorError
from bot.evaluation.strategies import Strategy
from bot.logs import configure_logs
from bot.settings import Settings, read_settings

if TYPE_CHECKING:
    from bot.terminal.labelled import LabelledSet

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Candor: answers customers from articles, hands over to people, and never lies about why.",
)
log = structlog.get_logger()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text for people.")]
Conversations = Annotated[
    list[Path],
    typer.Option(help="Golden conversations, JSONL; may be repeated.", exists=True, dir_okay=False),
]
Corpora = Annotated[
    list[Path] | None,
    typer.Option(help="The articles, JSONL, of the conversations in the same place; - is the synced ones."),
]
Html = Annotated[
    Path | None, typer.Option(help="Write a page with charts here.", dir_okay=False, writable=True)
]
Result = TypeVar("Result")
_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"]


@contextmanager
def _settings(*, log_level: str | None = None) -> Iterator[Settings]:
    """Give a command its settings; whatever it raises, printing included, becomes one sentence and exit code 1."""
    try:
        _print_whatever_comes()
        settings = read_settings(os.environ)
        configure_logs(log_level or settings.log_level)
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


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


@app.command()
def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on; default: HOST.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Port; default: PORT.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say whether the address can be had; start nothing.")
    ] = False,
) -> None:
    """Run the service until it is stopped."""
    from bot.terminal import serving  # noqa: PLC0415 - each command imports only what it needs

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    with _settings() as settings:
        chosen = settings.model_copy(update=given)
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
            _print_json(asking.to_json(turn, spoken, locale=locale))
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
            _print_json(inspecting.to_json(found))
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
            _print_json(checking.to_json(checked))
        else:
            checking.show(checked, Console())
        if not all(one.ok for one in checked):
            raise typer.Exit(1)


@app.command()
def migrate(*, as_json: AsJson = False) -> None:
    """Bring the data file to this version's schema; doing it again changes nothing."""
    from bot.terminal import checking  # noqa: PLC0415

    with _settings() as settings:
        done = checking.migrate(settings)
        if as_json:
            _print_json(done)
        else:
            typer.echo(f"{done['file']}: schema version {done['before']} → {done['after']}")


@app.command()
def evaluate(  # noqa: PLR0913 - each is an option of its own
    *,
    conversations: Conversations,
    kb: Corpora = None,
    strategy: Annotated[
        list[Strategy] | None,
        typer.Option(help="A way to make the search; may be repeated. All unless given; blended always."),
    ] = None,
    as_json: AsJson = False,
    html: Html = None,
    judge: Annotated[
        JudgeName | None,
        typer.Option(help="Let this model answer, and judge each sentence against what it cites."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Group the measures by this field of the rows too; may be repeated. By tag always."
        ),
    ] = None,
) -> None:
    """Measure retrieval, the gate and whole turns on labelled conversations."""
    from bot.terminal import evaluating, evaluation_report  # noqa: PLC0415

    sets = _labelled_sets(conversations, kb)
    with _settings(log_level="error") as settings:
        chosen, progress = strategy or tuple(Strategy), Console(stderr=True)
        report = _wait(evaluating.evaluate(settings, sets, chosen, progress, judge=judge, by=by or ()))
        if html is not None:
            evaluation_report.write_html(report, html)
        if as_json:
            _print_json(evaluation_report.to_json(report))
        else:
            evaluation_report.show(report, Console())


@app.command()
def calibrate(  # noqa: PLR0913 - each is an option of its own
    *,
    conversations: Conversations,
    kb: Corpora = None,
    near: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of near-topic questions let through.", show_default="0.15"),
    ] = None,
    off: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of off-topic questions let through.", show_default="0.02"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure, and store nothing.")] = False,
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Measure the gate's threshold on labelled questions, and store it for the embedder in use. On a terminal, ask what may pass."""
    from bot.evaluation.calibration import Limits  # noqa: PLC0415
    from bot.terminal import calibrating, calibration_report, wanted_share  # noqa: PLC0415

    sets = _labelled_sets(conversations, kb)
    given = {name: share for name, share in (("near", near), ("off", off)) if share is not None}
    asks = not given and not as_json and _is_at_terminal()
    with _settings(log_level="error") as settings:
        found = _wait(calibrating.measure(settings, sets, Console(stderr=True)))
        report = wanted_share.asked(found, Console()) if asks else calibrating.settled(found, Limits(**given))
        if html is not None:
            calibration_report.write_html(report, html)
        if not dry_run:
            _wait(calibrating.store(settings, report.calibration))
        if as_json:
            _print_json(calibration_report.to_json(report))
        else:
            calibration_report.show(report, Console(), others=not asks)


def _is_at_terminal() -> bool:
    """Say whether somebody is there to be asked; a stream that was closed is None."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _labelled_sets(conversations: list[Path], kb: list[Path] | None) -> "tuple[LabelledSet, ...]":
    from bot.terminal.labelled import labelled_sets  # noqa: PLC0415

    corpora = kb or [Path("-")] * len(conversations)
    if len(corpora) != len(conversations):
        raise typer.BadParameter("give one --kb for each --conversations, - for the synced articles")
    return labelled_sets(conversations, corpora)


def _file(what: str) -> OptionInfo:
    """Return an option that names a file which is there."""
    option: OptionInfo = typer.Option(help=what, exists=True, dir_okay=False)
    return option


@app.command()
def replay(  # noqa: PLR0913 - each is an option of its own
    *,
    conversations: Annotated[Path, _file("Golden conversations or what `export` wrote, JSONL.")],
    kb: Annotated[Path | None, _file("The articles, JSONL; default: the synced ones.")] = None,
    old: Annotated[Path | None, _file("Configuration before, TOML.")] = None,
    new: Annotated[Path | None, _file("Configuration after, TOML.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=-1, max=1, help="Instead of --old and --new: what this threshold had done."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 when a conversation is worse.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Put unchanged conversations side by side too, and cut nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two configurations conversation by conversation, or a threshold with what was recorded; nothing is kept."""
    if threshold is not None:
        if old or new or kb or strict or verbose:
            raise typer.BadParameter("--threshold takes nothing beside --conversations and --json")
        _suppose(conversations, threshold, as_json=as_json)
        return
    if old is None or new is None:
        raise typer.BadParameter("give --old and --new, or --threshold")
    from bot.terminal import comparing, replaying  # noqa: PLC0415

    asked = replaying.Replay(conversations=conversations, old=old, new=new, corpus=kb)
    with _settings(log_level="error") as settings:
        report = _wait(replaying.replay(settings, asked, Console(stderr=True)))
        if as_json:
            _print_json(comparing.to_json(report))
        else:
            comparing.show(report, Console(), verbose=verbose)
        if strict and report.summary.worse:
            raise typer.Exit(1)


def _suppose(conversations: Path, threshold: float, *, as_json: bool) -> None:
    from bot.evaluation.traffic import read_conversations  # noqa: PLC0415
    from bot.evaluation.what_if import what_if  # noqa: PLC0415
    from bot.terminal import supposing  # noqa: PLC0415

    with _settings(log_level="error"):
        supposed = what_if(read_conversations(conversations), threshold)
        if as_json:
            _print_json(supposing.to_json(supposed))
        else:
            supposing.show(supposed, Console())


@app.command()
def export(
    *,
    since: Annotated[
        datetime | None,
        typer.Option(help="Only turns settled since then; UTC unless it names a zone.", formats=_TIMES),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file, for its owner alone; default: print.")
    ] = None,
) -> None:
    """Write the recorded turns as conversations to replay and to label, JSONL. Agents' notes are left out."""
    from bot.terminal import exporting  # noqa: PLC0415

    with _settings(log_level="error") as settings:
        with nullcontext(sys.stdout.write) if out is None else exporting.opened(out) as write:
            done = _wait(exporting.export(settings, write, since=since))
        typer.echo(f"{done.turns} turns of {done.conversations} conversations", err=True)


if __name__ == "__main__":
    # Before anything imports NumPy: at every search its own threads would take the processor from the embedder's.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    app()

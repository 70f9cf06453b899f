"""The commands that measure: their arguments, and what becomes of the report."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from typer.models import OptionInfo

from bot.core.faithfulness import JudgeName
from bot.evaluation.strategies import Strategy
from bot.settings import Settings
from bot.terminal.json_output import AsJson, print_json
from bot.terminal.texts import is_at_terminal

if TYPE_CHECKING:
    from bot.terminal.labelled import LabelledSet

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
_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"]


def _file(what: str) -> OptionInfo:
    """Return an option that names a file which is there."""
    option: OptionInfo = typer.Option(help=what, exists=True, dir_okay=False)
    return option


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuringCommands:
    """The commands of one program; *opened_settings* gives each its settings, and ends it in a sentence when it fails."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them, in the order in which its help lists them."""
        for command in (self.evaluate, self.calibrate, self.replay):
            app.command()(command)

    def evaluate(  # noqa: PLR0913 - each is an option of its own
        self,
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
        with self.opened_settings() as settings:
            chosen, progress = strategy or tuple(Strategy), Console(stderr=True)
            report = asyncio.run(
                evaluating.evaluate(settings, sets, chosen, progress, judge=judge, by=by or ())
            )
            if html is not None:
                evaluation_report.write_html(report, html)
            if as_json:
                print_json(evaluation_report.to_json(report))
            else:
                evaluation_report.show(report, Console())

    def calibrate(  # noqa: PLR0913 - each is an option of its own
        self,
        *,
        conversations: Conversations,
        kb: Corpora = None,
        near: Annotated[
            float | None,
            typer.Option(
                min=0, max=1, help="Share of near-topic questions let through.", show_default="0.15"
            ),
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
        asks = not given and not as_json and is_at_terminal()
        with self.opened_settings() as settings:
            found = asyncio.run(calibrating.measure(settings, sets, Console(stderr=True)))
            report = (
                wanted_share.asked(found, Console()) if asks else calibrating.settled(found, Limits(**given))
            )
            if html is not None:
                calibration_report.write_html(report, html)
            if not dry_run:
                asyncio.run(calibrating.store(settings, report.calibration))
            if as_json:
                print_json(calibration_report.to_json(report))
            else:
                calibration_report.show(report, Console(), others=not asks)

    def replay(  # noqa: PLR0913 - each is an option of its own
        self,
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
            bool,
            typer.Option("--verbose", help="Put unchanged conversations side by side too, and cut nothing."),
        ] = False,
        as_json: AsJson = False,
    ) -> None:
        """Compare two configurations conversation by conversation, or a threshold with what was recorded; nothing is kept."""
        if threshold is not None:
            if old or new or kb or strict or verbose:
                raise typer.BadParameter("--threshold takes nothing beside --conversations and --json")
            self._suppose(conversations, threshold, as_json=as_json)
            return
        if old is None or new is None:
            raise typer.BadParameter("give --old and --new, or --threshold")
        from bot.terminal import comparing, replaying  # noqa: PLC0415

        asked = replaying.Replay(conversations=conversations, old=old, new=new, corpus=kb)
        with self.opened_settings() as settings:
            report = asyncio.run(replaying.replay(settings, asked, Console(stderr=True)))
            if as_json:
                print_json(comparing.to_json(report))
            else:
                comparing.show(report, Console(), verbose=verbose)
            if strict and report.summary.worse:
                raise typer.Exit(1)

    def _suppose(self, conversations: Path, threshold: float, *, as_json: bool) -> None:
        from bot.evaluation.traffic import read_conversations  # noqa: PLC0415
        from bot.evaluation.what_if import what_if  # noqa: PLC0415
        from bot.terminal import supposing  # noqa: PLC0415

        with self.opened_settings():
            supposed = what_if(read_conversations(conversations), threshold)
            if as_json:
                print_json(supposing.to_json(supposed))
            else:
                supposing.show(supposed, Console())


def _labelled_sets(conversations: list[Path], kb: list[Path] | None) -> "tuple[LabelledSet, ...]":
    from bot.terminal.labelled import labelled_sets  # noqa: PLC0415

    corpora = kb or [Path("-")] * len(conversations)
    if len(corpora) != len(conversations):
        raise typer.BadParameter("give one --kb for each --conversations, - for the synced articles")
    return labelled_sets(conversations, corpora)

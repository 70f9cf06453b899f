"""The commands on what is kept: `export` hands it out, `erase` removes it. Their arguments, and what becomes of the answer."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from bot.errors import Refused
from bot.settings import Settings
from bot.terminal.json_output import AsJson, print_json
from bot.terminal.texts import is_at_terminal

if TYPE_CHECKING:
    from bot.terminal.people import Asked

_TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"]
Person = Annotated[
    str | None,
    typer.Option(
        help="A customer: the subject that your site gives them, or an e-mail address.",
        metavar="SUBJECT_OR_EMAIL",
    ),
]
OneConversation = Annotated[str | None, typer.Option(help="One conversation.", metavar="ID")]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingCommands:
    """The commands of one program; *opened_settings* gives each its settings, and ends it in a sentence when it fails."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them."""
        app.command()(self.export)
        app.command()(self.erase)

    def export(
        self,
        *,
        since: Annotated[
            datetime | None,
            typer.Option(
                help="Only turns settled, or marked, since then; UTC unless it names a zone.", formats=_TIMES
            ),
        ] = None,
        marked: Annotated[
            bool,
            typer.Option(
                "--marked", help="Only what agents marked as wrong or as a gap: candidates to label."
            ),
        ] = False,
        person: Person = None,
        conversation: OneConversation = None,
        out: Annotated[
            Path | None, typer.Option(help="Write to this file, for its owner alone; default: print.")
        ] = None,
    ) -> None:
        """Write the recorded turns as conversations to replay and to label, JSONL. Agents' notes are left out.

        With --person or --conversation instead everything that is kept of them, notes too, as one JSON document.
        """
        from bot.terminal import exporting  # noqa: PLC0415 - each command imports only what it needs

        if person is not None or conversation is not None:
            self._hand_out(_asked(person, conversation), out, alone=since is None and not marked)
            return
        with self.opened_settings() as settings:
            with nullcontext(sys.stdout.write) if out is None else exporting.opened(out) as write:
                done = asyncio.run(exporting.export(settings, write, since=since, marked=marked))
            typer.echo(f"{done.turns} turns of {done.conversations} conversations", err=True)

    def erase(
        self,
        *,
        conversation: OneConversation = None,
        person: Person = None,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Remove conversations and everything that belongs to them, for good; the audit keeps ids and times."""
        from bot.terminal import people  # noqa: PLC0415

        asked = _asked(person, conversation)
        with self.opened_settings() as settings:
            traces = asyncio.run(people.found(settings, asked))
            if traces and not yes:
                _require_terminal(as_json=as_json)
                people.show(traces, Console())
                _require_yes()
            done = asyncio.run(people.erase(settings, asked, traces))
            if as_json:
                print_json(people.to_json(done))
            else:
                people.say(done, Console())

    def _hand_out(self, asked: "Asked", out: Path | None, *, alone: bool) -> None:
        from bot.terminal import exporting, people  # noqa: PLC0415

        if not alone:
            raise typer.BadParameter(
                "--since and --marked choose turns; leave them out with --person and --conversation"
            )
        with self.opened_settings() as settings:
            document = asyncio.run(people.everything(settings, asked))
            with nullcontext(sys.stdout.write) if out is None else exporting.opened(out) as write:
                write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _asked(person: str | None, conversation: str | None) -> "Asked":
    from bot.terminal.people import Asked  # noqa: PLC0415

    if (person is None) == (conversation is None):
        raise typer.BadParameter("name either --conversation or --person")
    return Asked(person=person, conversation=conversation)


def _require_terminal(*, as_json: bool) -> None:
    if as_json or not is_at_terminal():
        raise Refused("nobody is there to be asked; say --yes to erase without a question")


def _require_yes() -> None:
    try:
        wanted = typer.confirm("Erase them? Nothing brings them back")
    except typer.Abort:
        wanted = False
    if not wanted:
        raise Refused("nothing was erased")

"""The command `gaps`: its arguments, and what becomes of the answer."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.settings import Settings
from bot.terminal.json_output import AsJson, print_json

MOST_DAYS = 366  # as the service has it, whose import would slow every command down


@dataclass(frozen=True, slots=True, kw_only=True)
class GapCommands:
    """The command of one program; *opened_settings* gives it its settings, and ends it in a sentence when it fails."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run it."""
        app.command()(self.gaps)

    def gaps(
        self,
        *,
        days: Annotated[int, typer.Option(min=1, max=MOST_DAYS, help="How many days back.")] = 30,
        csv: Annotated[
            Path | None,
            typer.Option(help="Write a table to this file instead, for a spreadsheet.", metavar="FILE"),
        ] = None,
        draft: Annotated[
            str | None,
            typer.Option(
                help="Draft an article on this gap instead, from the agents' answers.", metavar="GAP"
            ),
        ] = None,
        to: Annotated[
            Path | None,
            typer.Option(help="The draft's new file, or a folder; default: print.", metavar="FILE"),
        ] = None,
        as_json: AsJson = False,
    ) -> None:
        """List what customers asked and no article answers, the most frequent first. Nothing is published by this."""
        _require_one(csv=csv, draft=draft, to=to, as_json=as_json)
        if draft is not None:
            self._draft(draft, to, days=days)
        elif csv is not None:
            self._csv(csv, days=days)
        else:
            self._list(days=days, as_json=as_json)

    def _list(self, *, days: int, as_json: bool) -> None:
        from bot.terminal import gaps  # noqa: PLC0415 - each command imports only what it needs

        with self.opened_settings() as settings:
            found = asyncio.run(gaps.report(settings, days=days))
            if as_json:
                print_json(gaps.to_json(found))
            else:
                gaps.show(found, Console(), days=days)

    def _csv(self, file: Path, *, days: int) -> None:
        from bot.terminal import exporting, gaps  # noqa: PLC0415

        with self.opened_settings() as settings, exporting.opened(file) as write:
            write(asyncio.run(gaps.table(settings, days=days)))

    def _draft(self, gap: str, to: Path | None, *, days: int) -> None:
        from bot.terminal import gaps  # noqa: PLC0415

        with self.opened_settings() as settings:
            written = asyncio.run(gaps.draft(settings, gap, days=days))
            if to is None:
                typer.echo(written.text, nl=False)
            else:
                typer.echo(
                    f"{gaps.keep(written, to)}: a draft, which nobody finds until its status is active"
                )


def _require_one(*, csv: Path | None, draft: str | None, to: Path | None, as_json: bool) -> None:
    if to is not None and draft is None:
        raise typer.BadParameter("--to names the file of a draft; name a gap with --draft")
    if sum((csv is not None, draft is not None, as_json)) > 1:
        raise typer.BadParameter("--json, --csv and --draft each print something else; choose one")

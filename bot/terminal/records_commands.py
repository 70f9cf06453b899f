"""The commands of `records`: what the database of records is told once, and whether it is as it must be."""

import asyncio
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated

import typer

from bot.settings import Settings


def _role(given: str) -> str:
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", given):
        raise typer.BadParameter(f"{given!r} is no plain name; use small letters, digits and _")
    return given


Role = Annotated[
    str, typer.Option(help="The role that Candor reads as; it is made.", parser=_role, metavar="NAME")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsCommands:
    """The commands of one program; *opened_settings* gives them its settings, and ends them in a sentence when they fail."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them below `records`."""
        records = typer.Typer(no_args_is_help=True, help="The customers' own records.")
        records.command("ddl")(self.ddl)
        records.command("check")(self.check)
        app.add_typer(records, name="records")

    def ddl(self, *, role: Role = "candor_reader") -> None:
        """Print what PostgreSQL is told once, by the owner of the tables: views of one customer's rows, and a role that reads them."""
        from bot.adapters.records.postgres_ddl import ddl  # noqa: PLC0415 - each command imports only what it needs
        from bot.records_wiring import description_of  # noqa: PLC0415

        with self.opened_settings() as settings:
            typer.echo(ddl(description_of(settings), role), nl=False)

    def check(self) -> None:
        """Say whether the records can be asked, and nothing more be done with them; exit code 1 when not."""
        from bot.records_wiring import check_records  # noqa: PLC0415

        with self.opened_settings() as settings:
            typer.echo(asyncio.run(check_records(settings)))

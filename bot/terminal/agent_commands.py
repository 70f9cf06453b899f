"""The commands of `agents`: their arguments, and what becomes of the answer."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console

from bot.core.accounts import AgentRole
from bot.settings import Settings
from bot.terminal.json_output import AsJson, print_json

if TYPE_CHECKING:
    from bot.terminal.agents import Link


def _origin(given: str) -> str:
    """Take an address as far as the link needs it."""
    parts = urlsplit(given.rstrip("/"))
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
        raise typer.BadParameter(f"{given!r} is not a site's address such as https://support.example")
    return given.rstrip("/")


Email = Annotated[str, typer.Argument(help="The agent's e-mail address, with which it signs in.")]
Url = Annotated[
    str | None,
    typer.Option(
        help="The address agents use, such as https://support.example; default: PUBLIC_URL, else HOST and PORT.",
        parser=_origin,
        metavar="URL",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCommands:
    """The commands of one program; *opened_settings* gives each its settings, and ends it in a sentence when it fails."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them below `agents`."""
        agents = typer.Typer(no_args_is_help=True, help="Who may use the console.")
        agents.command("add")(self.add)
        agents.command("invite")(self.invite)
        agents.command("list")(self.list)
        agents.command("disable")(self.disable)
        agents.command("enable")(self.enable)
        app.add_typer(agents, name="agents")

    def add(
        self,
        *,
        email: Email,
        name: Annotated[str, typer.Option(help="What customers and colleagues see.")],
        role: Annotated[
            AgentRole,
            typer.Option(help="agent answers customers, content works on articles, admin does both."),
        ] = AgentRole.AGENT,
        url: Url = None,
        as_json: AsJson = False,
    ) -> None:
        """Make an account, and print the link with which its owner sets a password."""
        from bot.terminal import agents  # noqa: PLC0415 - each command imports only what it needs

        with self.opened_settings() as settings:
            link = asyncio.run(agents.add(settings, email, name=name, role=role, url=url))
            self._print(link, as_json=as_json)

    def invite(self, *, email: Email, url: Url = None, as_json: AsJson = False) -> None:
        """Print a new link for an agent who lost it or forgot the password; earlier links end."""
        from bot.terminal import agents  # noqa: PLC0415

        with self.opened_settings() as settings:
            self._print(asyncio.run(agents.invite(settings, email, url=url)), as_json=as_json)

    def list(self, *, as_json: AsJson = False) -> None:
        """Show every account."""
        from bot.terminal import agents  # noqa: PLC0415

        with self.opened_settings() as settings:
            found = asyncio.run(agents.listed(settings))
            if as_json:
                print_json(agents.to_json(found))
            else:
                agents.show(found, Console())

    def disable(self, *, email: Email) -> None:
        """Shut an agent out: sessions and links end at once."""
        from bot.terminal import agents  # noqa: PLC0415

        with self.opened_settings() as settings:
            typer.echo(f"{asyncio.run(agents.disable(settings, email)).email} cannot sign in any more.")

    def enable(self, *, email: Email) -> None:
        """Let a disabled agent in again, with the password it had."""
        from bot.terminal import agents  # noqa: PLC0415

        with self.opened_settings() as settings:
            typer.echo(f"{asyncio.run(agents.enable(settings, email)).email} can sign in again.")

    def _print(self, link: "Link", *, as_json: bool) -> None:
        from bot.terminal import agents  # noqa: PLC0415

        if as_json:
            print_json(agents.to_link_json(link))
        else:
            agents.show_link(link, Console())

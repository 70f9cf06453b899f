"""The commands of `slack`: the manifest, which reads no settings because the app comes first, and what was given up of what came in."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console

from bot.settings import Settings
from bot.terminal.json_output import AsJson, print_json

LONGEST_NAME = 35  # characters, in Slack


def _origin(given: str) -> str:
    """Take an address that Slack can reach: it sends to no other than https."""
    parts = urlsplit(given.rstrip("/"))
    if parts.scheme != "https" or not parts.netloc or parts.query or parts.fragment:
        raise typer.BadParameter(f"{given!r} is not an address such as https://support.example")
    return given.rstrip("/")


def _name(given: str) -> str:
    if not 1 <= len(given.strip()) <= LONGEST_NAME or not given.isprintable():
        raise typer.BadParameter(f"a name has 1 to {LONGEST_NAME} characters")
    return given.strip()


Url = Annotated[
    str | None,
    typer.Option(
        help="Where Slack reaches this service, such as https://support.example.",
        parser=_origin,
        metavar="URL",
    ),
]
SocketMode = Annotated[
    bool, typer.Option("--socket-mode", help="The service connects to Slack, which need not reach it.")
]
Name = Annotated[str, typer.Option(help="What people see.", parser=_name, metavar="NAME")]
Key = Annotated[str | None, typer.Argument(help="The key of a dead letter, as `slack inbox` lists it.")]
Every = Annotated[bool, typer.Option("--all", help="Every dead letter.")]
AssistantView = Annotated[
    bool,
    typer.Option(
        "--assistant-view",
        help="For an app made before July 2026 that keeps the assistant's view; Slack makes no new ones.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackCommands:
    """The commands of one program; *opened_settings* gives those on data its settings, and ends them in a sentence when they fail."""

    opened_settings: Callable[[], AbstractContextManager[Settings]]

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them below `slack`."""
        slack = typer.Typer(no_args_is_help=True, help="The app in Slack.")
        slack.command("manifest")(self.manifest)
        slack.command("inbox")(self.inbox)
        slack.command("retry")(self.retry)
        app.add_typer(slack, name="slack")

    def manifest(
        self,
        *,
        socket_mode: SocketMode = False,
        url: Url = None,
        name: Name = "Candor",
        assistant_view: AssistantView = False,
    ) -> None:
        """Print the manifest from which Slack makes the app, with a reason beside each permission."""
        from bot.channels.slack.manifest import AppShape, manifest  # noqa: PLC0415 - only what it needs

        if socket_mode is (url is not None):
            raise typer.BadParameter("choose one: --socket-mode, or --url with the address of this service")
        typer.echo(manifest(AppShape(name=name, url=url, assistant=assistant_view)), nl=False)

    def inbox(self, *, as_json: AsJson = False) -> None:
        """List the dead letters: what came from Slack and was given up, without what it says."""
        from bot.terminal import dead_letters  # noqa: PLC0415

        with self.opened_settings() as settings:
            found = asyncio.run(dead_letters.listed(settings))
            if as_json:
                print_json(dead_letters.to_json(found))
            else:
                dead_letters.show(found, Console())

    def retry(self, *, key: Key = None, every: Every = False) -> None:
        """Let the running service work on dead letters anew, once their cause is mended."""
        from bot.terminal import dead_letters  # noqa: PLC0415

        if every is (key is not None):
            raise typer.BadParameter("choose one: the key of a dead letter, or --all")
        with self.opened_settings() as settings:
            number = asyncio.run(dead_letters.retried(settings, key))
            typer.echo(f"{number} {'letter is' if number == 1 else 'letters are'} tried again.")

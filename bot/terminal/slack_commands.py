"""The commands of `slack`: what is needed to make the app there. They read no settings, because the app comes first."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

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
AssistantView = Annotated[
    bool,
    typer.Option(
        "--assistant-view",
        help="For an app made before July 2026 that keeps the assistant's view; Slack makes no new ones.",
    ),
]


class SlackCommands:
    """The commands of one program."""

    def add_to(self, app: typer.Typer) -> None:
        """Let *app* run them below `slack`."""
        slack = typer.Typer(no_args_is_help=True, help="The app in Slack.")
        slack.callback()(_group)
        slack.command("manifest")(self.manifest)
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


def _group() -> None:
    """Keep `manifest` a word of its own: a group of one command would take its place."""

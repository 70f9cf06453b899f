"""The groups of commands that have a module of their own."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import typer

from bot.settings import Settings
from bot.terminal.agent_commands import AgentCommands
from bot.terminal.gap_commands import GapCommands
from bot.terminal.keeping_commands import KeepingCommands
from bot.terminal.measuring_commands import MeasuringCommands
from bot.terminal.records_commands import RecordsCommands
from bot.terminal.slack_commands import SlackCommands


def add_groups(app: typer.Typer, *, opened_settings: Callable[[], AbstractContextManager[Settings]]) -> None:
    """Let *app* run them; *opened_settings* gives a command its settings, and ends it in a sentence when it fails."""
    MeasuringCommands(opened_settings=opened_settings).add_to(app)
    KeepingCommands(opened_settings=opened_settings).add_to(app)
    AgentCommands(opened_settings=opened_settings).add_to(app)
    GapCommands(opened_settings=opened_settings).add_to(app)
    RecordsCommands(opened_settings=opened_settings).add_to(app)
    SlackCommands(opened_settings=opened_settings).add_to(app)

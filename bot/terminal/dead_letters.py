"""`slack inbox` and `slack retry`: what came from Slack and was given up, and another try of it. What people wrote is never shown."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from rich.console import Console

from bot.adapters.system_clock import SystemClock
from bot.core.slack_rows import InboxRow
from bot.errors import Refused
from bot.places import require_data
from bot.settings import Settings
from bot.slack_ports import SlackInbox
from bot.store_wiring import opened_stores
from bot.terminal.texts import isolated, titled


async def listed(settings: Settings) -> tuple[InboxRow, ...]:
    """Return every dead letter, the oldest first."""
    async with _opened(settings) as inbox:
        return await inbox.dead_letters()


async def retried(settings: Settings, key: str | None) -> int:
    """Let the dead letter *key*, or each of them, be worked on anew by whoever serves; return how many. Refused when *key* is none."""
    async with _opened(settings) as inbox:
        keys = [row.key for row in await inbox.dead_letters()] if key is None else [key]
        now_ms = SystemClock().now_ms()
        revived = [await inbox.revive(one, due_ms=now_ms) for one in keys]
    if key is not None and not any(revived):
        raise Refused(f"{key}: there is no such dead letter; list them with python -m bot slack inbox")
    return sum(revived)


def to_json(letters: Sequence[InboxRow]) -> Mapping[str, object]:
    """Return dead letters as `slack inbox --json` prints them."""
    return {"dead_letters": [_to_row(row) for row in letters]}


def show(letters: Sequence[InboxRow], console: Console) -> None:
    """Print dead letters for a person; keys whole, so that they can be copied."""
    if not letters:
        console.print("There are no dead letters: all that came from Slack was worked on.")
        return
    table = titled("Dead letters")
    for heading in ("received", "kind", "attempts", "error"):
        table.add_column(heading)
    table.add_column("key", overflow="fold")
    for row in letters:
        received = datetime.fromtimestamp(row.received_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
        table.add_row(received, row.kind, str(row.attempts), isolated(row.error or ""), isolated(row.key))
    console.print(table)


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[SlackInbox]:
    require_data(settings)
    async with opened_stores(settings) as stores:
        yield stores.slack


def _to_row(row: InboxRow) -> Mapping[str, object]:
    return {
        "key": row.key,
        "kind": row.kind,
        "received_ms": row.received_ms,
        "attempts": row.attempts,
        "error": row.error,
    }

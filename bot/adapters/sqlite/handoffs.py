"""The handoffs table, which follows what becomes of each: opened, first claimed, first replied to, closed."""

import sqlite3
from collections.abc import Iterable

from bot.core.conversation import Conversation, Message, Role, Status
from bot.core.outcome import Handoff
from bot.core.turn import Turn


def open_handoff(connection: sqlite3.Connection, turn: Turn, handoff: Handoff, state: Conversation) -> None:
    """Open the handoff that *turn* ended in; a second open one of a conversation breaks the table's own rule."""
    connection.execute(
        "INSERT INTO handoffs (conversation, turn, epoch, reason, opened_ms) VALUES (?, ?, ?, ?, ?)",
        (state.id, turn.id, state.epoch, handoff.reason, turn.settled_ms),
    )


def follow(
    connection: sqlite3.Connection, state: Conversation, written: Iterable[Message], *, at_ms: int
) -> None:
    """Note in the open handoff what a change to *state* means for it."""
    if state.status is Status.CLAIMED:
        _time(connection, state, "claimed_ms", at_ms)
    if any(message.role is Role.AGENT for message in written):
        _time(connection, state, "replied_ms", at_ms)
    if state.status in (Status.BOT, Status.RESOLVED):
        _time(connection, state, "closed_ms", at_ms)


def _time(connection: sqlite3.Connection, state: Conversation, column: str, at_ms: int) -> None:
    """Only the first time counts."""
    connection.execute(
        f"UPDATE handoffs SET {column} = coalesce({column}, ?) WHERE conversation = ? AND closed_ms IS NULL",  # noqa: S608 - the column is one of ours
        (at_ms, state.id),
    )

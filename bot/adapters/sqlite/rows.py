"""Rows to core values and back. Pure; the only place that knows how a column is encoded."""

import json
import sqlite3
from dataclasses import asdict

from bot import stored_rows
from bot.core.conversation import (
    Conversation,
    ConversationId,
    Message,
)
from bot.core.outbox import OutboxRow

Parameters = dict[str, str | int | None]


def from_conversation(conversation: Conversation) -> Parameters:
    """Return the columns of *conversation*, which have its fields' names."""
    return asdict(conversation)


def to_conversation(row: sqlite3.Row) -> Conversation:
    """Read a conversation."""
    return stored_rows.to_conversation(row, row["id"])


def from_message(conversation: ConversationId, message: Message) -> Parameters:
    """Return the columns of *message*; sources and options are JSON."""
    return {
        **asdict(message),
        "conversation": conversation,
        "sources": json.dumps([asdict(s) for s in message.sources], ensure_ascii=False),
        "options": json.dumps(message.options, ensure_ascii=False),
    }


def to_message(row: sqlite3.Row) -> Message:
    """Read a message."""
    return stored_rows.to_message(
        row,
        sources=json.loads(row["sources"]),
        options=json.loads(row["options"]),
        revises=row["revises"],
    )


def from_outbox(row: OutboxRow) -> Parameters:
    """Return the columns of *row*, which have its fields' names."""
    return asdict(row)

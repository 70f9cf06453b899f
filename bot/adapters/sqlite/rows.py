"""Rows to core values and back. Pure; the only place that knows how a column is encoded."""

import json
import sqlite3
from dataclasses import asdict

from bot.core.audit import AuditRow
from bot.core.conversation import (
    AgentId,
    Channel,
    Conversation,
    ConversationId,
    Kind,
    Message,
    Role,
    Source,
    Status,
    TurnId,
)
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note
from bot.core.outbox import Announcement, OutboxRow

Parameters = dict[str, str | int | None]


def from_conversation(conversation: Conversation) -> Parameters:
    """Return the columns of *conversation*, which have its fields' names."""
    return asdict(conversation)


def to_conversation(row: sqlite3.Row) -> Conversation:
    """Read a conversation."""
    return Conversation(
        id=ConversationId(row["id"]),
        channel=Channel(row["channel"]),
        locale=row["locale"],
        status=Status(row["status"]),
        epoch=row["epoch"],
        episode=row["episode"],
        agent=None if row["agent"] is None else AgentId(row["agent"]),
        lease_until_ms=row["lease_until_ms"],
        last_seq=row["last_seq"],
        last_customer_seq=row["last_customer_seq"],
        answered_seq=row["answered_seq"],
        created_ms=row["created_ms"],
        waiting_since_ms=row["waiting_since_ms"],
        owned_since_ms=row["owned_since_ms"],
    )


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
    return Message(
        seq=row["seq"],
        role=Role(row["role"]),
        text=row["text"],
        at_ms=row["at_ms"],
        kind=Kind(row["kind"]),
        refusal=bool(row["refusal"]),
        interrupted=bool(row["interrupted"]),
        reason=row["reason"],
        sources=tuple(Source(**source) for source in json.loads(row["sources"])),
        options=tuple(json.loads(row["options"])),
        turn=None if row["turn"] is None else TurnId(row["turn"]),
        channel_message_id=row["channel_message_id"],
        author=None if row["author"] is None else AgentId(row["author"]),
    )


def to_handoff(row: sqlite3.Row) -> HandoffRow:
    """Read a handoff."""
    return HandoffRow(
        conversation=ConversationId(row["conversation"]),
        turn=TurnId(row["turn"]),
        epoch=row["epoch"],
        reason=row["reason"],
        opened_ms=row["opened_ms"],
        closed_ms=row["closed_ms"],
        claimed_ms=row["claimed_ms"],
        replied_ms=row["replied_ms"],
    )


def to_audit(row: sqlite3.Row) -> AuditRow:
    """Read an audit row."""
    return AuditRow(
        conversation=ConversationId(row["conversation"]),
        at_ms=row["at_ms"],
        who=row["who"],
        what=row["what"],
        before=row["before"],
        after=row["after"],
        epoch=row["epoch"],
        agent=None if row["agent"] is None else AgentId(row["agent"]),
        detail=row["detail"],
    )


def to_note(row: sqlite3.Row) -> Note:
    """Read a note."""
    return Note(seq=row["seq"], author=row["author"], text=row["text"], at_ms=row["at_ms"], key=row["key"])


def from_outbox(row: OutboxRow) -> Parameters:
    """Return the columns of *row*, which have its fields' names."""
    return asdict(row)


def to_outbox(row: sqlite3.Row) -> OutboxRow:
    """Read an outbox row."""
    return OutboxRow(
        key=row["key"],
        kind=Announcement(row["kind"]),
        conversation=ConversationId(row["conversation"]),
        epoch=row["epoch"],
        created_ms=row["created_ms"],
        seq=row["seq"],
        attempts=row["attempts"],
        due_ms=row["due_ms"],
    )

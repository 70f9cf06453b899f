"""The notes of conversations: their table, and what is written to and asked of it within the caller's transaction."""

import sqlite3
from dataclasses import asdict, replace

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.outbox import announce
from bot.core.conversation import ConversationId
from bot.core.handoffs import HandoffRow
from bot.core.notes import SUMMARY, Note
from bot.core.outbox import Told, noted
from bot.stored_rows import to_handoff, to_note


def add(connection: sqlite3.Connection, conversation: ConversationId, note: Note, *, told: Told) -> Note:
    """Store *note* under the next seq, and announce it; the stored one when its key is there already."""
    earlier = notes(connection, conversation)
    for stored in earlier:
        if note.key is not None and stored.key == note.key:
            return stored
    numbered = replace(note, seq=len(earlier) + 1)
    connection.execute(
        "INSERT INTO notes VALUES (:conversation, :seq, :author, :text, :at_ms, :key)",
        {**asdict(numbered), "conversation": conversation},
    )
    state = conversation_state(connection, conversation)
    announce(connection, noted(state, numbered.seq, at_ms=note.at_ms, told=told))
    return numbered


def notes(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Note, ...]:
    """Return the notes in the order in which they were written."""
    conversation_state(connection, conversation)
    rows = connection.execute("SELECT * FROM notes WHERE conversation = ? ORDER BY seq", (conversation,))
    return tuple(map(to_note, rows))


def unsummarised(
    connection: sqlite3.Connection, *, opened_before_ms: int, limit: int
) -> tuple[HandoffRow, ...]:
    """Return open handoffs without a summary, oldest first."""
    rows = connection.execute(
        """
        SELECT * FROM handoffs WHERE closed_ms IS NULL AND opened_ms < :before AND NOT EXISTS (
            SELECT 1 FROM notes WHERE conversation = handoffs.conversation AND key = :prefix || epoch
        ) ORDER BY opened_ms, conversation LIMIT :limit
        """,
        {"before": opened_before_ms, "prefix": SUMMARY, "limit": limit},
    )
    return tuple(map(to_handoff, rows))

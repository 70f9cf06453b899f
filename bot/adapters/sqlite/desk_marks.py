"""What agents write beside the messages: marks, unsent replies, how far was read, canned replies.

Each function runs in its caller's transaction; one that names a conversation raises ConversationUnknown when there is none.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import asdict

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import CannedReply, Mark, MarkKind, ReadMarks


def add_mark(connection: sqlite3.Connection, mark: Mark) -> Mark:
    """Keep a mark, unless an equal one is there; return the one that is kept."""
    conversation_state(connection, mark.conversation)
    connection.execute(
        """
        INSERT INTO marks (conversation, kind, seq, agent, at_ms, remark)
        VALUES (:conversation, :kind, :seq, :agent, :at_ms, :remark)
        ON CONFLICT (conversation, kind, seq) DO NOTHING
        """,
        asdict(mark),
    )
    key = (mark.conversation, mark.kind, mark.seq)
    kept = connection.execute("SELECT * FROM marks WHERE conversation = ? AND kind = ? AND seq = ?", key)
    return _to_mark(kept.fetchone())


def remove_mark(
    connection: sqlite3.Connection, conversation: ConversationId, kind: MarkKind, seq: int
) -> None:
    """Take a mark back."""
    conversation_state(connection, conversation)
    connection.execute(
        "DELETE FROM marks WHERE conversation = ? AND kind = ? AND seq = ?", (conversation, kind, seq)
    )


def marks(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Mark, ...]:
    """Return a conversation's marks, oldest first."""
    conversation_state(connection, conversation)
    return _to_marks(
        connection.execute(
            "SELECT * FROM marks WHERE conversation = ? ORDER BY at_ms, number", (conversation,)
        )
    )


def marked(connection: sqlite3.Connection, kind: MarkKind, *, since_ms: int) -> tuple[Mark, ...]:
    """Return the marks of a kind since then, oldest first."""
    return _to_marks(
        connection.execute(
            "SELECT * FROM marks WHERE kind = ? AND at_ms >= ? ORDER BY at_ms, number", (kind, since_ms)
        )
    )


def keep_draft(
    connection: sqlite3.Connection, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
) -> None:
    """Keep an unsent reply, or with an empty text drop it."""
    conversation_state(connection, conversation)
    connection.execute(
        "DELETE FROM unsent_replies WHERE conversation = ? AND agent = ?", (conversation, agent)
    )
    if text:
        connection.execute(
            "INSERT INTO unsent_replies (conversation, agent, text, at_ms) VALUES (?, ?, ?, ?)",
            (conversation, agent, text, at_ms),
        )


def draft(connection: sqlite3.Connection, conversation: ConversationId, agent: AgentId) -> str:
    """Return an unsent reply; empty when there is none."""
    conversation_state(connection, conversation)
    row = connection.execute(
        "SELECT text FROM unsent_replies WHERE conversation = ? AND agent = ?", (conversation, agent)
    ).fetchone()
    return "" if row is None else str(row["text"])


def mark_read(
    connection: sqlite3.Connection, conversation: ConversationId, *, customer: int, agent: int
) -> ReadMarks:
    """Move the marks forward, no further than there are messages; return them."""
    last_seq = conversation_state(connection, conversation).last_seq
    moved = read_marks(connection, conversation).moved(customer=customer, agent=agent, last_seq=last_seq)
    connection.execute(
        "INSERT OR REPLACE INTO read_marks (conversation, customer, agent) VALUES (?, ?, ?)",
        (conversation, moved.customer, moved.agent),
    )
    return moved


def read_marks(connection: sqlite3.Connection, conversation: ConversationId) -> ReadMarks:
    """Return how far both sides have read."""
    conversation_state(connection, conversation)
    row = connection.execute(
        "SELECT customer, agent FROM read_marks WHERE conversation = ?", (conversation,)
    ).fetchone()
    return ReadMarks() if row is None else ReadMarks(customer=row["customer"], agent=row["agent"])


def canned_replies(connection: sqlite3.Connection) -> tuple[CannedReply, ...]:
    """Return the canned replies, in no order."""
    rows = connection.execute("SELECT id, title, text, locale FROM canned_replies")
    return tuple(CannedReply(**dict(row)) for row in rows)


def save_canned_reply(connection: sqlite3.Connection, reply: CannedReply) -> None:
    """Keep a canned reply in place of the one with its id."""
    connection.execute(
        "INSERT OR REPLACE INTO canned_replies (id, title, text, locale) VALUES (:id, :title, :text, :locale)",
        asdict(reply),
    )


def remove_canned_reply(connection: sqlite3.Connection, reply_id: str) -> None:
    """Remove a canned reply."""
    connection.execute("DELETE FROM canned_replies WHERE id = ?", (reply_id,))


def _to_marks(found: Iterable[sqlite3.Row]) -> tuple[Mark, ...]:
    return tuple(map(_to_mark, found))


def _to_mark(row: sqlite3.Row) -> Mark:
    return Mark(
        conversation=ConversationId(row["conversation"]),
        kind=MarkKind(row["kind"]),
        seq=row["seq"],
        agent=AgentId(row["agent"]),
        at_ms=row["at_ms"],
        remark=row["remark"],
    )

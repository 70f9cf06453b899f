"""What is asked of the queue: who waits, how long, and whose claim has run out. Each runs in its caller's transaction.

The open conversations are few and the others many, so that every question names the condition of the index of the open ones.
"""

import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.customers import to_customer
from bot.adapters.sqlite.rows import to_conversation
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import QueueRow, first_line

_OPEN = "c.status IN ('queued', 'claimed')"
_BY_CUSTOMER = "m.conversation = c.id AND m.role = 'customer' AND m.kind <> 'note'"
_ROWS = f"""
SELECT c.*, h.reason AS reason, u.subject, u.name, u.email,
    (SELECT count(*) FROM current_messages AS m WHERE {_BY_CUSTOMER} AND m.seq > coalesce(r.agent, 0)) AS unread,
    coalesce(
        (SELECT m.text FROM current_messages AS m
            WHERE {_BY_CUSTOMER} AND m.kind = 'text' AND m.at_ms >= c.waiting_since_ms ORDER BY m.seq LIMIT 1),
        (SELECT m.text FROM current_messages AS m WHERE {_BY_CUSTOMER} AND m.kind = 'text' ORDER BY m.seq DESC LIMIT 1),
        (SELECT m.text FROM current_messages AS m WHERE {_BY_CUSTOMER} ORDER BY m.seq DESC LIMIT 1),
        ''
    ) AS first_text
FROM conversations AS c
LEFT JOIN handoffs AS h ON h.conversation = c.id AND h.closed_ms IS NULL
LEFT JOIN read_marks AS r ON r.conversation = c.id
LEFT JOIN customers AS u ON u.conversation = c.id
WHERE {_OPEN}
"""  # noqa: S608 - both conditions are ours
QUEUE = f"{_ROWS} ORDER BY c.waiting_since_ms IS NULL, c.waiting_since_ms, c.id"
_AHEAD = f"""
SELECT count(*) FROM conversations AS mine JOIN conversations AS c
    ON {_OPEN} AND c.status = 'queued' AND (c.waiting_since_ms, c.id) <= (mine.waiting_since_ms, mine.id)
WHERE mine.id = ? AND mine.status = 'queued'
"""  # noqa: S608 - the condition is ours


def queue(connection: sqlite3.Connection) -> tuple[QueueRow, ...]:
    """Return every open conversation, the longest waiting first."""
    return _to_rows(connection.execute(QUEUE))


def queue_row(connection: sqlite3.Connection, conversation: ConversationId) -> QueueRow | None:
    """Return the row of one conversation; None when it is not open."""
    rows = _to_rows(connection.execute(f"{_ROWS} AND c.id = ?", (conversation,)))
    return rows[0] if rows else None


def position(connection: sqlite3.Connection, conversation: ConversationId) -> int | None:
    """Return the place in the queue, from 1; the conversation itself is among those that are counted."""
    counted: int = connection.execute(_AHEAD, (conversation,)).fetchone()[0]
    return counted or None


def recent_waits(connection: sqlite3.Connection, *, since_ms: int, limit: int) -> tuple[int, ...]:
    """Return how long the handoffs waited that were replied to since then, newest first."""
    rows = connection.execute(
        """
        SELECT replied_ms - opened_ms AS waited_ms FROM handoffs WHERE replied_ms >= ?
        ORDER BY replied_ms DESC, opened_ms DESC LIMIT ?
        """,
        (since_ms, limit),
    )
    return tuple(row["waited_ms"] for row in rows)


def leases_over(connection: sqlite3.Connection, *, now_ms: int) -> tuple[ConversationId, ...]:
    """Return whose claim has run out, the longest ago first."""
    rows = connection.execute(
        f"""
        SELECT c.id FROM conversations AS c WHERE {_OPEN} AND c.status = 'claimed' AND c.lease_until_ms <= ?
        ORDER BY c.lease_until_ms, c.id
        """,  # noqa: S608 - the condition is ours
        (now_ms,),
    )
    return tuple(ConversationId(row["id"]) for row in rows)


def claims_of(connection: sqlite3.Connection, agent: AgentId) -> tuple[ConversationId, ...]:
    """Return what the agent has claimed, in the order of its ids; the plus keeps the planner from the index of all ids."""
    rows = connection.execute(
        f"SELECT c.id FROM conversations AS c WHERE {_OPEN} AND c.agent = ? ORDER BY +c.id",  # noqa: S608 - as above
        (agent,),
    )
    return tuple(ConversationId(row["id"]) for row in rows)


def _to_rows(found: Iterable[sqlite3.Row]) -> tuple[QueueRow, ...]:
    return tuple(
        QueueRow(
            conversation=to_conversation(row),
            reason=row["reason"],
            first_line=first_line(row["first_text"]),
            unread=row["unread"],
            customer=to_customer(row),
        )
        for row in found
    )

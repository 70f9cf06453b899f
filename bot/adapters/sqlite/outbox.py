"""The outbox table: what is told to the outside, written with the change that it tells of."""

import json
import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.rows import from_outbox
from bot.core.outbox import Announcement, OutboxRow, Told
from bot.stored_rows import to_outbox


def announce(connection: sqlite3.Connection, rows: Iterable[OutboxRow]) -> None:
    """Write *rows*; one whose key is there already is left alone."""
    connection.executemany(
        """
        INSERT INTO outbox (key, kind, conversation, epoch, created_ms, seq, attempts, due_ms)
        VALUES (:key, :kind, :conversation, :epoch, :created_ms, :seq, :attempts, :due_ms)
        ON CONFLICT (key) DO NOTHING
        """,
        [from_outbox(row) for row in rows],
    )


def undelivered(connection: sqlite3.Connection, limit: int) -> tuple[OutboxRow, ...]:
    """Return undelivered rows in the order in which they were written."""
    rows = connection.execute(
        "SELECT * FROM outbox WHERE delivered_ms IS NULL ORDER BY number LIMIT ?", (limit,)
    )
    return tuple(to_outbox(row) for row in rows)


def due(connection: sqlite3.Connection, *, now_ms: int, limit: int, kinds: Told) -> tuple[OutboxRow, ...]:
    """Return undelivered rows that nothing holds back, in the order in which they were written."""
    rows = connection.execute(
        """
        SELECT * FROM outbox AS o
        WHERE delivered_ms IS NULL AND due_ms <= :now AND kind IN (SELECT value FROM json_each(:kinds)) AND (
            kind = :handoff OR (kind = :slack AND attempts > 0) OR NOT EXISTS (
                SELECT 1 FROM outbox AS earlier WHERE earlier.conversation = o.conversation
                AND earlier.number < o.number AND earlier.delivered_ms IS NULL AND earlier.kind <> :handoff
                AND (earlier.kind = :slack) = (o.kind = :slack) AND (earlier.kind <> :slack OR earlier.attempts = 0)
            )
        ) ORDER BY number LIMIT :limit
        """,
        {
            "now": now_ms,
            "kinds": json.dumps(sorted(kinds)),
            "handoff": Announcement.HANDOFF,
            "slack": Announcement.SLACK,
            "limit": limit,
        },
    )
    return tuple(to_outbox(row) for row in rows)


def mark_delivered(connection: sqlite3.Connection, key: str, *, at_ms: int) -> None:
    """Mark a row as delivered, once."""
    connection.execute(
        "UPDATE outbox SET delivered_ms = ? WHERE key = ? AND delivered_ms IS NULL", (at_ms, key)
    )


def postpone(connection: sqlite3.Connection, key: str, *, until_ms: int) -> None:
    """Count an attempt and set when the next one is due."""
    connection.execute(
        "UPDATE outbox SET attempts = attempts + 1, due_ms = ? WHERE key = ? AND delivered_ms IS NULL",
        (until_ms, key),
    )

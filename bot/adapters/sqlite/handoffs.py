"""The handoffs table; a second open handoff of a conversation breaks the table's own rule."""

import sqlite3
from dataclasses import asdict

from bot.core.handoffs import HandoffRow


def keep(connection: sqlite3.Connection, row: HandoffRow) -> None:
    """Write a handoff that was opened, or what became of the open one."""
    followed = connection.execute(
        """
        UPDATE handoffs SET claimed_ms = :claimed_ms, replied_ms = :replied_ms, closed_ms = :closed_ms
        WHERE conversation = :conversation AND turn = :turn AND closed_ms IS NULL
        """,
        asdict(row),
    )
    if not followed.rowcount:
        connection.execute(
            """
            INSERT INTO handoffs (conversation, turn, epoch, reason, opened_ms, closed_ms, claimed_ms, replied_ms)
            VALUES (:conversation, :turn, :epoch, :reason, :opened_ms, :closed_ms, :claimed_ms, :replied_ms)
            """,
            asdict(row),
        )

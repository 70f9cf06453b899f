"""The audit table: one row for each change of a conversation's state, never altered."""

import sqlite3
from dataclasses import asdict

from bot.core.audit import AuditRow


def write(connection: sqlite3.Connection, row: AuditRow) -> None:
    """Write one row."""
    connection.execute(
        """
        INSERT INTO audit (conversation, at_ms, who, what, before, after, epoch, agent, detail)
        VALUES (:conversation, :at_ms, :who, :what, :before, :after, :epoch, :agent, :detail)
        """,
        asdict(row),
    )

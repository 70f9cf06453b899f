"""The audit table: one row for each change of a conversation's state, never altered."""

import sqlite3
from dataclasses import asdict

from bot.core.audit import AuditRow
from bot.core.conversation import Conversation
from bot.ports import Change


def record(
    connection: sqlite3.Connection, before: Conversation | None, after: Conversation, change: Change
) -> None:
    """Write what led from *before*, None for an opening, to *after*."""
    row = AuditRow(
        conversation=after.id,
        at_ms=change.at_ms,
        who=change.who,
        what=change.what,
        before="" if before is None else before.status,
        after=after.status,
        epoch=after.epoch,
        agent=after.agent,
        detail=change.detail,
    )
    write(connection, row)


def write(connection: sqlite3.Connection, row: AuditRow) -> None:
    """Write one row."""
    connection.execute(
        """
        INSERT INTO audit (conversation, at_ms, who, what, before, after, epoch, agent, detail)
        VALUES (:conversation, :at_ms, :who, :what, :before, :after, :epoch, :agent, :detail)
        """,
        asdict(row),
    )

"""Slack's inbox on SQLite. A row whose key or effect is there already is not inserted, so that of several at once one is kept."""

import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.core.slack_rows import InboxRow, is_about
from bot.stored_slack import Fields, from_inbox, to_inbox, to_place

_KEEP = """
INSERT INTO slack_inbox (key, kind, payload, received_ms, due_ms, effect, attempts, error)
VALUES (:key, :kind, :payload, :received_ms, :due_ms, :effect, :attempts, :error) ON CONFLICT DO NOTHING
"""
_DUE = """
SELECT * FROM slack_inbox WHERE done_ms IS NULL AND dead_ms IS NULL AND due_ms <= ? ORDER BY received_ms, key LIMIT ?
"""
_DEAD = "SELECT * FROM slack_inbox WHERE dead_ms IS NOT NULL ORDER BY received_ms, key"
_DONE = """
UPDATE slack_inbox SET done_ms = :at_ms, dead_ms = NULL, payload = '', error = NULL WHERE key = :key AND done_ms IS NULL
"""
_POSTPONE = """
UPDATE slack_inbox SET attempts = attempts + 1, due_ms = ?, error = ? WHERE key = ? AND done_ms IS NULL AND dead_ms IS NULL
"""
_DIED = """
UPDATE slack_inbox SET attempts = attempts + 1, dead_ms = ?, error = ? WHERE key = ? AND done_ms IS NULL AND dead_ms IS NULL
"""
_REVIVE = (
    "UPDATE slack_inbox SET attempts = 0, dead_ms = NULL, due_ms = ? WHERE key = ? AND dead_ms IS NOT NULL"
)
_FORGET = "DELETE FROM slack_inbox WHERE done_ms IS NOT NULL AND received_ms < ?"
_PLACES = "SELECT team, channel, thread_ts FROM slack_threads WHERE conversation = ?"


class SqliteSlackInbox:
    """What came in, in the file that the conversations are in."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def keep(self, row: InboxRow) -> bool:
        """Slack waits for it: it overtakes what the turns of a busy minute have to write."""
        fields = from_inbox(row)
        return await self._database.write_first(lambda c: c.execute(_KEEP, fields).rowcount) > 0

    async def inbox_due(self, *, now_ms: int, limit: int) -> tuple[InboxRow, ...]:
        return await self._database.read(lambda c: _read(c.execute(_DUE, (now_ms, limit))))

    async def done(self, key: str, *, at_ms: int) -> None:
        await self._changes(_DONE, {"key": key, "at_ms": at_ms})

    async def postponed(self, key: str, *, until_ms: int, error: str) -> None:
        await self._changes(_POSTPONE, (until_ms, error, key))

    async def died(self, key: str, *, at_ms: int, error: str) -> None:
        await self._changes(_DIED, (at_ms, error, key))

    async def dead_letters(self) -> tuple[InboxRow, ...]:
        return await self._database.read(lambda c: _read(c.execute(_DEAD)))

    async def revive(self, key: str, *, due_ms: int) -> bool:
        return await self._changes(_REVIVE, (due_ms, key)) > 0

    async def forget_done(self, *, received_before_ms: int) -> int:
        return await self._changes(_FORGET, (received_before_ms,))

    async def _changes(self, statement: str, given: tuple[str | int, ...] | Fields) -> int:
        """Run a statement as one transaction; return how many rows it changed."""
        return await self._database.write(lambda c: c.execute(statement, given).rowcount)


def forget_payloads(
    connection: sqlite3.Connection, conversations: Iterable[ConversationId], *, at_ms: int
) -> None:
    """Drop what came in of conversations that are about to be erased; nobody works on it any more."""
    for conversation in conversations:
        places = tuple(map(to_place, connection.execute(_PLACES, (conversation,))))
        kept = connection.execute("SELECT key, payload FROM slack_inbox WHERE payload <> ''").fetchall()
        theirs = [row["key"] for row in kept if is_about(row["payload"], conversation, places)]
        connection.executemany(_DONE, [{"key": key, "at_ms": at_ms} for key in theirs])


def _read(rows: sqlite3.Cursor) -> tuple[InboxRow, ...]:
    return tuple(map(to_inbox, rows))

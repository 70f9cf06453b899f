"""What other processes on the same file have written since one looked last."""

import asyncio
import sqlite3
from dataclasses import dataclass

from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId

NOTHING = frozenset[ConversationId]()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The file's version, which others' commits alone change, and how far messages, notes and audit went."""

    version: int
    message: int
    note: int
    audit: int


class SqliteElsewhere:
    """The port on SQLite. It asks the writing connection, because for any other our own commits are others' too."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._seen: _Seen | None = None

    async def changed(self) -> frozenset[ConversationId]:
        return await self._database.maintain(self._look)

    async def woken(self, *, within_s: float) -> None:
        await asyncio.sleep(within_s)

    def _look(self, connection: sqlite3.Connection) -> frozenset[ConversationId]:
        before, self._seen = self._seen, _read(connection)
        if before is None or before.version == self._seen.version:
            return NOTHING
        rows = connection.execute(
            """
            SELECT conversation FROM messages WHERE rowid > ?
            UNION SELECT conversation FROM notes WHERE rowid > ? UNION SELECT conversation FROM audit WHERE number > ?
            """,
            (before.message, before.note, before.audit),
        )
        return frozenset(ConversationId(row["conversation"]) for row in rows)


def _read(connection: sqlite3.Connection) -> _Seen:
    """Read the version last: what is committed in between is then told twice, and never missed."""
    message, note, audit = connection.execute(
        """
        SELECT (SELECT coalesce(max(rowid), 0) FROM messages), (SELECT coalesce(max(rowid), 0) FROM notes),
            (SELECT coalesce(max(number), 0) FROM audit)
        """
    ).fetchone()
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return _Seen(version=version, message=message, note=note, audit=audit)

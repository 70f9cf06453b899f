"""What the processes of a test keep, as a test reads it beside them: in the file of their data directory, or in MongoDB."""

import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pymongo import MongoClient

from bot.adapters.mongo.access import MongoAccess
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.opening import opened_database
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.places import conversations_at, database_file
from bot.ports import ConversationStore
from bot.settings import Settings


class Kept(Protocol):
    """Reads what is kept. Nothing but the store itself changes any of it."""

    def stored(self) -> AbstractAsyncContextManager[ConversationStore]:
        """Open the store as one more process would."""

    def announced(self) -> list[str]:
        """Return the keys of all that was ever to be told, delivered or not, in their order."""

    def is_quiet(self, conversation: ConversationId | None) -> bool:
        """Whether nothing is left to be told, and the handoff of *conversation*, if one is named, has its summary."""

    def shown(self, conversation: ConversationId) -> tuple[str, ...]:
        """Return the blocks that a dead process had recorded, and leave all as death left it."""


@dataclass(frozen=True, slots=True)
class KeptInFile:
    """One file, and what belongs to it."""

    file: Path

    @asynccontextmanager
    async def stored(self) -> AsyncIterator[ConversationStore]:
        database = SqliteDatabase.open(self.file)
        try:
            assert database.read_now(lambda c: c.execute("PRAGMA integrity_check").fetchall()[0][0]) == "ok"
            yield SqliteConversationStore(database)
        finally:
            database.close()

    def announced(self) -> list[str]:
        with closing(sqlite3.connect(self.file)) as connection:
            return [key for (key,) in connection.execute("SELECT key FROM outbox ORDER BY number")]

    def is_quiet(self, conversation: ConversationId | None) -> bool:
        with closing(sqlite3.connect(self.file)) as connection:
            untold, summed_up = connection.execute(
                """
                SELECT (SELECT count(*) FROM outbox WHERE delivered_ms IS NULL),
                       (SELECT count(*) FROM notes WHERE conversation = ?)
                """,
                (conversation,),
            ).fetchone()
        return not untold and (conversation is None or bool(summed_up))

    def shown(self, conversation: ConversationId) -> tuple[str, ...]:
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(self.file.parent, Path(folder) / "copy")
            with closing(sqlite3.connect(copy / self.file.name)) as connection:
                rows = connection.execute(
                    "SELECT text FROM draft_blocks WHERE conversation = ? ORDER BY position", (conversation,)
                ).fetchall()
        return tuple(text for (text,) in rows)


@dataclass(frozen=True, slots=True)
class KeptInMongo:
    """A database of a server."""

    access: MongoAccess

    @asynccontextmanager
    async def stored(self) -> AsyncIterator[ConversationStore]:
        async with opened_database(self.access) as database:
            yield MongoConversationStore(database)

    def announced(self) -> list[str]:
        return [row["_id"] for row in self._all("outbox")]

    def is_quiet(self, conversation: ConversationId | None) -> bool:
        waiting = [row for row in self._all("outbox") if row["delivered_ms"] is None]
        uncopied = [one for one in self._all("conversations") if one["unsettled"]]
        summed_up = [note for note in self._all("notes") if note["conversation"] == conversation]
        return not waiting and not uncopied and (conversation is None or bool(summed_up))

    def shown(self, conversation: ConversationId) -> tuple[str, ...]:
        drafts = [one["draft"] for one in self._all("conversations") if one["_id"] == conversation]
        return tuple(drafts[0]["blocks"]) if drafts and drafts[0] else ()

    def _all(self, collection: str) -> list[dict[str, Any]]:
        with MongoClient[dict[str, Any]](self.access.uri) as client:
            found = client[self.access.database][collection].find().to_list()
        return sorted(found, key=lambda one: one.get("order", 0))


def kept_of(settings: Settings) -> Kept:
    """Return where processes with these settings keep conversations."""
    access = conversations_at(settings)
    return KeptInFile(database_file(settings)) if access is None else KeptInMongo(access)

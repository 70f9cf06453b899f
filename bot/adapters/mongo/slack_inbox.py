"""Slack's inbox on MongoDB: one document for each row, which stands alone for its key and for its effect.

Both are claimed by one insert, under two unique indexes, so that no crash leaves the one without the other.
"""

from collections.abc import Mapping
from typing import Any

from bot.adapters.mongo.database import Document, MongoDatabase, Query
from bot.core.conversation import ConversationId
from bot.core.slack_rows import InboxRow, is_about
from bot.stored_slack import from_inbox, to_inbox, to_place

INBOX, THREADS = "slack_inbox", "slack_threads"
_OLDEST = [("received_ms", 1), ("_id", 1)]
_OPEN: Mapping[str, object] = {"done_ms": None, "dead_ms": None}
_EMPTIED: Mapping[str, object] = {"payload": "", "error": None, "dead_ms": None}


class MongoSlackInbox:
    """What came in, in the database that the conversations are in."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database

    async def keep(self, row: InboxRow) -> bool:
        return await self._database.insert(INBOX, inbox_document(row))

    async def inbox_due(self, *, now_ms: int, limit: int) -> tuple[InboxRow, ...]:
        return await self._found({**_OPEN, "due_ms": {"$lte": now_ms}}, limit=limit)

    async def done(self, key: str, *, at_ms: int) -> None:
        await _finish(self._database, key, at_ms=at_ms)

    async def postponed(self, key: str, *, until_ms: int, error: str) -> None:
        await self._failed(key, {"due_ms": until_ms, "error": error})

    async def died(self, key: str, *, at_ms: int, error: str) -> None:
        await self._failed(key, {"dead_ms": at_ms, "error": error})

    async def dead_letters(self) -> tuple[InboxRow, ...]:
        return await self._found({"dead_ms": {"$ne": None}})

    async def revive(self, key: str, *, due_ms: int) -> bool:
        changes = {"$set": {"attempts": 0, "dead_ms": None, "due_ms": due_ms}}
        return await self._database.update(INBOX, {"_id": key, "dead_ms": {"$ne": None}}, changes)

    async def forget_done(self, *, received_before_ms: int) -> int:
        old = {"done_ms": {"$ne": None}, "received_ms": {"$lt": received_before_ms}}
        return await self._database.delete(INBOX, old)

    async def _failed(self, key: str, fields: Query) -> None:
        changes = {"$inc": {"attempts": 1}, "$set": fields}
        await self._database.update(INBOX, {"_id": key, **_OPEN}, changes)

    async def _found(self, query: Query, *, limit: int | None = None) -> tuple[InboxRow, ...]:
        return tuple(map(to_inbox, await self._database.find(INBOX, query, order=_OLDEST, limit=limit)))


def inbox_document(row: InboxRow, *, done_ms: int | None = None, dead_ms: int | None = None) -> Document:
    """Return the document of something that came in; `once` is the effect that no other may have, or its own key."""
    once = f"key:{row.key}" if row.effect is None else f"effect:{row.effect}"
    return {**from_inbox(row), "_id": row.key, "once": once, "done_ms": done_ms, "dead_ms": dead_ms}


async def forget_payloads(database: MongoDatabase, conversation: ConversationId) -> None:
    """Drop what came in of a conversation that is about to be removed; nobody works on it any more."""
    places = [to_place(one) for one in await database.find(THREADS, {"conversation": conversation})]
    kept: list[Any] = await database.find(INBOX, {"done_ms": None})
    for one in kept:
        if is_about(one["payload"], conversation, places):
            await _finish(database, one["_id"], at_ms=one["received_ms"])


async def _finish(database: MongoDatabase, key: str, *, at_ms: int) -> None:
    unfinished = {"_id": key, "done_ms": None}
    await database.update(INBOX, unfinished, {"$set": {**_EMPTIED, "done_ms": at_ms}})

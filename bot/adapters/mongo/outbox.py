"""The outbox collection: what is told to the outside, in the order in which it was written."""

from collections.abc import Mapping

from bot.adapters.mongo.database import MongoDatabase
from bot.core.outbox import IN_ORDER, OutboxRow, Told, held_back_by
from bot.stored_rows import to_outbox

_OLDEST = [("created_ms", 1), ("conversation", 1), ("order", 1)]
_WRITTEN = [("order", 1)]  # within a conversation; the clocks of two processes may differ


async def undelivered(database: MongoDatabase, limit: int) -> tuple[OutboxRow, ...]:
    """Return undelivered rows, oldest first."""
    found = await database.find("outbox", {"delivered_ms": None}, order=_OLDEST, limit=limit)
    return tuple(to_outbox(one) for one in found)


async def due(database: MongoDatabase, *, now_ms: int, limit: int, kinds: Told) -> tuple[OutboxRow, ...]:
    """Return undelivered rows that nothing holds back, oldest first."""
    query = {"delivered_ms": None, "due_ms": {"$lte": now_ms}, "kind": {"$in": sorted(map(str, kinds))}}
    found = [to_outbox(one) for one in await database.find("outbox", query, order=_OLDEST)]
    first = await _first_rows(database, sorted({row.conversation for row in found}))
    free = [row for row in found if _is_free(row, first)]
    return tuple(free[:limit])


async def mark_delivered(database: MongoDatabase, key: str, *, at_ms: int) -> None:
    """Mark a row as delivered, once."""
    await database.update("outbox", {"_id": key, "delivered_ms": None}, {"$set": {"delivered_ms": at_ms}})


async def postpone(database: MongoDatabase, key: str, *, until_ms: int) -> None:
    """Count an attempt and set when the next one is due."""
    changes = {"$inc": {"attempts": 1}, "$set": {"due_ms": until_ms}}
    await database.update("outbox", {"_id": key, "delivered_ms": None}, changes)


async def _first_rows(database: MongoDatabase, conversations: list[str]) -> dict[tuple[str, Told], str]:
    """Return the key of each conversation's oldest undelivered row among those that are told in order."""
    in_order = sorted(str(kind) for kinds in IN_ORDER for kind in kinds)
    query = {"delivered_ms": None, "conversation": {"$in": conversations}, "kind": {"$in": in_order}}
    found = await database.find("outbox", query, order=_WRITTEN) if conversations else []
    first: dict[tuple[str, Told], str] = {}
    for row in map(to_outbox, found):
        first.setdefault((row.conversation, held_back_by(row)), row.key)
    return first


def _is_free(row: OutboxRow, first: Mapping[tuple[str, Told], str]) -> bool:
    line = held_back_by(row)
    return not line or first.get((row.conversation, line)) == row.key

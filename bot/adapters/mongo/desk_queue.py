"""What is asked of the queue: who waits, how long, and whose claim has run out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.adapters.mongo.database import MongoDatabase, Query
from bot.adapters.mongo.keeping import CONVERSATIONS, Kept, to_kept
from bot.adapters.mongo.outdated import outdated_in
from bot.core.conversation import AgentId, Conversation, ConversationId, Kind, Role, Status
from bot.core.customers import Profile
from bot.core.desk import QueueRow, first_line

_OPEN = {"status": {"$in": [str(Status.QUEUED), str(Status.CLAIMED)]}}
_WRITTEN_BY_CUSTOMERS = {"role": str(Role.CUSTOMER), "kind": {"$ne": str(Kind.NOTE)}}


async def queue(database: MongoDatabase, query: Query | None = None) -> tuple[QueueRow, ...]:
    """Return every open conversation, or those of *query*, the longest waiting first."""
    found = await database.find(CONVERSATIONS, {**_OPEN, **(query or {})})
    kept = sorted(map(to_kept, found), key=lambda one: _by_wait(one.record.state))
    conversations = [one.record.state.id for one in kept]
    read = await _read_by_agents(database, conversations)
    gone = await outdated_in(database, conversations)
    return tuple([await _row(database, one, read, gone) for one in kept])


async def queue_row(database: MongoDatabase, conversation: ConversationId) -> QueueRow | None:
    """Return the row of one conversation; None when it is not open."""
    rows = await queue(database, {"_id": conversation})
    return rows[0] if rows else None


async def position(database: MongoDatabase, conversation: ConversationId) -> int | None:
    """Return the place in the queue, from 1; None when it is not queued."""
    found = await database.find(CONVERSATIONS, {"status": str(Status.QUEUED)})
    states = sorted((to_kept(one).record.state for one in found), key=_by_wait)
    waiting = [state.id for state in states]
    return waiting.index(conversation) + 1 if conversation in waiting else None


async def recent_waits(database: MongoDatabase, *, since_ms: int, limit: int) -> tuple[int, ...]:
    """Return how long the handoffs waited that were replied to since then, newest first."""
    order = [("replied_ms", -1), ("opened_ms", -1)]
    found: list[Any] = await database.find(
        "handoffs", {"replied_ms": {"$gte": since_ms}}, order=order, limit=limit
    )
    return tuple(int(one["replied_ms"]) - int(one["opened_ms"]) for one in found)


async def claims_of(database: MongoDatabase, agent: AgentId) -> tuple[ConversationId, ...]:
    """Return what the agent has claimed, in the order of its ids."""
    return _ids(await database.find(CONVERSATIONS, {**_OPEN, "agent": agent}, order=[("_id", 1)]))


async def leases_over(database: MongoDatabase, *, now_ms: int) -> tuple[ConversationId, ...]:
    """Return whose claim has run out, the longest ago first."""
    over = {"status": str(Status.CLAIMED), "lease_until_ms": {"$lte": now_ms}}
    return _ids(await database.find(CONVERSATIONS, over, order=[("lease_until_ms", 1), ("_id", 1)]))


async def _row(
    database: MongoDatabase, kept: Kept, read: Mapping[ConversationId, int], gone: frozenset[str]
) -> QueueRow:
    state, handoff = kept.record.state, kept.record.handoff
    written = {"conversation": state.id, "_id": {"$nin": sorted(gone)}, **_WRITTEN_BY_CUSTOMERS}
    return QueueRow(
        conversation=state,
        reason=None if handoff is None else handoff.reason,
        first_line=first_line(await _first_text(database, state, written)),
        unread=await database.count("messages", {**written, "seq": {"$gt": read.get(state.id, 0)}}),
        customer=(kept.profile or Profile()).customer,
    )


async def _read_by_agents(
    database: MongoDatabase, conversations: Sequence[ConversationId]
) -> Mapping[ConversationId, int]:
    found: list[Any] = await database.find("read_marks", {"_id": {"$in": list(conversations)}})
    return {ConversationId(one["_id"]): int(one["agent"]) for one in found}


async def _first_text(database: MongoDatabase, state: Conversation, written: Query) -> str:
    """Return of what is *written* the first text of the wait, else the latest text, else the latest of any kind."""
    texts = {**written, "kind": str(Kind.TEXT)}
    asked: list[tuple[Query, Sequence[tuple[str, int]]]] = [(texts, [("seq", -1)]), (written, [("seq", -1)])]
    if state.waiting_since_ms is not None:
        asked.insert(0, ({**texts, "at_ms": {"$gte": state.waiting_since_ms}}, [("seq", 1)]))
    for query, order in asked:
        found = await database.find_one("messages", query, order=order)
        if found is not None:
            return str(found["text"])
    return ""


def _by_wait(state: Conversation) -> tuple[bool, int, ConversationId]:
    return state.waiting_since_ms is None, state.waiting_since_ms or 0, state.id


def _ids(found: Iterable[Mapping[str, Any]]) -> tuple[ConversationId, ...]:
    return tuple(ConversationId(one["_id"]) for one in found)

"""What agents write beside the messages: marks, unsent replies, how far was read, canned replies."""

from dataclasses import asdict
from typing import Any

from bot.adapters.mongo.database import MongoDatabase, Query
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import CannedReply, Mark, MarkKind, ReadMarks


async def add_mark(database: MongoDatabase, mark: Mark) -> Mark:
    """Keep a mark, unless an equal one is there; return the one that is kept."""
    one = mark_id(mark.conversation, mark.kind, mark.seq)
    added = {**asdict(mark), "_id": one, "kind": str(mark.kind), "order": await _next(database)}
    if await database.insert("marks", added):
        return mark
    found = await marks(database, {"_id": one})
    return found[0] if found else mark


async def remove_mark(
    database: MongoDatabase, conversation: ConversationId, kind: MarkKind, seq: int
) -> None:
    """Take a mark back."""
    await database.delete("marks", {"_id": mark_id(conversation, kind, seq)})


async def marks(database: MongoDatabase, query: Query) -> tuple[Mark, ...]:
    """Return the marks of *query*, oldest first."""
    found: list[Any] = await database.find("marks", query, order=[("at_ms", 1), ("order", 1)])
    return tuple(map(to_mark, found))


def to_mark(kept: Any) -> Mark:
    """Read a mark."""
    return Mark(
        conversation=ConversationId(kept["conversation"]),
        kind=MarkKind(kept["kind"]),
        seq=kept["seq"],
        agent=AgentId(kept["agent"]),
        at_ms=kept["at_ms"],
        remark=kept["remark"],
    )


async def keep_draft(
    database: MongoDatabase, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
) -> None:
    """Keep an unsent reply, or with an empty text drop it."""
    one = {"_id": f"{conversation}:{agent}"}
    if not text:
        await database.delete("unsent_replies", one)
        return
    kept = {"conversation": conversation, "agent": agent, "text": text, "at_ms": at_ms}
    await database.update("unsent_replies", one, {"$set": kept}, upsert=True)


async def draft(database: MongoDatabase, conversation: ConversationId, agent: AgentId) -> str:
    """Return an unsent reply; empty when there is none."""
    found = await database.find_one("unsent_replies", {"_id": f"{conversation}:{agent}"})
    return "" if found is None else str(found["text"])


async def mark_read(
    database: MongoDatabase, conversation: ConversationId, *, customer: int, agent: int, last_seq: int
) -> ReadMarks:
    """Move the marks forward, no further than there are messages; return them."""
    furthest = ReadMarks().moved(customer=customer, agent=agent, last_seq=last_seq)
    changes = {
        "$max": {"customer": furthest.customer, "agent": furthest.agent},
        "$set": {"conversation": conversation},
    }
    await database.update("read_marks", {"_id": conversation}, changes, upsert=True)
    return await read_marks(database, conversation)


async def read_marks(database: MongoDatabase, conversation: ConversationId) -> ReadMarks:
    """Return how far both sides have read."""
    found: Any = await database.find_one("read_marks", {"_id": conversation})
    return ReadMarks() if found is None else ReadMarks(customer=found["customer"], agent=found["agent"])


async def canned_replies(database: MongoDatabase) -> tuple[CannedReply, ...]:
    """Return the canned replies, in no order."""
    found: list[Any] = await database.find("canned_replies", {})
    return tuple(
        CannedReply(id=one["_id"], title=one["title"], text=one["text"], locale=one["locale"])
        for one in found
    )


async def save_canned_reply(database: MongoDatabase, reply: CannedReply) -> None:
    """Keep a canned reply in place of the one with its id."""
    kept = {"title": reply.title, "text": reply.text, "locale": reply.locale}
    await database.update("canned_replies", {"_id": reply.id}, {"$set": kept}, upsert=True)


def mark_id(conversation: ConversationId, kind: MarkKind, seq: int) -> str:
    """Return what no two marks share."""
    return f"{conversation}:{kind}:{seq}"


async def _next(database: MongoDatabase) -> int:
    """Return a number that grows, for marks of one millisecond."""
    return await database.counted("marks")

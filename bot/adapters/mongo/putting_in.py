"""Puts conversations that were kept elsewhere into a MongoDB database, and reads them back whole, so that both can be compared.

A conversation's own document comes last: one that is there is there with all that belongs to it, and is never written over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pymongo import InsertOne, ReplaceOne

from bot.adapters.mongo.database import Document, MongoDatabase, Order, Write
from bot.adapters.mongo.documents import from_audit, from_handoff, from_message, from_outbox, to_message
from bot.adapters.mongo.keeping import CONVERSATIONS, Kept, to_document, to_kept
from bot.adapters.mongo.putting_in_rows import (
    from_attachment,
    from_mark,
    from_note,
    from_rating,
    from_spending,
    from_turn,
    to_announcement,
    to_attachment,
    to_kept_turn,
    to_mark,
    to_note,
    to_rating,
    to_spending,
    to_unsent_reply,
)
from bot.adapters.mongo.slack import BY_BEGINNING, BY_PLACE, POSTS, post_document, thread_document
from bot.adapters.mongo.slack_inbox import THREADS
from bot.core.belongings import Belongings
from bot.core.conversation import ConversationId, Role
from bot.core.desk import ReadMarks
from bot.core.recording import Record, Written
from bot.stored_rows import to_audit, to_handoff
from bot.stored_slack import to_post, to_thread

AS_MOVED = 1  # the version of a conversation that nothing has happened in since


class MongoContents:
    """What a database holds, for who fills it. Every method may raise StoreUnavailable."""

    def __init__(self, database: MongoDatabase) -> None:
        self.database = database

    async def versions(self) -> Mapping[ConversationId, int]:
        """Return the conversations there are, each with its version."""
        found: list[Any] = await self.database.find(CONVERSATIONS, {}, fields={"version": 1})
        return {ConversationId(one["_id"]): one["version"] for one in found}

    async def put(self, belongings: Belongings) -> None:
        """Write a conversation; what an earlier attempt left of it is written over."""
        for collection, rows in _rows(belongings).items():
            await self.database.write(collection, [_written(collection, row) for row in rows])
        await self.database.insert(CONVERSATIONS, _document(belongings))

    async def belongings(self, conversation: ConversationId) -> Belongings:
        """Return one conversation whole, as it is read back; it must be there."""
        found = await self.database.find_one(CONVERSATIONS, {"_id": conversation})
        kept = to_kept(found or {})
        marks: Any = await self.database.find_one("read_marks", {"_id": conversation})
        return Belongings(
            state=kept.record.state,
            draft=kept.record.draft,
            profile=kept.profile,
            messages=tuple(map(to_message, await self._read("messages", conversation, "seq"))),
            turns=tuple(map(to_kept_turn, await self._read("turns", conversation))),
            handoffs=tuple(map(to_handoff, await self._read("handoffs", conversation))),
            audit=tuple(map(to_audit, await self._read("audit", conversation))),
            outbox=tuple(map(to_announcement, await self._read("outbox", conversation))),
            notes=tuple(map(to_note, await self._read("notes", conversation, "seq"))),
            marks=tuple(map(to_mark, await self._read("marks", conversation))),
            unsent_replies=tuple(
                map(to_unsent_reply, await self._read("unsent_replies", conversation, "agent"))
            ),
            read_marks=None if marks is None else ReadMarks(customer=marks["customer"], agent=marks["agent"]),
            ratings=tuple(map(to_rating, await self._read("ratings", conversation))),
            attachments=tuple(map(to_attachment, await self._read("attachments", conversation))),
            spending=tuple(map(to_spending, await self._read("spending", conversation, "turn"))),
            slack_threads=tuple(map(to_thread, await self._sorted(THREADS, conversation, BY_PLACE))),
            slack_posts=tuple(map(to_post, await self._sorted(POSTS, conversation, BY_BEGINNING))),
        )

    async def _read(self, collection: str, conversation: ConversationId, order: str = "order") -> list[Any]:
        return await self._sorted(collection, conversation, [(order, 1)])

    async def _sorted(self, collection: str, conversation: ConversationId, order: Order) -> list[Any]:
        return await self.database.find(collection, {"conversation": conversation}, order=order)


def _document(belongings: Belongings) -> Document:
    """Return the conversation's own document, as a first write leaves it."""
    open_ones = [row for row in belongings.handoffs if row.closed_ms is None]
    record = Record(
        state=belongings.state,
        draft=belongings.draft,
        handoff=open_ones[-1] if open_ones else None,
        last_message_ms=belongings.messages[-1].at_ms if belongings.messages else 0,
    )
    asked = tuple((one.seq, one.at_ms) for one in belongings.messages if one.role is Role.CUSTOMER)
    kept = Kept(version=AS_MOVED - 1, record=record, unanswered=asked, profile=belongings.profile)
    return to_document(kept, Written(record=record))


def _rows(belongings: Belongings) -> Mapping[str, Sequence[Document]]:
    """Return what belongs to the conversation, by collection."""
    of, marks = belongings.state.id, belongings.read_marks
    return {
        "messages": _ordered([from_message(of, one) for one in belongings.messages]),
        "turns": _ordered([from_turn(of, one) for one in belongings.turns]),
        "handoffs": _ordered([from_handoff(one) for one in belongings.handoffs]),
        "audit": _ordered(
            [
                {**from_audit(one), "_id": f"{of}:{AS_MOVED - 1}:{place}"}
                for place, one in enumerate(belongings.audit)
            ]
        ),
        "outbox": _ordered(
            [{**from_outbox(one.row), "delivered_ms": one.delivered_ms} for one in belongings.outbox]
        ),
        "notes": [from_note(of, one) for one in belongings.notes],
        "marks": _ordered([from_mark(one) for one in belongings.marks]),
        "unsent_replies": [
            {**asdict(one), "_id": f"{of}:{one.agent}", "conversation": of}
            for one in belongings.unsent_replies
        ],
        "read_marks": [] if marks is None else [{**asdict(marks), "_id": of, "conversation": of}],
        "ratings": _ordered([from_rating(of, one) for one in belongings.ratings]),
        "attachments": _ordered([from_attachment(of, one) for one in belongings.attachments]),
        "spending": [from_spending(of, one) for one in belongings.spending],
        THREADS: [thread_document(one) for one in belongings.slack_threads],
        POSTS: [post_document(one) for one in belongings.slack_posts],
    }


def _ordered(rows: Sequence[Document]) -> list[Document]:
    """Number rows below 0, so that all come before what is written later."""
    return [{**row, "order": place - len(rows)} for place, row in enumerate(rows)]


def _written(collection: str, row: Document) -> Write:
    """An attachment never changes, so the one that is there is the same."""
    if collection == "attachments":
        return InsertOne(row)
    return ReplaceOne({"_id": row["_id"]}, row, upsert=True)

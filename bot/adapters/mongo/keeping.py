"""One conversation is one document, and each write to it replaces that document if nobody else did meanwhile.

What a write leaves behind beside the state (messages, the turn, the handoff, audit and outbox rows) stands in the document's journal
with it, so that all of it is there or nothing. It is copied into collections of its own afterwards, by whoever comes first; every row has
an id of its own, so that copying twice changes nothing.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from pymongo import InsertOne, UpdateOne

from bot.adapters.mongo.database import Document, MongoDatabase, Write
from bot.adapters.mongo.documents import (
    from_audit,
    from_conversation,
    from_draft,
    from_handoff,
    from_message,
    from_outbox,
    from_profile,
    from_turn,
    to_conversation,
    to_draft,
    to_profile,
)
from bot.core.conversation import Conversation, ConversationId, Role
from bot.core.customers import Profile
from bot.core.recording import Record, Written
from bot.errors import ConversationUnknown, StoreUnavailable
from bot.stored_rows import to_handoff

log = structlog.get_logger()

CONVERSATIONS = "conversations"
JOURNALED = (
    "messages",
    "turns",
    "handoffs",
    "outbox",
)  # what belongs to a conversation; its audit outlives it
ATTEMPTS = 60  # writers of one conversation at once are few; beyond this something else is wrong
_PAUSE_S = 0.004
_PLACES = 100  # rows that one write leaves behind at most

_CROWDED = f"conversation {{conversation}} was written by others {ATTEMPTS} times in a row"

Decide = Callable[["Kept"], Awaitable[Written | None]]
DecideProfile = Callable[["Kept"], Profile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A conversation's document as it was read: its version, and what decides about the next write.

    `unanswered` are seq and time of the customer's messages that nobody answered; `profile` is who the customer is.
    """

    version: int
    record: Record
    unanswered: tuple[tuple[int, int], ...] = ()
    profile: Profile | None = None
    written_ms: int = 0
    journal: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Reads, decides and writes conversations. Every method may raise StoreUnavailable."""

    database: MongoDatabase
    pause: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep)

    async def read(self, conversation: ConversationId) -> Kept:
        """Return a conversation whose journal is copied; ConversationUnknown when there is none."""
        found = await self.database.find_one(CONVERSATIONS, {"_id": conversation})
        if found is None:
            raise ConversationUnknown(f"there is no conversation {conversation}")
        kept = to_kept(found)
        if kept.journal:
            await self.copy_out(kept)
        return kept

    async def open(self, conversation: Conversation, written: Written) -> bool:
        """Write a new conversation; False when there is one already."""
        return await self.database.insert(CONVERSATIONS, to_document(None, written))

    async def write(self, conversation: ConversationId, decide: Decide) -> tuple[Kept, Written | None]:
        """Let *decide* say what is written, again when somebody else wrote meanwhile; None writes nothing."""
        for attempt in range(ATTEMPTS):
            kept = await self.read(conversation)
            written = await decide(kept)
            if written is None:
                return kept, None
            document = to_document(kept, written)
            if await self._replaced(kept, document):
                await self._copy_soon(to_kept(document))
                return kept, written
            await self._wait_after(attempt)
        raise StoreUnavailable(_CROWDED.format(conversation=conversation))

    async def write_profile(self, conversation: ConversationId, decide: DecideProfile) -> Profile:
        """Let *decide* say who the customer is; ConversationUnknown, and what it raises."""
        for attempt in range(ATTEMPTS):
            kept = await self.read(conversation)
            profile = decide(kept)
            if await self._replaced(
                kept, {**to_document(kept, Written(record=kept.record)), "profile": from_profile(profile)}
            ):
                return profile
            await self._wait_after(attempt)
        raise StoreUnavailable(_CROWDED.format(conversation=conversation))

    async def require_there(self, conversation: ConversationId, *, wrote: str) -> None:
        """Look again after a row was written beside a conversation: ConversationUnknown, and none of its rows in *wrote*, once it is erased."""
        if not await self.database.count(CONVERSATIONS, {"_id": conversation}):
            await self.database.delete(wrote, {"conversation": conversation})
            raise ConversationUnknown(f"there is no conversation {conversation}")

    async def copy_out(self, kept: Kept) -> None:
        """Copy the journal into its collections, and empty it if it is still the one that was read."""
        writes: dict[str, list[Write]] = defaultdict(list)
        for entry in kept.journal:
            writes[entry["into"]] += _copying(entry["into"], entry["row"])
        for collection, rows in writes.items():
            await self.database.write(collection, rows)
        conversation = kept.record.state.id
        emptied = await self.database.update(
            CONVERSATIONS,
            {"_id": conversation, "version": kept.version},
            {"$set": {"journal": [], "unsettled": 0}},
        )
        if not emptied and not await self.database.count(CONVERSATIONS, {"_id": conversation}):
            await self._forget(conversation)  # it was erased meanwhile

    async def copy_all_out(self) -> None:
        """Copy what a process that died had written and not copied."""
        for document in await self.database.find(CONVERSATIONS, {"unsettled": 1}):
            await self.copy_out(to_kept(document))

    async def _replaced(self, kept: Kept, document: Document) -> bool:
        as_read = {"_id": document["_id"], "version": kept.version}
        return await self.database.replace(CONVERSATIONS, as_read, document)

    async def _wait_after(self, attempt: int) -> None:
        """Writers that met once must not meet again."""
        await self.pause(_PAUSE_S * random.random() * min(attempt + 1, 10))  # noqa: S311 - no secret

    async def _copy_soon(self, kept: Kept) -> None:
        """What is written is written: a failure to copy is the next reader's to mend."""
        try:
            await self.copy_out(kept)
        except StoreUnavailable as failure:
            log.warning("journal_not_copied", conversation=kept.record.state.id, error=str(failure))

    async def _forget(self, conversation: ConversationId) -> None:
        for collection in JOURNALED:
            await self.database.delete(collection, {"conversation": conversation})


def to_kept(document: Mapping[str, Any]) -> Kept:
    """Read a conversation's document."""
    handoff = document["handoff"]
    return Kept(
        version=document["version"],
        record=Record(
            state=to_conversation(document),
            draft=to_draft(document["draft"]),
            handoff=None if handoff is None else to_handoff(handoff),
            last_message_ms=document["last_message_ms"],
        ),
        unanswered=tuple((one["seq"], one["at_ms"]) for one in document["unanswered"]),
        profile=None if document["profile"] is None else to_profile(document["profile"]),
        written_ms=document["written_ms"],
        journal=tuple(document["journal"]),
    )


def to_document(kept: Kept | None, written: Written) -> Document:
    """Return the document after a write; *kept* is None for a new conversation."""
    record = written.record
    version = 1 if kept is None else kept.version + 1
    unanswered = _unanswered(kept, written)
    profile = None if kept is None else kept.profile
    journal = _journal(record.state.id, written, version=version)
    return {
        **from_conversation(record.state),
        "version": version,
        "draft": from_draft(record.draft),
        "handoff": None if record.handoff is None else from_handoff(record.handoff),
        "last_message_ms": record.last_message_ms,
        "owes": int(record.state.owes_a_turn),
        "unanswered": [{"seq": seq, "at_ms": at_ms} for seq, at_ms in unanswered],
        "owed_since_ms": max(record.state.owned_since_ms, unanswered[0][1]) if unanswered else 0,
        "written_ms": _written_ms(kept, written),
        "profile": None if profile is None else from_profile(profile),
        "journal": journal,
        "unsettled": int(bool(journal)),
    }


def _written_ms(kept: Kept | None, written: Written) -> int:
    """Return when something happened that others must see, by the clock of who wrote it."""
    before_ms = 0 if kept is None else kept.written_ms
    return max([before_ms, written.record.last_message_ms, *(row.at_ms for row in written.audit)])


def _unanswered(kept: Kept | None, written: Written) -> list[tuple[int, int]]:
    earlier = [] if kept is None else list(kept.unanswered)
    new = [(m.seq, m.at_ms) for m in written.messages if m.role is Role.CUSTOMER]
    return [one for one in [*earlier, *new] if one[0] > written.record.state.answered_seq]


def _journal(conversation: ConversationId, written: Written, *, version: int) -> list[Document]:
    rows: list[tuple[str, Document]] = [("messages", from_message(conversation, m)) for m in written.messages]
    if written.turn is not None:
        rows.append(("turns", from_turn(written.turn)))
    if written.handoff is not None:
        rows.append(("handoffs", from_handoff(written.handoff)))
    rows += [("audit", from_audit(row)) for row in written.audit]
    rows += [("outbox", from_outbox(row)) for row in written.outbox]
    return [
        {
            "into": into,
            "row": {"_id": f"{conversation}:{version}:{place}", **row, "order": version * _PLACES + place},
        }
        for place, (into, row) in enumerate(rows)
    ]


def _copying(into: str, row: Document) -> list[Write]:
    """Rows are never changed once they are written, but a handoff's, of which the newest counts."""
    if into != "handoffs":
        return [InsertOne(row)]
    newer = {key: value for key, value in row.items() if key != "_id"}
    return [InsertOne(row), UpdateOne({"_id": row["_id"], "order": {"$lt": row["order"]}}, {"$set": newer})]

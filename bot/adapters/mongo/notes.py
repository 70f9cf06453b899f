"""The notes collection: what agents read beside a conversation, under a sequence of its own."""

from dataclasses import asdict

from bot.adapters.mongo.database import MongoDatabase
from bot.core.conversation import ConversationId
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note, summary_key
from bot.errors import StoreUnavailable
from bot.stored_rows import to_handoff, to_note

_ATTEMPTS = 20  # of writers of one conversation's notes at once
_OLDEST = [("seq", 1)]


async def add(database: MongoDatabase, conversation: ConversationId, note: Note) -> Note:
    """Store a note under the next seq; the stored one when its key was used."""
    for _ in range(_ATTEMPTS):
        if note.key is not None:
            stored = await database.find_one("notes", {"conversation": conversation, "once": once(note)})
            if stored is not None:
                return to_note(stored)
        newest = await database.find_one("notes", {"conversation": conversation}, order=[("seq", -1)])
        seq = 1 if newest is None else to_note(newest).seq + 1
        document = {
            **asdict(note),
            "_id": f"{conversation}:{seq}",
            "conversation": conversation,
            "seq": seq,
            "once": once(note, seq=seq),
        }
        if await database.insert("notes", document):
            return to_note(document)
    raise StoreUnavailable(f"the notes of {conversation} were written by others {_ATTEMPTS} times in a row")


async def notes(database: MongoDatabase, conversation: ConversationId) -> tuple[Note, ...]:
    """Return the notes, oldest first."""
    found = await database.find("notes", {"conversation": conversation}, order=_OLDEST)
    return tuple(to_note(one) for one in found)


async def unsummarised(
    database: MongoDatabase, *, opened_before_ms: int, limit: int
) -> tuple[HandoffRow, ...]:
    """Return open handoffs without a summary, oldest first."""
    query = {"closed_ms": None, "opened_ms": {"$lt": opened_before_ms}}
    found = await database.find("handoffs", query, order=[("opened_ms", 1), ("conversation", 1)])
    rows = [to_handoff(one) for one in found]
    keys = sorted({f"key:{summary_key(row.epoch)}" for row in rows})
    summed_up = await database.find("notes", {"once": {"$in": keys}}) if keys else []
    written = {(one["conversation"], one["once"]) for one in summed_up}
    open_ones = [row for row in rows if (row.conversation, f"key:{summary_key(row.epoch)}") not in written]
    return tuple(open_ones[:limit])


def once(note: Note, *, seq: int = 0) -> str:
    """Return what no other note of the conversation may have: its key, or its seq where it has none."""
    return f"seq:{seq}" if note.key is None else f"key:{note.key}"

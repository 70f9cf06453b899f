"""Erasure on MongoDB. Every collection is asked for the conversation, so that none that is added later is forgotten.

An erasure is noted first and then carried out; what a crash leaves of it, `finish` removes.
"""

from collections.abc import Sequence
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.documents import from_audit, to_conversation, to_turn
from bot.adapters.mongo.keeping import CONVERSATIONS
from bot.adapters.mongo.slack_inbox import forget_payloads
from bot.core.conversation import Conversation, ConversationId, Status
from bot.core.erasure import Erased, erasure_row
from bot.core.evidence import reduced
from bot.errors import StoreUnavailable
from bot.stored_turns import from_turn

LASTING = frozenset({"audit", "erased", CONVERSATIONS})  # what stays, and what goes last
_ATTEMPTS = 100
_NEWEST = 1_000  # erasures whose rows are looked for at each start: whoever wrote late and died did so lately


async def erase(
    database: MongoDatabase, conversations: Sequence[ConversationId], *, who: str, at_ms: int
) -> tuple[ConversationId, ...]:
    """Remove those that are there."""
    found = await database.find(CONVERSATIONS, {"_id": {"$in": list(dict.fromkeys(conversations))}})
    states = {state.id: state for state in map(to_conversation, found)}
    there = [one for one in dict.fromkeys(conversations) if one in states]
    for one in there:
        await _note(database, states[one], who=who, at_ms=at_ms)
        await remove(database, one)
    return tuple(there)


async def finish(database: MongoDatabase) -> None:
    """Remove what an erasure that was cut off, a late write, or a backup left of conversations that are noted as erased."""
    noted = [
        ConversationId(str(one["_id"])) for one in await database.find("erased", {}, order=[("number", -1)])
    ]
    left = await database.find(CONVERSATIONS, {"_id": {"$in": noted}}, fields={"version": 1}) if noted else []
    for one in left:
        await remove(database, ConversationId(str(one["_id"])))
    await _remove_rows(database, noted[:_NEWEST])


async def remove(database: MongoDatabase, conversation: ConversationId) -> None:
    """Remove what belongs to a conversation, and then the conversation, by which a cut-off removal is known.

    Until the conversation is gone others may write to it, so what belongs to it is removed once more.
    """
    found: Any = await database.find_one(CONVERSATIONS, {"_id": conversation})
    await forget_payloads(database, conversation)  # by its threads, as long as they are there
    await _remove_rows(database, [conversation])
    await database.delete(CONVERSATIONS, {"_id": conversation})
    await _remove_rows(database, [conversation])
    profile = None if found is None else found["profile"]
    if profile is not None and profile["subject"] is not None:
        await _forget_subject(database, profile["subject"])


async def belonging(database: MongoDatabase) -> tuple[str, ...]:
    """Return the collections whose documents may belong to a conversation."""
    return tuple(one for one in await database.collections() if one not in LASTING)


async def erased(database: MongoDatabase, after: int) -> tuple[Erased, ...]:
    """Return what was erased since the erasure of that number."""
    found = await database.find("erased", {"number": {"$gt": after}}, order=[("number", 1)])
    return tuple(map(to_erased, found))


async def erasure_of(database: MongoDatabase, conversation: ConversationId) -> Erased | None:
    """Return when it was erased."""
    found = await database.find_one("erased", {"_id": conversation})
    return None if found is None else to_erased(found)


async def idle(database: MongoDatabase, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
    """Return those that nothing has happened in; who waits or is being answered is never idle."""
    query = {
        "status": {"$in": [str(Status.BOT), str(Status.RESOLVED)]},
        "created_ms": {"$lt": since_ms},
        "owned_since_ms": {"$lt": since_ms},
        "last_message_ms": {"$lt": since_ms},
    }
    found = await database.find(CONVERSATIONS, query, order=[("created_ms", 1), ("_id", 1)], limit=limit)
    return tuple(ConversationId(str(one["_id"])) for one in found)


async def reduce_evidence(database: MongoDatabase, *, settled_before_ms: int, limit: int) -> int:
    """Write the records of old turns anew; return how many were."""
    old = {"reduced": {"$ne": 1}, "settled_ms": {"$lt": settled_before_ms}}
    found: list[Any] = await database.find("turns", old, order=[("settled_ms", 1)], limit=limit)
    for one in found:
        record = from_turn(reduced(to_turn(one)))
        await database.update("turns", {"_id": one["_id"]}, {"$set": {"record": record, "reduced": 1}})
    return len(found)


async def _note(database: MongoDatabase, state: Conversation, *, who: str, at_ms: int) -> None:
    for _ in range(_ATTEMPTS):
        if await database.count("erased", {"_id": state.id}):
            break
        newest: Any = await database.find_one("erased", {}, order=[("number", -1)])
        # Taken by what is there, not counted apart: whoever has seen a number has seen all before it.
        number = 1 if newest is None else newest["number"] + 1
        if await database.insert("erased", {"_id": state.id, "number": number, "at_ms": at_ms}):
            break
    else:
        raise StoreUnavailable(f"others erased {_ATTEMPTS} conversations in a row meanwhile")
    row = from_audit(erasure_row(state, who=who, at_ms=at_ms))
    await database.insert("audit", {**row, "_id": f"{state.id}:erased", "order": _LAST})


async def _remove_rows(database: MongoDatabase, conversations: Sequence[ConversationId]) -> None:
    if not conversations:
        return
    for collection in await belonging(database):
        await database.delete(collection, {"conversation": {"$in": list(conversations)}})


async def _forget_subject(database: MongoDatabase, subject: str) -> None:
    """Forget a customer who has no conversation left."""
    if not await database.count(CONVERSATIONS, {"profile.subject": subject}):
        await database.delete("subjects", {"_id": subject})
        await database.delete("sign_outs", {"_id": subject})


def to_erased(kept: Any) -> Erased:
    return Erased(number=kept["number"], conversation=ConversationId(kept["_id"]), at_ms=kept["at_ms"])


_LAST = 2**53  # after every row that a conversation's writes leave behind

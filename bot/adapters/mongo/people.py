"""What is kept of a person: where they occur, and all of it, document by document."""

import base64
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.erasing import belonging
from bot.adapters.mongo.keeping import CONVERSATIONS, to_kept
from bot.core.conversation import ConversationId, Role
from bot.core.erasure import FoundBy, Trace, names_address
from bot.core.searching import indexed_words

_OURS = frozenset(
    {"once", "order", "words", "version", "journal", "unsettled", "owes"}
)  # tell nothing of the person
_JSON = frozenset({"record"})


async def traces_of(database: MongoDatabase, person: str) -> tuple[Trace, ...]:
    """Return where a subject or an address occurs, the latest opened first."""
    found = await _written(database, person) if "@" in person else {}
    for one in await database.find(CONVERSATIONS, {"profile": {"$ne": None}}):
        kept = to_kept(one)
        if kept.profile is None:
            continue
        if kept.profile.customer.subject == person:
            found[kept.record.state.id] = FoundBy.SUBJECT
        elif "@" in person and (kept.profile.customer.email or "").lower() == person.lower():
            found[kept.record.state.id] = FoundBy.EMAIL
    documents = await database.find(CONVERSATIONS, {"_id": {"$in": list(found)}})
    states = [to_kept(one).record.state for one in documents]
    traces = [
        Trace(conversation=one.id, by=found[one.id], created_ms=one.created_ms, messages=one.last_seq)
        for one in states
    ]
    return tuple(sorted(traces, key=lambda trace: (-trace.created_ms, trace.conversation)))


async def everything(database: MongoDatabase, conversation: ConversationId) -> Mapping[str, object]:
    """Return each collection's documents of a conversation; collections without any are left out."""
    own = await database.find(CONVERSATIONS, {"_id": conversation})
    kept: dict[str, list[dict[str, object]]] = {CONVERSATIONS: _shown(own)}
    for collection in (*await belonging(database), "audit"):
        kept[collection] = _shown(await database.find(collection, {"conversation": conversation}))
    profile = to_kept(own[0]).profile
    if profile is not None and profile.customer.subject is not None:
        kept["sign_outs"] = _shown(await database.find("sign_outs", {"_id": profile.customer.subject}))
    return {collection: found for collection, found in kept.items() if found}


async def _written(database: MongoDatabase, address: str) -> dict[ConversationId, FoundBy]:
    """Return where somebody whom nobody vouches for wrote the address."""
    words = [{"words": word} for word in indexed_words(address)]
    found: list[Any] = (
        await database.find("messages", {"$and": words, "role": str(Role.CUSTOMER)}) if words else []
    )
    naming = {ConversationId(one["conversation"]) for one in found if names_address(one["text"], address)}
    vouched = await database.find(CONVERSATIONS, {"_id": {"$in": sorted(naming)}, "profile": {"$ne": None}})
    known = {
        one.record.state.id for one in map(to_kept, vouched) if one.profile and one.profile.customer.verified
    }
    return dict.fromkeys(sorted(naming - known), FoundBy.WRITTEN)


def _shown(documents: Iterable[Mapping[str, Any]]) -> list[dict[str, object]]:
    return [
        {name: _value(name, value) for name, value in one.items() if name not in _OURS} for one in documents
    ]


def _value(name: str, value: object) -> object:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if name in _JSON and isinstance(value, str):
        with suppress(ValueError):
            return json.loads(value)
    return value

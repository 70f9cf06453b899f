"""Which messages of a conversation no longer stand: a document is never changed, so that its revisions say so."""

from collections import defaultdict
from collections.abc import Collection

from bot.adapters.mongo.database import MongoDatabase, Query
from bot.adapters.mongo.documents import to_message
from bot.core.conversation import ConversationId, Kind, Message
from bot.core.revisions import outdated


async def outdated_in(database: MongoDatabase, conversations: Collection[ConversationId]) -> frozenset[str]:
    """Return the ids of the documents that `core.revisions.outdated` names in these conversations."""
    revising: Query = {"$or": [{"revises": {"$ne": None}}, {"kind": str(Kind.TOMBSTONE)}]}
    query: Query = {"conversation": {"$in": sorted(set(conversations))}, **revising}
    revisions: dict[str, list[Message]] = defaultdict(list)
    for one in await database.find("messages", query) if conversations else []:
        revisions[str(one["conversation"])].append(to_message(one))
    return frozenset(f"{of}:{seq}" for of, messages in revisions.items() for seq in outdated(messages))

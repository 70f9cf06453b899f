"""The search over past conversations: the words of each message that customers could see stand beside it, under an index."""

from collections.abc import Sequence
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.documents import to_message
from bot.adapters.mongo.keeping import CONVERSATIONS, to_kept
from bot.adapters.mongo.outdated import outdated_in
from bot.core.conversation import ConversationId, Message
from bot.core.customers import Profile
from bot.core.desk import Found
from bot.core.searching import excerpt, holds, indexed_words, searched_words

_NEWEST = [("at_ms", -1), ("conversation", 1), ("seq", -1)]
_FIRST_READ = 200  # messages that hold the words; four times as many until enough conversations are found
_AFTER_ALL = "\uffff"  # sorts behind every word that begins alike


async def search(database: MongoDatabase, text: str, *, limit: int) -> tuple[Found, ...]:
    """Return conversations with a message that holds each word of *text*, newest match first."""
    words = searched_words(text)
    matches = await _newest_matches(database, words, limit) if words else {}
    found: list[Any] = await database.find(CONVERSATIONS, {"_id": {"$in": list(matches)}})
    kept = {one.record.state.id: one for one in map(to_kept, found)}
    rows = [
        Found(
            conversation=kept[conversation].record.state,
            seq=message.seq if message.revises is None else message.revises,
            at_ms=message.at_ms,
            excerpt=excerpt(message.text, words),
            customer=(kept[conversation].profile or Profile()).customer,
        )
        for conversation, message in matches.items()
        if conversation in kept
    ]
    return tuple(sorted(rows, key=lambda one: (-one.at_ms, one.conversation.id)))


async def _newest_matches(
    database: MongoDatabase, words: Sequence[str], limit: int
) -> dict[ConversationId, Message]:
    """Return the newest matching message of each conversation; the index knows words, `holds` their order too."""
    beginnings = [{"words": {"$elemMatch": _from(token)}} for word in words for token in indexed_words(word)]
    newest: dict[ConversationId, Message] = {}
    read, asked = 0, _FIRST_READ
    while len(newest) < limit:
        found: list[Any] = await database.find("messages", {"$and": beginnings}, order=_NEWEST, limit=asked)
        new = found[read:]
        gone = await outdated_in(database, [ConversationId(one["conversation"]) for one in new])
        for one in new:
            message, conversation = to_message(one), ConversationId(one["conversation"])
            if len(newest) < limit and one["_id"] not in gone and holds(message.text, words):
                newest.setdefault(conversation, message)
        if len(found) < asked:
            break
        read, asked = asked, asked * 4
    return newest


def _from(beginning: str) -> dict[str, str]:
    return {"$gte": beginning, "$lt": beginning + _AFTER_ALL}

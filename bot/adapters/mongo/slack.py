"""The Slack store on MongoDB: a thread's id is its place and a post's id its key, so that of several at once one is kept."""

from collections.abc import Mapping
from typing import Any

from bot.adapters.mongo.database import Document, MongoDatabase
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping
from bot.adapters.mongo.slack_inbox import THREADS, MongoSlackInbox
from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import Place, Side, SlackPerson, SlackPost, SlackThread
from bot.errors import StoreUnavailable
from bot.stored_slack import from_person, from_post, from_thread, to_person, to_post, to_thread

POSTS, PEOPLE = "slack_posts", "slack_people"
BY_PLACE = [("side", 1), ("spell", 1), ("team", 1), ("channel", 1), ("thread_ts", 1)]
BY_BEGINNING = [("begun_ms", 1), ("_id", 1)]
_ATTEMPTS = 20  # each finds what was just erased


class MongoSlackStore(MongoSlackInbox):
    """What is kept of Slack, in the database that the conversations are in."""

    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database)
        self._keeping = Keeping(database=database)

    async def bind(self, thread: SlackThread) -> SlackThread:
        stored = await self._kept_once(THREADS, thread_document(thread))
        return thread if stored is None else to_thread(stored)

    async def thread(self, place: Place, side: Side) -> SlackThread | None:
        found = await self._database.find_one(THREADS, {"_id": _thread_id(place, side)})
        return None if found is None else to_thread(found)

    async def threads_of(self, conversation: ConversationId) -> tuple[SlackThread, ...]:
        found = await self._database.find(THREADS, {"conversation": conversation}, order=BY_PLACE)
        return tuple(map(to_thread, found))

    async def shown(self, thread: SlackThread, *, seq: int = 0, note: int = 0) -> None:
        one = {"_id": _thread_id(thread.place, thread.side), "conversation": thread.conversation}
        await self._database.update(THREADS, one, {"$max": {"shown_seq": seq, "shown_note": note}})

    async def begin_post(self, post: SlackPost) -> SlackPost:
        stored = await self._kept_once(POSTS, post_document(post))
        return post if stored is None else to_post(stored)

    async def posted(self, key: str, *, ts: str, digest: str) -> None:
        await self._database.update(POSTS, {"_id": key}, {"$set": {"ts": ts, "digest": digest}})

    async def post(self, key: str) -> SlackPost | None:
        return await self._post({"_id": key})

    async def posts_of(self, conversation: ConversationId) -> tuple[SlackPost, ...]:
        found = await self._database.find(POSTS, {"conversation": conversation}, order=BY_BEGINNING)
        return tuple(map(to_post, found))

    async def drop_post(self, key: str) -> None:
        await self._database.delete(POSTS, {"_id": key})

    async def post_at(self, place_channel: str, ts: str) -> SlackPost | None:
        return await self._post({"channel": place_channel, "ts": ts})

    async def link(self, person: SlackPerson) -> None:
        document = person_document(person)
        one = {"_id": document.pop("_id")}
        await self._database.update(PEOPLE, one, {"$set": document}, upsert=True)

    async def person(self, team: str, user: str) -> SlackPerson | None:
        return await self._person({"_id": f"{team}:{user}"})

    async def person_of(self, agent: AgentId) -> SlackPerson | None:
        return await self._person({"agent": agent})

    async def _kept_once(self, collection: str, document: Document) -> Any | None:
        """Write a new document and return None, or return the one that is there already.

        One whose conversation is gone, because its writer died before it looked again, makes room.
        """
        one = {"_id": document["_id"]}
        for _ in range(_ATTEMPTS):
            if await self._database.insert(collection, document):
                await self._keeping.require_there(_conversation_of(document), wrote=collection)
                return None
            stored = await self._database.find_one(collection, one)
            if stored is not None:
                of = _conversation_of(stored)
                if await self._database.count(CONVERSATIONS, {"_id": of}):
                    return stored
                await self._database.delete(collection, {**one, "conversation": of})
        raise StoreUnavailable(f"{document['_id']} was erased {_ATTEMPTS} times in a row")

    async def _post(self, query: Mapping[str, object]) -> SlackPost | None:
        found = await self._database.find_one(POSTS, query)
        return None if found is None else to_post(found)

    async def _person(self, query: Mapping[str, object]) -> SlackPerson | None:
        found = await self._database.find_one(PEOPLE, query, order=[("team", 1), ("user", 1)])
        return None if found is None else to_person(found)


def thread_document(thread: SlackThread) -> Document:
    """Return a thread's document."""
    return {**from_thread(thread), "_id": _thread_id(thread.place, thread.side)}


def post_document(post: SlackPost) -> Document:
    """Return a post's document."""
    return {**from_post(post), "_id": post.key}


def person_document(person: SlackPerson) -> Document:
    """Return a person's document."""
    return {**from_person(person), "_id": f"{person.team}:{person.user}"}


def _thread_id(place: Place, side: Side) -> str:
    return f"{side}:{place.team}:{place.channel}:{place.thread_ts}"


def _conversation_of(document: Mapping[str, object]) -> ConversationId:
    return ConversationId(str(document["conversation"]))

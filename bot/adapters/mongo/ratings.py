"""The rating store on MongoDB: every rating is kept, the last of an episode counts."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import Keeping
from bot.core.conversation import ConversationId
from bot.core.ratings import Rating, in_force, is_repeat
from bot.errors import MessageConflict

_GIVEN = [("order", 1)]


class MongoRatingStore:
    """The ratings in the database that the conversations are in."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._keeping = Keeping(database=database)

    async def rate(self, conversation: ConversationId, rating: Rating) -> Rating:
        await self._keeping.read(conversation)
        one = f"{conversation}:{rating.message_id}"
        document = {**asdict(rating), "_id": one, "conversation": conversation}
        if await self._database.insert(
            "ratings", {**document, "order": await self._database.counted("ratings")}
        ):
            await self._keeping.require_there(conversation, wrote="ratings")
            return rating
        stored = to_rating(await self._database.find_one("ratings", {"_id": one}) or document)
        if not is_repeat(stored, rating):
            raise MessageConflict(f"rating {rating.message_id} came before with another body")
        return stored

    async def ratings(self, conversation: ConversationId) -> tuple[Rating, ...]:
        await self._keeping.read(conversation)
        found = await self._database.find("ratings", {"conversation": conversation}, order=_GIVEN)
        return in_force(map(to_rating, found))

    async def scores(self, *, since_ms: int, until_ms: int) -> tuple[int, ...]:
        span = {"at_ms": {"$gte": since_ms, "$lt": until_ms}}
        given: list[Any] = await self._database.find("ratings", span)
        of_them = {"conversation": {"$in": sorted({one["conversation"] for one in given})}}
        every: list[Any] = await self._database.find("ratings", of_them, order=_GIVEN) if given else []
        last = {(one["conversation"], one["episode"]): one for one in every}
        return tuple(one["score"] for one in last.values() if since_ms <= one["at_ms"] < until_ms)


def to_rating(kept: Mapping[str, Any]) -> Rating:
    """Read a rating."""
    return Rating(
        message_id=kept["message_id"],
        episode=kept["episode"],
        score=kept["score"],
        comment=kept["comment"],
        at_ms=kept["at_ms"],
    )

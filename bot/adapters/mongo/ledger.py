"""The ledger on MongoDB: one document for each turn that asked for a draft, and one that lets a single draft be counted at a time.

The one that is being counted stands in that document, which is replaced under its version; whoever comes next writes it to its own.
"""

import asyncio
import random
from typing import Any

from bot.adapters.mongo.database import Document, MongoDatabase
from bot.core.caps import Caps, Spending, Spent, SpentInADay, cap_reached
from bot.core.conversation import ConversationId
from bot.errors import StoreUnavailable

_ATTEMPTS = 200  # every draft of every process is counted through one document
_PAUSE_S = 0.004
_SUMS = {"turns": {"$sum": 1}, "tokens": {"$sum": "$tokens"}, "micro_usd": {"$sum": "$micro_usd"}}


class MongoLedger:
    """Counts in the database that the conversations are in, which all processes share."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database

    async def spent(self, conversation: ConversationId, *, since_ms: int) -> SpentInADay:
        await self._counted_by_others()
        return await self._spent(conversation, since_ms)

    async def spend(self, spending: Spending, *, caps: Caps, since_ms: int) -> str | None:
        for attempt in range(_ATTEMPTS):
            version = await self._counted_by_others()
            if reached := cap_reached(caps, await self._spent(spending.conversation, since_ms)):
                return reached
            document: Document = {"_id": "ledger", "version": version + 1, "counting": _from(spending)}
            if await self._database.put("ledger", document, version=version + 1):
                await self._write(version + 1, _from(spending))
                return None
            await asyncio.sleep(_PAUSE_S * random.random() * min(attempt + 1, 10))  # noqa: S311 - no secret
        raise StoreUnavailable(f"drafts were counted by others {_ATTEMPTS} times in a row")

    async def _counted_by_others(self) -> int:
        """Write what another process was counting, perhaps when it died; return the ledger's version."""
        found: Any = await self._database.find_one("ledger", {"_id": "ledger"})
        if found is None:
            return 0
        await self._write(int(found["version"]), found["counting"])
        return int(found["version"])

    async def _write(self, version: int, counting: Document) -> None:
        """A turn is counted twice, before it asks and after; of its two counts the later one stays, whoever is late."""
        if await self._database.count("erased", {"_id": counting["conversation"]}):
            return
        turn = {"_id": counting["turn"]}
        if not await self._database.insert("spending", {**turn, **counting, "version": version}):
            newer = {**turn, "version": {"$lt": version}}
            await self._database.update("spending", newer, {"$set": {**counting, "version": version}})

    async def _spent(self, conversation: ConversationId, since_ms: int) -> SpentInADay:
        since = {"at_ms": {"$gte": since_ms}}
        here: list[Document] = [
            {"$match": {"conversation": conversation, **since}},
            {"$group": {"_id": None, **_SUMS}},
        ]
        everywhere: list[Document] = [{"$match": since}, {"$group": {"_id": None, **_SUMS}}]
        return SpentInADay(
            conversation=_to_spent(await self._database.gather("spending", here)),
            overall=_to_spent(await self._database.gather("spending", everywhere)),
        )


def _from(spending: Spending) -> Document:
    return {
        "turn": spending.turn,
        "conversation": spending.conversation,
        "at_ms": spending.at_ms,
        "tokens": spending.tokens,
        "micro_usd": spending.micro_usd,
    }


def _to_spent(sums: list[Any]) -> Spent:
    if not sums:
        return Spent()
    return Spent(turns=sums[0]["turns"], tokens=sums[0]["tokens"], micro_usd=sums[0]["micro_usd"])

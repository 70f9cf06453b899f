"""What other processes have written since one looked last: the conversations and notes of the last moments, each told once."""

from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import CONVERSATIONS
from bot.core.conversation import ConversationId
from bot.ports import Clock

LOOKED_BACK_MS = 10_000  # clocks of two machines may differ, and a write may take its time
_MOST = 5_000  # conversations of that time

NOTHING = frozenset[ConversationId]()


class MongoElsewhere:
    """The port on MongoDB, by asking."""

    def __init__(self, database: MongoDatabase, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._seen: dict[str, int] | None = None

    async def changed(self) -> frozenset[ConversationId]:
        before, self._seen = self._seen, await self._recent()
        if before is None:
            return NOTHING
        changed = {one for one, version in self._seen.items() if before.get(one) != version}
        return frozenset(ConversationId(one) for one in changed)

    async def _recent(self) -> dict[str, int]:
        """Return what each conversation of the last moments is at; a note makes it more, as a write does."""
        since = {"$gte": self._clock.now_ms() - LOOKED_BACK_MS}
        written: list[Any] = await self._database.find(
            CONVERSATIONS, {"written_ms": since}, limit=_MOST, fields={"version": 1}
        )
        noted: list[Any] = await self._database.find(
            "notes", {"at_ms": since}, limit=_MOST, fields={"conversation": 1, "seq": 1}
        )
        recent = {str(one["_id"]): int(one["version"]) for one in written}
        for note in noted:
            recent[note["conversation"]] = recent.get(note["conversation"], 0) + 1
        return recent

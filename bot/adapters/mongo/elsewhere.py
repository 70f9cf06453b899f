"""What other processes have written since one looked last: the conversations and notes of the last moments, each told once.

Where the server has change streams, they say when to look. One that ends, or is not to be had, costs nothing but that: who looks
every moment anyway misses nothing, whatever a stream has lost.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import structlog

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import CONVERSATIONS
from bot.core.conversation import ConversationId
from bot.errors import StoreUnavailable
from bot.ports import Clock

log = structlog.get_logger()

LOOKED_BACK_MS = 10_000  # clocks of two machines may differ, and a write may take its time
FOLLOWED = (CONVERSATIONS, "notes")
AGAIN_S = 1.0  # after a stream ended; doubled each time, because a server without any will not have one soon
_AGAIN_AT_MOST_S = 60.0
_GATHERED_S = 0.02  # what is written in one moment is read at once
_MOST = 5_000  # conversations of that time

NOTHING = frozenset[ConversationId]()


class MongoElsewhere:
    """The port on MongoDB, by asking."""

    def __init__(self, database: MongoDatabase, *, clock: Clock, again_s: float = AGAIN_S) -> None:
        self._database = database
        self._clock = clock
        self._again_s = again_s
        self._seen: dict[str, int] | None = None
        self._woken = asyncio.Event()

    async def changed(self) -> frozenset[ConversationId]:
        before, self._seen = self._seen, await self._recent()
        if before is None:
            return NOTHING
        changed = {one for one, version in self._seen.items() if before.get(one) != version}
        return frozenset(ConversationId(one) for one in changed)

    async def woken(self, *, within_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._woken.wait()
                await asyncio.sleep(_GATHERED_S)
        self._woken.clear()

    async def follow(self, collection: str) -> None:
        """Wake whoever waits at every change of a collection, until cancelled."""
        wait_s = self._again_s
        while True:
            try:
                async for _ in self._database.changes(collection):
                    self._woken.set()
                    wait_s = self._again_s
                log.warning("change_stream_ended", collection=collection)
            except StoreUnavailable as failure:
                log.warning("change_stream_ended", collection=collection, error=str(failure))
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _AGAIN_AT_MOST_S)

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


@asynccontextmanager
async def opened_elsewhere(database: MongoDatabase, *, clock: Clock) -> AsyncIterator[MongoElsewhere]:
    """Follow the changes until the end."""
    elsewhere = MongoElsewhere(database, clock=clock)
    async with AsyncExitStack() as stack:
        for collection in FOLLOWED:
            await stack.enter_async_context(_running(elsewhere, collection))
        yield elsewhere


@asynccontextmanager
async def _running(elsewhere: MongoElsewhere, collection: str) -> AsyncIterator[None]:
    task = asyncio.create_task(elsewhere.follow(collection))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

"""A database whose every call waits for its turn, and what gives the turns: a schedule of several processes, to repeat from a seed."""

import asyncio
import random
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bot.adapters.mongo.database import Document, MongoDatabase, Order, Query, Write
from bot.errors import Refused

_WORK = "work"
_DEATH = 0.06  # at each of its calls

Process = str
Work = Coroutine[None, None, object]


@dataclass(slots=True, kw_only=True)
class Schedule:
    """Lets one call after the other be made, by whichever work chance picks. A process that dies has made its last."""

    chance: random.Random
    _waiting: dict[asyncio.Task[None], asyncio.Future[None]] = field(default_factory=dict)
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def turn(self) -> None:
        """Wait until it is the turn of the work that calls; work that is in no schedule does not wait."""
        task: Any = asyncio.current_task()
        if task.get_name() != _WORK:
            return
        self._waiting[task] = asyncio.get_running_loop().create_future()
        self._moved.set()
        await self._waiting[task]

    async def run(self, works: Sequence[tuple[Process, Work]], *, dies: Process | None = None) -> None:
        """Do all of it; the process that *dies* does so at some call."""
        tasks = {asyncio.create_task(_tried(work), name=_WORK): process for process, work in works}
        for task in tasks:
            task.add_done_callback(lambda _: self._moved.set())
        while waiting := await self._all_wait(tasks):
            picked = self.chance.choice(waiting)
            if tasks[picked] == dies and self.chance.random() < _DEATH:
                await self._die([task for task in tasks if tasks[task] == dies])
                continue
            self._waiting.pop(picked).set_result(None)
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in tasks:
            if not task.cancelled():
                task.result()

    async def _all_wait(self, tasks: Mapping[asyncio.Task[None], Process]) -> list[asyncio.Task[None]]:
        """Return the works that wait, in their order, when no other goes on."""
        while True:
            self._moved.clear()
            if all(task.done() or task in self._waiting for task in tasks):
                return [task for task in tasks if task in self._waiting and not task.done()]
            await self._moved.wait()

    async def _die(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
            self._waiting.pop(task, None)
        await asyncio.gather(*tasks, return_exceptions=True)


class SteppedDatabase(MongoDatabase):
    """Takes turns; several writes to a collection are made one by one."""

    def __init__(self, database: Any, schedule: Schedule) -> None:
        super().__init__(database)
        self._schedule = schedule

    async def find(
        self,
        collection: str,
        query: Query,
        *,
        order: Order = (),
        limit: int | None = None,
        fields: Mapping[str, int] | None = None,
    ) -> list[Document]:
        await self._schedule.turn()
        return await super().find(collection, query, order=order, limit=limit, fields=fields)

    async def count(self, collection: str, query: Query) -> int:
        await self._schedule.turn()
        return await super().count(collection, query)

    async def insert(self, collection: str, document: Document) -> bool:
        await self._schedule.turn()
        return await super().insert(collection, document)

    async def replace(self, collection: str, query: Query, document: Document) -> bool:
        await self._schedule.turn()
        return await super().replace(collection, query, document)

    async def update(self, collection: str, query: Query, changes: Query, *, upsert: bool = False) -> bool:
        await self._schedule.turn()
        return await super().update(collection, query, changes, upsert=upsert)

    async def write(self, collection: str, writes: Sequence[Write]) -> None:
        for one in writes:
            await self._schedule.turn()
            await super().write(collection, [one])

    async def delete(self, collection: str, query: Query) -> int:
        await self._schedule.turn()
        return await super().delete(collection, query)


async def _tried(work: Work) -> None:
    with suppress(Refused):
        await work

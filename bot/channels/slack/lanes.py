"""Work that is done one after another within a lane, in the order in which it came, and at once across lanes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary


@dataclass(slots=True)
class Lanes:
    """One lock a lane, for as long as somebody has it or waits for it."""

    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @asynccontextmanager
    async def turn(self, lane: str) -> AsyncIterator[None]:
        """Wait until whoever came before is done."""
        lock = self._locks.get(lane)
        if lock is None:
            lock = self._locks[lane] = asyncio.Lock()
        async with lock:
            yield

"""Work under the one lock of the knowledge base, whose lease is renewed meanwhile (FAULTS K10).

The fence against a late writer is the store's: it refuses an old token. Ending the work here only spares it the rest.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from bot.errors import StoreUnavailable
from bot.ports import Clock
from bot.sync_ports import KnowledgeWriter

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who takes the lock, how long it is theirs without a sign of life, and how often they give one."""

    holder: str = "kb_sync"
    length_s: float = 600.0
    renewed_every_s: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def lease_of_this_process() -> Lease:
    """Return the lease that a person can find the holder of."""
    return Lease(holder=f"{socket.gethostname()} (process {os.getpid()})")


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncLocking:
    """The lock, and how this process holds it."""

    writer: KnowledgeWriter
    clock: Clock
    lease: Lease

    async def hold(self, work: Callable[[int], Coroutine[None, None, Done]]) -> Done:
        """Do *work* with the lock's token. SyncBusy when another holds the lock, SyncFenced when another takes it over."""
        token = self.writer.take_lock(
            self.lease.holder, now_ms=self.clock.now_ms(), until_ms=self._until_ms()
        )
        working = asyncio.create_task(work(token))
        renewing = asyncio.create_task(self._renew(token))
        try:
            await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                renewing.result()  # raises: it ends only when the lease cannot be renewed
            return working.result()
        finally:
            await _ended(working, renewing)
            with suppress(StoreUnavailable):  # the lease ends by itself
                self.writer.release_lock(token)

    async def _renew(self, token: int) -> None:
        while True:
            await self.lease.sleep(self.lease.renewed_every_s)
            self.writer.renew_lock(token, until_ms=self._until_ms())

    def _until_ms(self) -> int:
        return self.clock.now_ms() + round(self.lease.length_s * 1000)


async def _ended(*tasks: "asyncio.Task[Done] | asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

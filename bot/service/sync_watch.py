"""Watches how old the articles are: one alarm each time that they become late, and a word to customers when they are old (FAULTS K2)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.core.knowledge import IndexStatus
from bot.core.staleness import SyncHealth, sync_health
from bot.errors import CandorError
from bot.ports import Clock

log = structlog.get_logger()

EVERY_S = 60.0
WAIT_S = 1.0  # an answer is not kept back by its footnote


class SyncObserver(Protocol):
    """Counts what operators watch; never raises and never waits."""

    def sync_seen(self, health: SyncHealth | None) -> None:
        """Show the age of the last good sync; None when the index cannot be asked."""
        ...


@dataclass(slots=True, kw_only=True)
class SyncWatch:
    """The age of the last good sync, as of at most a minute ago. Nothing here raises.

    `expected_s` is how often one is due by the settings; without it, what the last worker said of itself.
    """

    status: Callable[[], Awaitable[IndexStatus]]
    clock: Clock
    observer: SyncObserver
    expected_s: int | None = None
    every_s: float = EVERY_S
    wait_s: float = WAIT_S
    _health: SyncHealth | None = None
    _looked_s: float | None = None
    _alarmed: bool = False

    async def look(self) -> None:
        """Look now, tell the observer, and raise the alarm when the articles have become late."""
        self._looked_s = self.clock.monotonic_s()
        seen = await self._seen()
        self.observer.sync_seen(seen)
        if seen is not None:
            self._health = seen
            self._alarm(seen)

    async def are_old(self) -> bool:
        """Whether customers are to be told that the articles may be out of date; an index that cannot be asked tells nothing new."""
        now_s = self.clock.monotonic_s()
        if self._looked_s is None or now_s - self._looked_s >= self.every_s:
            await self.look()
        return self._health is not None and self._health.old

    async def run_forever(self) -> None:
        """Look until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(self.every_s)

    async def _seen(self) -> SyncHealth | None:
        try:
            async with asyncio.timeout(self.wait_s):
                status = await self.status()
        except (CandorError, TimeoutError) as failure:
            log.warning("sync_age_not_seen", error=type(failure).__name__)
            return None
        return health_of(status, expected_s=self.expected_s, now_ms=self.clock.now_ms())

    def _alarm(self, seen: SyncHealth) -> None:
        if seen.late and not self._alarmed:
            log.error("sync_late", problem=seen.problem)
        elif self._alarmed and not seen.late:
            log.info("sync_in_time_again")
        self._alarmed = seen.late


def health_of(status: IndexStatus, *, expected_s: int | None, now_ms: int) -> SyncHealth:
    """Return how late the articles of an index are; the settings' interval counts before a worker's."""
    every_s = expected_s if expected_s is not None else status.expected_every_s
    return sync_health(last_good_ms=status.last_sync_ms, every_s=every_s, now_ms=now_ms)

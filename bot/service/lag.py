"""Watches how late the event loop is: what blocks it keeps every customer waiting at once (FAULTS W17)."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from bot.ports import Clock

EVERY_S = 0.1


class LoopObserver(Protocol):
    """Counts what operators watch of the event loop; never raises and never waits."""

    def loop_lagged(self, lag_s: float) -> None:
        """Count one wait that ended so much later than asked for."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopLag:
    """Waits again and again, and tells the observer how much too long it took."""

    clock: Clock
    observer: LoopObserver
    every_s: float = EVERY_S

    async def run_forever(self) -> None:
        """Watch until cancelled."""
        while True:
            began_s = self.clock.monotonic_s()
            await asyncio.sleep(self.every_s)
            self.observer.loop_lagged(max(0.0, self.clock.monotonic_s() - began_s - self.every_s))

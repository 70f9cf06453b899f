"""Lets go of conversations that were erased, by whichever process: views of them end, their turns stop, caches drop them.

The store refuses whatever is still written to one; this only makes the memory of this process follow it.
"""

import asyncio
from dataclasses import dataclass

import structlog

from bot.ports import Clock
from bot.privacy_ports import Erasure
from bot.service.live import LiveHub

log = structlog.get_logger()

EVERY_S = 5.0


@dataclass(slots=True, kw_only=True)
class Erasing:
    """Follows the erasures of a store that several processes share."""

    erasure: Erasure
    clock: Clock
    live: LiveHub
    every_s: float = EVERY_S
    _seen: int = 0

    async def resume(self) -> int:
        """At start-up: erase what a restored backup brought back; return how many."""
        again = await self.erasure.erase_again(at_ms=self.clock.now_ms())
        if again:
            log.warning("erased_again", conversations=len(again))
        return len(again)

    async def look(self) -> int:
        """Let go of what was erased since the last look; return how many."""
        erased = await self.erasure.erased(after=self._seen)
        for one in erased:
            self.live.forget(one.conversation)
            self._seen = one.number
        return len(erased)

    async def run_forever(self) -> None:
        """Look until cancelled; a failing store is asked again at the next round."""
        while True:
            try:
                await self.look()
            except Exception:  # whatever fails, what was erased must be let go of in the end
                log.exception("erasures_not_read")
            await asyncio.sleep(self.every_s)

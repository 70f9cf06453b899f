"""Takes away what has been kept for long enough: idle conversations whole, and of older turns what was asked and found.

It works in small batches, because the store is everybody's; both are off unless the operator names a time.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from bot.core.caps import DAY_MS
from bot.core.conversation import ConversationId
from bot.core.duties import Duty
from bot.core.erasure import RETENTION
from bot.ports import Clock, Duties
from bot.privacy_ports import Erasure
from bot.service.duties import EveryDuty

log = structlog.get_logger()

EVERY_S = 3600.0
CONVERSATIONS_AT_ONCE = 50
TURNS_AT_ONCE = 200
BETWEEN_S = 0.2  # between batches others write

TakeBack = Callable[[ConversationId], Awaitable[None]]


async def nothing_outside(_conversation: ConversationId) -> None:
    """Stand for a service that has shown nothing elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long things are kept, in days; None keeps them. `take_back` removes first what stands elsewhere; it never raises."""

    erasure: Erasure
    clock: Clock
    conversation_days: int | None = None
    evidence_days: int | None = None
    take_back: TakeBack = nothing_outside
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S
    between_s: float = BETWEEN_S

    async def apply(self) -> tuple[int, int]:
        """Erase and reduce what is due; return how many conversations and turns."""
        erased = await self._repeat(self._erase_some, self.conversation_days, CONVERSATIONS_AT_ONCE)
        reduced = await self._repeat(self._reduce_some, self.evidence_days, TURNS_AT_ONCE)
        if self.conversation_days is not None or self.evidence_days is not None:
            await self.erasure.scrub(copying=False)  # each time, because the last one may have failed
        if erased or reduced:
            log.info("retention_applied", conversations=erased, turns=reduced)
        return erased, reduced

    async def run_forever(self) -> None:
        """Apply it until cancelled; a failing store is tried again at the next round."""
        while True:
            try:
                if await self.duties.mine(Duty.RETENTION):
                    await self.apply()
            except Exception:  # what is due now is due at the next round too
                log.exception("retention_failed")
            await asyncio.sleep(self.every_s)

    async def _repeat(self, some: Callable[[int], Awaitable[int]], days: int | None, at_once: int) -> int:
        """Do batch after batch until one is not full."""
        if days is None:
            return 0
        before_ms, total = self.clock.now_ms() - days * DAY_MS, 0
        while (done := await some(before_ms)) == at_once:
            total += done
            await asyncio.sleep(self.between_s)
        return total + done

    async def _erase_some(self, before_ms: int) -> int:
        due = await self.erasure.idle(since_ms=before_ms, limit=CONVERSATIONS_AT_ONCE)
        for conversation in due:
            await self.take_back(conversation)
        return len(await self.erasure.erase(due, who=RETENTION, at_ms=self.clock.now_ms())) if due else 0

    async def _reduce_some(self, before_ms: int) -> int:
        return await self.erasure.reduce_evidence(settled_before_ms=before_ms, limit=TURNS_AT_ONCE)

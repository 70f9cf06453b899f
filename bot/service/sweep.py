"""The periodic repair of what a crash left, or an agent: resumes young unanswered messages, hands over old ones, ends dead claims."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from bot.core.conversation import ConversationId
from bot.core.duties import Duty
from bot.core.policy import Deadlines
from bot.core.turn import Turn
from bot.ports import Clock, ConversationStore, Duties
from bot.service.duties import EveryDuty

log = structlog.get_logger()

EVERY_S = 5.0


class LosesTurns(Protocol):
    """Hands over a turn that ended without an outcome."""

    async def lose(self, conversation: ConversationId) -> Turn | None:
        """Commit `turn_lost`; None when somebody was faster."""
        ...


class Runs(Protocol):
    """Starts turns."""

    def start(self, conversation: ConversationId) -> None:
        """Start a turn in the background."""
        ...


class ExpiresLeases(Protocol):
    """Ends the claims of agents who went silent."""

    async def expire_leases(self) -> int:
        """Queue what they had; return how many."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Looks for conversations that owe a turn which nobody runs, or whose agent is gone."""

    store: ConversationStore
    turns: LosesTurns
    runner: Runs
    clock: Clock
    deadlines: Deadlines
    desk: ExpiresLeases | None = None
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S

    async def resume(self) -> int:
        """At start-up: run the turns that an earlier process left, unless they are too old; return how many."""
        await self.hand_over_lost()
        left = await self.store.unanswered(received_before_ms=self.clock.now_ms() + 1)
        for conversation in left:
            self.runner.start(conversation)
        return len(left)

    async def hand_over_lost(self) -> int:
        """Hand over what has been unanswered for too long, whoever was working on it; return how many."""
        limit_ms = int(self.deadlines.lost_after_s * 1000)
        lost = await self.store.unanswered(received_before_ms=self.clock.now_ms() - limit_ms)
        return sum([await self._hand_over(conversation) for conversation in lost])

    async def _hand_over(self, conversation: ConversationId) -> bool:
        """One conversation that cannot be handed over must not keep the others waiting."""
        try:
            turn = await self.turns.lose(conversation)
        except Exception:
            log.exception("handing_over_failed", conversation=conversation)
            return False
        if turn is not None:
            log.warning("turn_lost", conversation=conversation)
        return turn is not None

    async def run_forever(self) -> None:
        """Sweep until cancelled; a failing store is tried again at the next round."""
        while True:
            await asyncio.sleep(self.every_s)
            await self._try(self._sweep)

    async def _sweep(self) -> None:
        """Repair what is broken, unless another process does."""
        if not await self.duties.mine(Duty.SWEEP):
            return
        await self._try(self.hand_over_lost)
        if self.desk is not None:
            await self._try(self.desk.expire_leases)

    async def _try(self, sweep: Callable[[], Awaitable[object]]) -> None:
        try:
            await sweep()
        except Exception:  # the sweep is the last line of defence and must outlive any failure
            log.exception("sweep_failed")

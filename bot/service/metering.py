"""Holds what the bot uses against the caps of a day: before a turn, before its draft, and once its provider has counted it.

A cap over all conversations raises one alarm when it is reached, not one per turn.
"""

from dataclasses import dataclass, replace

import structlog

from bot.core.caps import (
    DAY_MS,
    UNCAPPED,
    Caps,
    Spending,
    SpentInADay,
    Tariff,
    cap_reached,
    overall_cap_reached,
)
from bot.core.circuit import Cause
from bot.core.conversation import ConversationId, TurnId
from bot.core.input_size import INSTRUCTIONS, input_tokens
from bot.core.prompt import AnswerRequest, Usage
from bot.core.turn import TurnStart
from bot.ports import CircuitObserver, Clock, Ledger

log = structlog.get_logger()

DAILY_CAPS = "daily_caps"
FREE = Usage(input_tokens=0, output_tokens=0, cost_usd=0.0)


@dataclass(slots=True, kw_only=True)
class Metering:
    """The caps over a ledger. Without caps on what drafts use, the ledger is left alone. StoreUnavailable."""

    ledger: Ledger
    caps: Caps
    tariff: Tariff | None
    clock: Clock
    observer: CircuitObserver
    _alarmed: bool = False

    async def capped(self, start: TurnStart) -> str | None:
        """Name the cap that leaves this turn to a person; None when there is none."""
        spent = await self._spent(start.conversation.id)
        turns = max(spent.conversation.turns, start.recent_turns)
        spent = replace(spent, conversation=replace(spent.conversation, turns=turns))
        self._alarm(overall_cap_reached(self.caps, spent))
        return cap_reached(self.caps, spent)

    def most_of(self, request: AnswerRequest) -> Usage | None:
        """Return the most that a draft for *request* can use; None where drafts are free."""
        return self.most_for(input_tokens(request))

    def most_for(self, input_tokens: int) -> Usage | None:
        """Return the most that a call can use whose texts have so many tokens; None where calls are free."""
        return None if self.tariff is None else self.tariff.at_most(INSTRUCTIONS + input_tokens)

    async def set_aside(self, turn: TurnId, conversation: ConversationId, most: Usage | None) -> str | None:
        """Count the most that a draft can use, unless a cap is reached: return its name then."""
        return await self._spend(turn, conversation, most or FREE, self.caps)

    async def used(self, turn: TurnId, conversation: ConversationId, usage: Usage | None) -> None:
        """Count what drafts did use in place of what was set aside; None for one that was not asked for."""
        await self._spend(turn, conversation, usage or FREE, UNCAPPED)

    async def _spent(self, conversation: ConversationId) -> SpentInADay:
        if not self.caps.count_drafts:
            return SpentInADay()
        return await self.ledger.spent(conversation, since_ms=self.clock.now_ms() - DAY_MS)

    async def _spend(
        self, turn: TurnId, conversation: ConversationId, usage: Usage, caps: Caps
    ) -> str | None:
        if not self.caps.count_drafts:
            return None
        now_ms = self.clock.now_ms()
        spending = Spending(turn=turn, conversation=conversation, usage=usage, at_ms=now_ms)
        return await self.ledger.spend(spending, caps=caps, since_ms=now_ms - DAY_MS)

    def _alarm(self, reached: str | None) -> None:
        if reached and not self._alarmed:
            log.error("cap_reached", cap=reached)
            self.observer.circuit_opened(DAILY_CAPS, Cause.LIMIT_REACHED)
        elif self._alarmed and not reached:
            log.info("cap_free_again")
            self.observer.circuit_closed(DAILY_CAPS)
        self._alarmed = reached is not None

"""The ledger in a dictionary. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Iterable

from bot.core.caps import Caps, Spending, Spent, SpentInADay, cap_reached
from bot.core.conversation import ConversationId, TurnId


class MemoryLedger:
    """Counts that live as long as the process."""

    def __init__(self) -> None:
        self._spendings: dict[TurnId, Spending] = {}

    async def spent(self, conversation: ConversationId, *, since_ms: int) -> SpentInADay:
        recent = [one for one in self._spendings.values() if one.at_ms >= since_ms]
        here = [one for one in recent if one.conversation == conversation]
        return SpentInADay(conversation=_sum(here), overall=_sum(recent))

    async def spend(self, spending: Spending, *, caps: Caps, since_ms: int) -> str | None:
        spent = await self.spent(spending.conversation, since_ms=since_ms)
        if reached := cap_reached(caps, spent):
            return reached
        self._spendings[spending.turn] = spending
        return None


def _sum(spendings: Iterable[Spending]) -> Spent:
    counted = list(spendings)
    return Spent(
        turns=len(counted),
        tokens=sum(one.tokens for one in counted),
        micro_usd=sum(one.micro_usd for one in counted),
    )

"""How a move of an agent or the sweep is written: read, decide, write if that still holds, tell whoever watches."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.core.audit import Change
from bot.core.conversation import Conversation, ConversationId
from bot.core.desk_moves import Move
from bot.errors import ConversationChanged
from bot.ports import Clock, ConversationStore, Snapshot
from bot.service.live import Changed, LiveHub

TRIES = 5

Decide = Callable[[Conversation, int], Move]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """Writes moves."""

    store: ConversationStore
    clock: Clock
    live: LiveHub

    async def make(self, conversation: ConversationId, decide: Decide) -> Snapshot:
        """Write the move that *decide* makes of the state and the time, tell whoever watches, and return what was written.

        Where somebody was faster it is decided anew; ConversationChanged only after several times. What *decide* raises passes.
        """
        written = await self.write(conversation, decide)
        self.live.publish(conversation, Changed())
        return written

    async def write(self, conversation: ConversationId, decide: Decide) -> Snapshot:
        """Do the same, and tell nobody."""
        for _ in range(TRIES - 1):
            try:
                return await self._try(conversation, decide)
            except ConversationChanged:
                continue
        return await self._try(conversation, decide)

    async def _try(self, conversation: ConversationId, decide: Decide) -> Snapshot:
        now_ms = self.clock.now_ms()
        move = decide(await self.store.conversation(conversation), now_ms)
        change = Change(
            who=move.who, what=move.what, at_ms=now_ms, messages=move.messages, detail=move.detail
        )
        return await self.store.change(move.read, move.moved, change)

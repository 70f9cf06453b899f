"""The tasks in which turns run: one per conversation, superseded by a newer message, drained at shutdown."""

import asyncio
from dataclasses import dataclass, field

import structlog

from bot.core.conversation import ConversationId
from bot.errors import StoreUnavailable
from bot.service.background import finish
from bot.service.turns import TurnService

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class TurnRunner:
    """Owns every running turn of this process."""

    turns: TurnService
    _running: dict[ConversationId, asyncio.Task[None]] = field(default_factory=dict)
    _stopping: bool = False

    def start(self, conversation: ConversationId) -> None:
        """Start a turn that covers all unanswered messages; a turn that runs already is dropped first.

        While stopping nothing starts: the message is stored, and the next process finds it.
        """
        if self._stopping:
            return
        earlier = self._running.get(conversation)
        if earlier is not None:
            earlier.cancel()
        task = asyncio.create_task(self._run(conversation, after=earlier), name=f"turn:{conversation}")
        self._running[conversation] = task
        task.add_done_callback(lambda done: self._forget(conversation, done))

    async def drain(self, *, grace_s: float) -> None:
        """Let running turns finish for *grace_s* seconds, then stop them; what remains is left to the sweep."""
        self._stopping = True
        await finish(set(self._running.values()), grace_s=grace_s)

    def drop(self, conversation: ConversationId) -> None:
        """Stop the turn of a conversation that was erased, or has nothing left to answer; the store takes nothing of it any more."""
        if conversation in self._running:
            self._running[conversation].cancel()

    def is_running(self, conversation: ConversationId) -> bool:
        """Return whether this process works on the conversation now."""
        return conversation in self._running

    async def _run(self, conversation: ConversationId, *, after: asyncio.Task[None] | None) -> None:
        if after is not None:
            await asyncio.wait({after})
        try:
            await self.turns.run(conversation)
        except StoreUnavailable:
            log.exception("turn_not_recorded", conversation=conversation)
        except Exception:  # a defect must not end the process, nor leave the customer without a word
            log.exception("turn_broke", conversation=conversation)
            await self._lose(conversation)

    async def _lose(self, conversation: ConversationId) -> None:
        try:
            await self.turns.lose(conversation)
        except Exception:  # the sweep tries again
            log.exception("turn_not_recorded", conversation=conversation)

    def _forget(self, conversation: ConversationId, done: asyncio.Task[None]) -> None:
        if self._running.get(conversation) is done:
            del self._running[conversation]

"""Reads what an outbox row tells of. StoreUnavailable when that cannot be read now."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.adapters.webhook.payload import Event, owner_then, reason_of, resolution_of
from bot.core.accounts import Agent
from bot.core.conversation import AgentId, Message
from bot.core.outbox import Announcement, OutboxRow
from bot.errors import ConversationUnknown
from bot.ports import ConversationStore

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReading:
    """Reads from the conversations; *account* returns an agent's account, None when there is none."""

    store: ConversationStore
    account: Callable[[AgentId], Awaitable[Agent | None]]

    async def event(self, row: OutboxRow) -> Event | None:
        """Return what *row* tells of; None when it is not there any more, because it was erased."""
        try:
            return await self._event(row)
        except (ConversationUnknown, _Erased):
            log.warning("webhook_without_content", kind=row.kind, conversation=row.conversation)
            return None

    async def _event(self, row: OutboxRow) -> Event:
        conversation = await self.store.conversation(row.conversation)
        audit = await self.store.audit(row.conversation)
        owner = owner_then(audit, conversation, epoch=row.epoch)
        hands_off, resolves = row.kind is Announcement.HANDED_OFF, row.kind is Announcement.RESOLVED
        handoffs = await self.store.handoffs(row.conversation) if hands_off else ()
        return Event(
            row=row,
            conversation=conversation,
            owner=owner,
            agent=await self.account(owner.agent) if owner.agent else None,
            message=await self._message(row) if row.seq is not None else None,
            reason=reason_of(handoffs, audit, epoch=row.epoch) if hands_off else None,
            resolution=resolution_of(audit, epoch=row.epoch) if resolves else None,
        )

    async def _message(self, row: OutboxRow) -> Message:
        """Read by the customer's own view, in which internal notes do not occur."""
        seq = row.seq or 0
        seen = await self.store.snapshot(row.conversation, after=seq - 1)
        if not seen.messages or seen.messages[0].seq != seq:
            raise _Erased
        return seen.messages[0]


class _Erased(Exception):
    """The message is not there."""

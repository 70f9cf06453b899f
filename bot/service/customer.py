"""What a channel may do for a customer: open a conversation, hand in a message, read, watch."""

from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.core.audit import RETRIED, Change
from bot.core.conversation import Channel, Conversation, ConversationId, Kind, Role, Status
from bot.core.desk import ReadMarks
from bot.core.inbound import CustomerMessage
from bot.core.outcome import ReasonCode
from bot.errors import ConversationChanged
from bot.ports import Clock, ConversationStore, Received, Snapshot
from bot.service.live import Changed, LiveHub, ReadUpTo, Typed


class TurnStarter(Protocol):
    """Starts the bot's turn on a conversation in the background."""

    def start(self, conversation: ConversationId) -> None:
        """Start a turn, superseding one that runs; returns at once."""
        ...

    def drop(self, conversation: ConversationId) -> None:
        """Stop the turn that runs, because nothing is left for it to answer; returns at once."""
        ...


class KeepsReadMarks(Protocol):
    """Keeps up to where both sides have read."""

    async def mark_read(
        self, conversation: ConversationId, *, customer: int = 0, agent: int = 0
    ) -> ReadMarks:
        """Move the marks forward, never back; return them."""
        ...


@dataclass(slots=True, kw_only=True)
class CustomerService:
    """The customer's side of every channel. Methods may raise StoreUnavailable."""

    store: ConversationStore
    turns: TurnStarter
    clock: Clock
    live: LiveHub = field(default_factory=LiveHub)
    marks: KeepsReadMarks | None = None

    async def open(self, *, channel: Channel, locale: str) -> Conversation:
        """Open a conversation that the bot has."""
        opened = Conversation(
            id=ConversationId(self.clock.new_id()),
            channel=channel,
            locale=locale,
            created_ms=self.clock.now_ms(),
        )
        return await self.store.open_conversation(opened)

    async def receive(self, message: CustomerMessage) -> Received:
        """Store the message, then start a turn if the bot owes one; ConversationUnknown, MessageConflict.

        An edit is a message too, and a deletion may leave nothing to answer.
        """
        received = await self.store.receive(message, at_ms=self.clock.now_ms())
        if message.kind is Kind.RETRY:
            received = replace(received, conversation=await self._tried_again(received))
        self.live.publish(message.conversation, Changed())
        if received.duplicate and message.kind is not Kind.RETRY:
            return received
        if received.conversation.owes_a_turn:
            self.turns.start(message.conversation)
        elif message.revises is not None:
            self.turns.drop(message.conversation)
        return received

    async def _tried_again(self, received: Received) -> Conversation:
        """Give the bot back what it could not compute, while nobody has taken it up; for an agent a RETRY is a message like any other.

        A repeat does what a crash left undone.
        """
        state = received.conversation
        waits = state.status is Status.QUEUED and received.message.seq > state.answered_seq
        if not waits or not await self._was_not_computed(state.id):
            return state
        now_ms = self.clock.now_ms()
        change = Change(who="customer", what=RETRIED, at_ms=now_ms)
        try:
            return (await self.store.change(state, state.retried(now_ms=now_ms), change)).conversation
        except ConversationChanged:  # an agent was faster
            return await self.store.conversation(state.id)

    async def _was_not_computed(self, conversation: ConversationId) -> bool:
        handoffs = await self.store.handoffs(conversation)
        return any(h.closed_ms is None and h.reason == ReasonCode.RECORDS_UNAVAILABLE for h in handoffs)

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        """Return the state and what the customer has not seen yet; ConversationUnknown."""
        return await self.store.snapshot(conversation, after=after)

    async def typing(self, conversation: ConversationId) -> None:
        """Show the agents who look that the customer writes."""
        self.live.publish(conversation, Typed(by=Role.CUSTOMER))

    async def read(self, conversation: ConversationId, seq: int) -> None:
        """Note that the customer has read up to *seq*, and show it to the agents who look; ConversationUnknown."""
        seen = min(seq, (await self.store.conversation(conversation)).last_seq)
        if self.marks is not None:
            seen = (await self.marks.mark_read(conversation, customer=seen)).customer
        self.live.publish(conversation, ReadUpTo(by=Role.CUSTOMER, seq=seen))

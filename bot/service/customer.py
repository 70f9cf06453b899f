"""What a channel may do for a customer: open a conversation, hand in a message, read, watch."""

from dataclasses import dataclass, field
from typing import Protocol

from bot.core.conversation import Channel, Conversation, ConversationId
from bot.core.inbound import CustomerMessage
from bot.ports import Clock, ConversationStore, Received, Snapshot
from bot.service.live import Changed, LiveHub


class TurnStarter(Protocol):
    """Starts the bot's turn on a conversation in the background."""

    def start(self, conversation: ConversationId) -> None:
        """Start a turn, superseding one that runs; returns at once."""
        ...


@dataclass(slots=True, kw_only=True)
class CustomerService:
    """The customer's side of every channel. Methods may raise StoreUnavailable."""

    store: ConversationStore
    turns: TurnStarter
    clock: Clock
    live: LiveHub = field(default_factory=LiveHub)

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
        """Store the message, then start a turn if the bot owes one; ConversationUnknown, MessageConflict."""
        received = await self.store.receive(message, at_ms=self.clock.now_ms())
        self.live.publish(message.conversation, Changed())
        if not received.duplicate and received.conversation.owes_a_turn:
            self.turns.start(message.conversation)
        return received

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        """Return the state and what the customer has not seen yet; ConversationUnknown."""
        return await self.store.snapshot(conversation, after=after)

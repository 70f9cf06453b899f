"""What the store says of one conversation, as Slack has to show it: read once, before anything is posted."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.channels.wording import Names
from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, ConversationId, Message
from bot.core.notes import Note
from bot.core.revisions import outdated, revised
from bot.ports import ConversationStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One conversation. `messages` are those that still stand, each with what it says now; `outdated` are the seqs of the others."""

    conversation: Conversation
    messages: tuple[Message, ...]
    outdated: frozenset[int]
    last_seq: int
    notes: tuple[Note, ...]
    audit: tuple[AuditRow, ...]
    names: Names

    def name_of(self, message: Message) -> str | None:
        """Return the name of the agent who wrote a message; None when no agent did."""
        return None if message.author is None else self.names.get(message.author)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeing:
    """Reads conversations; *names* returns what agents are called."""

    store: ConversationStore
    names: Callable[[], Awaitable[Names]]

    async def seen(self, conversation: ConversationId) -> Seen:
        """Return everything that was written and done; ConversationUnknown, StoreUnavailable."""
        # Messages first: what comes while the rest is read is told again.
        snapshot = await self.store.snapshot(conversation, after=0)
        return Seen(
            conversation=snapshot.conversation,
            messages=revised(snapshot.messages),
            outdated=outdated(snapshot.messages),
            last_seq=max((message.seq for message in snapshot.messages), default=0),
            notes=await self.store.notes(conversation),
            audit=await self.store.audit(conversation),
            names=await self.names(),
        )

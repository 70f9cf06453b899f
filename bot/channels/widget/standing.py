"""Where a customer stands with the people of the desk: what the widget shows around the messages."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.core.desk import ReadMarks
from bot.core.waiting import Wait
from bot.ports import Snapshot

Names = Mapping[AgentId, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The state, the wait, the agents' display names, up to where agents have read, and how what is finished now was rated."""

    conversation: Conversation
    wait: Wait = field(default_factory=Wait)
    names: Names = field(default_factory=dict[AgentId, str])
    reads: ReadMarks = field(default_factory=ReadMarks)
    rating: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a customer has not seen yet, and where they stand; `reset` tells the client to forget what it had."""

    snapshot: Snapshot
    standing: Standing
    reset: bool


async def nobody_waits(_conversation: Conversation) -> Wait:
    """Stand for a service without a queue."""
    return Wait()


async def nobody_has_a_name() -> Names:
    """Stand for a service without agents."""
    return {}


async def nobody_reads(_conversation: ConversationId) -> ReadMarks:
    """Stand for a service that keeps no read marks."""
    return ReadMarks()


async def nobody_rates(_conversation: Conversation) -> int | None:
    """Stand for a service that keeps no ratings."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Finds out where customers stand. Methods may raise StoreUnavailable."""

    wait_of: Callable[[Conversation], Awaitable[Wait]] = nobody_waits
    names: Callable[[], Awaitable[Names]] = nobody_has_a_name
    read_marks: Callable[[ConversationId], Awaitable[ReadMarks]] = nobody_reads
    rating_of: Callable[[Conversation], Awaitable[int | None]] = nobody_rates

    async def of(self, conversation: Conversation) -> Standing:
        """Return where the customer of *conversation* stands now."""
        return Standing(
            conversation=conversation,
            wait=await self.wait_of(conversation),
            names=await self.names(),
            reads=await self.read_marks(conversation.id),
            rating=await self.rating_of(conversation),
        )

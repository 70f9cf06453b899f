"""What is kept of customers beside their conversations, as a Protocol. Every method may raise StoreUnavailable."""

from typing import Protocol

from bot.core.conversation import Conversation, ConversationId
from bot.core.customers import Customer, Page, Profile, Subject


class CustomerStore(Protocol):
    """Who customers are and where they write; ConversationUnknown where a method names a conversation that is not there."""

    async def profile(self, conversation: ConversationId) -> Profile:
        """Return what is known of a conversation's customer; an empty profile when nothing is."""
        ...

    async def save_profile(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> None:
        """Keep who writes and where; None keeps the page of before. MoveRefused when the conversation is another customer's."""
        ...

    async def settle(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> ConversationId:
        """Give a new conversation to a verified customer, unless an open one is theirs already; return the one to go on with.

        However many are given at once, they all go on with the same.
        """
        ...

    async def conversations_of(self, subject: Subject) -> tuple[Conversation, ...]:
        """Return a verified customer's conversations, the latest opened first."""
        ...

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> None:
        """Void every token of the conversation, and of a verified customer's others; what the site signed until then is void too."""
        ...

    async def signed_out_ms(self, subject: Subject) -> int:
        """Return when the customer signed out last, by the latest of the clock and what the site had signed; 0 for never."""
        ...

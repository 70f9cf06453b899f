"""What is kept of customers beside their conversations, as a Protocol. Every method may raise StoreUnavailable."""

from typing import Protocol

from bot.core.attachments import Attachment, AttachmentHead
from bot.core.conversation import Conversation, ConversationId
from bot.core.customers import Customer, Page, Profile, Subject
from bot.core.ratings import Rating


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

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> tuple[ConversationId, ...]:
        """Void every token of the conversation, and of a verified customer's others; return which these are.

        What the site signed until then is void too.
        """
        ...

    async def signed_out_ms(self, subject: Subject) -> int:
        """Return when the customer signed out last, by the latest of the clock and what the site had signed; 0 for never."""
        ...


class RatingStore(Protocol):
    """What customers said of finished episodes; ConversationUnknown where a method names a conversation that is not there."""

    async def rate(self, conversation: ConversationId, rating: Rating) -> Rating:
        """Keep a rating, which takes the place of an earlier one of its episode.

        A repeat of (conversation, message_id) writes nothing and returns the stored one, whatever was given since; MessageConflict
        when it says something else.
        """
        ...

    async def ratings(self, conversation: ConversationId) -> tuple[Rating, ...]:
        """Return the rating in force of each rated episode, by episode."""
        ...

    async def scores(self, *, since_ms: int, until_ms: int) -> tuple[int, ...]:
        """Return the scores in force that were given in the span, in no order."""
        ...


class AttachmentStore(Protocol):
    """The images that customers sent; ConversationUnknown where a method names a conversation that is not there."""

    async def keep(self, conversation: ConversationId, attachment: Attachment, *, most_bytes: int) -> None:
        """Keep an attachment once.

        A repeat of (conversation, message_id) writes nothing; MessageConflict when its bytes differ. NoRoom when the conversation
        would hold more than *most_bytes* with it.
        """
        ...

    async def attachment(self, conversation: ConversationId, message_id: str) -> Attachment | None:
        """Return the attachment of a message; None when it has none."""
        ...

    async def attachments(self, conversation: ConversationId) -> tuple[AttachmentHead, ...]:
        """Return what attachments there are, oldest first."""
        ...

"""Takes what customers say of a finished episode, and says what was said."""

from dataclasses import dataclass

from bot.core.conversation import Conversation, ConversationId, Status
from bot.core.ratings import Rating, cleaned_comment, finished_episode
from bot.customer_ports import RatingStore
from bot.errors import MoveRefused
from bot.ports import Clock, ConversationStore
from bot.service.live import Changed, LiveHub


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingService:
    """The ratings of conversations. Methods may raise StoreUnavailable, and ConversationUnknown where they name one."""

    store: ConversationStore
    ratings: RatingStore
    clock: Clock
    live: LiveHub

    async def rate(
        self, conversation: ConversationId, *, message_id: str, score: int, comment: str = ""
    ) -> Rating:
        """Rate the last finished episode, in place of what was said of it before; a repeat changes nothing.

        MoveRefused while no episode is finished, MessageConflict, InputRejected for the comment.
        """
        episode = finished_episode(await self.store.conversation(conversation))
        if episode is None:
            raise MoveRefused("nothing in this conversation is finished yet")
        given = Rating(
            message_id=message_id,
            episode=episode,
            score=score,
            comment=cleaned_comment(comment),
            at_ms=self.clock.now_ms(),
        )
        kept = await self.ratings.rate(conversation, given)
        self.live.publish(conversation, Changed())
        return kept

    async def score_of(self, conversation: Conversation) -> int | None:
        """Return the score of the episode that is finished now; None while none is, or when it was not rated."""
        if conversation.status is not Status.RESOLVED:
            return None
        given = await self.ratings.ratings(conversation.id)
        return next((rating.score for rating in given if rating.episode == conversation.episode), None)

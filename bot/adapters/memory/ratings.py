"""The rating store in dictionaries, over the in-memory conversations. No method waits for anything but those."""

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.core.conversation import ConversationId
from bot.core.ratings import Rating, in_force, is_repeat
from bot.errors import MessageConflict


class MemoryRatingStore:
    """Ratings, as long as the process lives."""

    def __init__(self, conversations: MemoryConversationStore) -> None:
        self._conversations = conversations
        self._given: dict[ConversationId, list[Rating]] = {}

    async def rate(self, conversation: ConversationId, rating: Rating) -> Rating:
        await self._conversations.conversation(conversation)
        given = self._given.setdefault(conversation, [])
        for stored in given:
            if stored.message_id == rating.message_id:
                return _repeated(stored, rating)
        given.append(rating)
        return rating

    async def ratings(self, conversation: ConversationId) -> tuple[Rating, ...]:
        await self._conversations.conversation(conversation)
        return in_force(self._given.get(conversation, []))

    async def scores(self, *, since_ms: int, until_ms: int) -> tuple[int, ...]:
        return tuple(
            rating.score
            for given in self._given.values()
            for rating in in_force(given)
            if since_ms <= rating.at_ms < until_ms
        )


def _repeated(stored: Rating, rating: Rating) -> Rating:
    if not is_repeat(stored, rating):
        raise MessageConflict(f"rating {rating.message_id} came before with another body")
    return stored

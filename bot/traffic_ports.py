"""What is read across recorded conversations, as a Protocol: questions, agents' marks and replies, and citations."""

from collections.abc import Collection, Mapping
from typing import Protocol

from bot.core.conversation import ConversationId
from bot.core.knowledge import ArticleId
from bot.core.traffic import AgentReply, GapMark, QuestionTurn


class TrafficReads(Protocol):
    """Reads that hold nobody up: long ones are made of short ones, so what is erased meanwhile may be missing from them.

    Nothing is kept between two calls: what was erased is gone from the next. Every method may raise StoreUnavailable.
    """

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        """Return the newest *limit* turns that were settled in the span, whatever they came to, oldest first."""
        ...

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        """Return the conversations that agents marked as a knowledge gap in the span, oldest mark first."""
        ...

    async def agents_replies(
        self, conversations: Collection[ConversationId]
    ) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        """Return the texts that agents wrote to the customer, oldest first, by conversation; none for one without any.

        Of a conversation at most `core.traffic.MOST_REPLIES`, the first ones. Unknown conversations are left out.
        """
        ...

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        """Return how many answers since then cite each article, questions that rest on one included; none is left out."""
        ...

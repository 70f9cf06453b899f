"""Reads across recorded conversations on MongoDB: not built yet, and refused with that sentence."""

from collections.abc import Collection, Mapping

from bot.adapters.mongo.database import MongoDatabase
from bot.core.conversation import ConversationId
from bot.core.knowledge import ArticleId
from bot.core.traffic import AgentReply, GapMark, QuestionTurn
from bot.errors import StoreUnavailable


class MongoTraffic:
    """The port on MongoDB."""

    def __init__(self, database: MongoDatabase) -> None:
        self._missing = StoreUnavailable(f"MongoDB database {database.name}: gaps are not read from it yet")

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        raise self._missing

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        raise self._missing

    async def agents_replies(
        self, conversations: Collection[ConversationId]
    ) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        raise self._missing

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        raise self._missing

"""The reads across recorded conversations, on SQLite.

All go slice by slice, each slice a short transaction: a long one would keep the turns that begin meanwhile from their reads.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from bot.adapters.sqlite import traffic_reads as reads
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.core.knowledge import ArticleId
from bot.core.traffic import AgentReply, GapMark, QuestionTurn

T = TypeVar("T")

AT_ONCE = 250  # turns, about 20 ms of the one thread that reads


class SqliteTraffic:
    """Reads the file that the conversations are in."""

    def __init__(self, database: SqliteDatabase, *, at_once: int = AT_ONCE) -> None:
        self._database = database
        self._at_once = at_once

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        newest_first: list[QuestionTurn] = []
        before = reads.Place(settled_ms=until_ms)
        while len(newest_first) < limit:
            asked = reads.Slice(
                since_ms=since_ms, before=before, limit=min(self._at_once, limit - len(newest_first))
            )
            found, before = await self._database.read(partial(reads.question_turns, asked=asked))
            newest_first.extend(found)
            if len(found) < asked.limit:
                break
        return tuple(reversed(newest_first))

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        return await self._database.read(lambda c: reads.gap_marks(c, since_ms, until_ms))

    async def agents_replies(
        self, conversations: Collection[ConversationId]
    ) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        replies: dict[ConversationId, tuple[AgentReply, ...]] = {}
        for some in _cut(sorted(conversations), self._at_once):
            replies.update(await self._database.read(partial(reads.agents_replies, conversations=some)))
        return replies

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        counted: Counter[ArticleId] = Counter()
        after: reads.Place | None = reads.Place(settled_ms=since_ms)
        while after is not None:
            found, after = await self._database.read(
                partial(reads.citations, after=after, limit=self._at_once)
            )
            counted.update(found)
        return counted


def _cut(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]

"""The reads across recorded conversations, on MongoDB.

All go slice by slice, each slice a few short queries; records are read on another thread, because the loop has customers to serve.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from bot.adapters.mongo.database import MongoDatabase, Query
from bot.adapters.mongo.desk_marks import marks
from bot.adapters.mongo.documents import to_message, to_turn
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping
from bot.adapters.mongo.outdated import outdated_in
from bot.core.conversation import ConversationId, Kind, Message, Role
from bot.core.customers import Subject
from bot.core.desk import Mark, MarkKind
from bot.core.knowledge import ArticleId
from bot.core.traffic import (
    AgentReply,
    GapMark,
    QuestionTurn,
    marked_texts,
    replies_in,
    to_question_turn,
)
from bot.core.turn import Turn

T = TypeVar("T")

AT_ONCE = 100  # turns, about 50 ms of a thread
_NEWEST_FIRST = (("settled_ms", -1), ("_id", -1))
_TYPED = {"seq": 1, "kind": 1, "text": 1, "at_ms": 1}


class MongoTraffic:
    """Reads the database that the conversations are in. What a dead process had not copied is copied first."""

    def __init__(self, database: MongoDatabase, *, at_once: int = AT_ONCE) -> None:
        self._database = database
        self._keeping = Keeping(database=database)
        self._at_once = at_once

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        newest_first: list[QuestionTurn] = []
        async for turns in self._slices({"settled_ms": {"$gte": since_ms, "$lt": until_ms}}, limit=limit):
            newest_first.extend(await self._questions(turns))
        return tuple(reversed(newest_first))

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        span = {"$gte": since_ms, "$lt": until_ms}
        found = await marks(self._database, {"kind": str(MarkKind.KNOWLEDGE_GAP), "at_ms": span})
        there = await self._conversations({mark.conversation for mark in found})
        known = (mark for mark in found if mark.conversation in there)
        return tuple([await self._mark(mark, there[mark.conversation]) for mark in known])

    async def agents_replies(
        self, conversations: Collection[ConversationId]
    ) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        said: dict[ConversationId, list[Message]] = defaultdict(list)
        for some in _cut(sorted(conversations), self._at_once):
            theirs = {"conversation": {"$in": list(some)}, "role": str(Role.AGENT)}
            order = [("conversation", 1), ("seq", 1)]
            for one in await self._database.find("messages", theirs, order=order):
                said[ConversationId(str(one["conversation"]))].append(to_message(one))
        replies = {
            conversation: replies_in(conversation, messages) for conversation, messages in said.items()
        }
        return {conversation: found for conversation, found in replies.items() if found}

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        counted: Counter[ArticleId] = Counter()
        async for turns in self._slices({"settled_ms": {"$gte": since_ms}}):
            for turn in turns:
                counted.update(to_question_turn(turn, (), locale="", subject=None).cited)
        return counted

    async def _slices(self, query: Query, *, limit: int | None = None) -> AsyncIterator[Sequence[Turn]]:
        """Yield the turns, newest first."""
        await self._keeping.copy_all_out()
        before: list[Query] = []
        left = limit
        while left is None or left > 0:
            asked = self._at_once if left is None else min(self._at_once, left)
            kept: list[Any] = await self._database.find(
                "turns", {"$and": [query, *before]}, order=_NEWEST_FIRST, limit=asked
            )
            if kept:
                yield await asyncio.to_thread(_to_turns, kept)
            if len(kept) < asked:
                return
            last, left = kept[-1], None if left is None else left - asked
            earlier = {"settled_ms": {"$lt": last["settled_ms"]}}
            before = [{"$or": [earlier, {"settled_ms": last["settled_ms"], "_id": {"$lt": last["_id"]}}]}]

    async def _questions(self, turns: Sequence[Turn]) -> list[QuestionTurn]:
        there = await self._conversations({turn.fence.conversation for turn in turns})
        ids = [f"{turn.fence.conversation}:{seq}" for turn in turns for seq in turn.covers]
        written: list[Any] = await self._database.find(
            "messages", {"_id": {"$in": ids}, "role": str(Role.CUSTOMER)}, fields=_TYPED
        )
        gone = await outdated_in(self._database, [turn.fence.conversation for turn in turns])
        covered: dict[str, Message] = {
            one["_id"]: _to_message(one) for one in written if one["_id"] not in gone
        }
        return [
            _question(turn, covered, there[turn.fence.conversation])
            for turn in turns
            if turn.fence.conversation in there
        ]

    async def _conversations(self, conversations: Collection[ConversationId]) -> Mapping[str, Any]:
        fields = {"locale": 1, "profile": 1}
        found = await self._database.find(
            CONVERSATIONS, {"_id": {"$in": sorted(conversations)}}, fields=fields
        )
        return {str(one["_id"]): one for one in found}

    async def _mark(self, mark: Mark, conversation: Mapping[str, Any]) -> GapMark:
        theirs = {"conversation": mark.conversation, "role": str(Role.CUSTOMER)}
        written = await self._database.find("messages", theirs, order=[("seq", 1)])
        typed = marked_texts(map(to_message, written), at_ms=mark.at_ms)
        return GapMark(
            conversation=mark.conversation,
            asker=_subject(conversation) or mark.conversation,
            locale=conversation["locale"],
            agent=mark.agent,
            at_ms=mark.at_ms,
            asked_ms=typed[-1].at_ms if typed else mark.at_ms,
            remark=mark.remark,
            texts=tuple(message.text for message in typed),
        )


def _to_turns(kept: Sequence[Mapping[str, Any]]) -> tuple[Turn, ...]:
    return tuple(map(to_turn, kept))


def _question(turn: Turn, covered: Mapping[str, Message], conversation: Mapping[str, Any]) -> QuestionTurn:
    ids = (f"{turn.fence.conversation}:{seq}" for seq in turn.covers)
    messages = [covered[one] for one in ids if one in covered]
    return to_question_turn(turn, messages, locale=conversation["locale"], subject=_subject(conversation))


def _subject(conversation: Mapping[str, Any]) -> Subject | None:
    profile = conversation["profile"]
    return None if profile is None or profile["subject"] is None else Subject(profile["subject"])


def _to_message(one: Mapping[str, Any]) -> Message:
    return Message(seq=one["seq"], role=Role.CUSTOMER, kind=Kind(one["kind"]), text=one["text"])


def _cut(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]

"""The reads across recorded conversations, over the in-memory stores."""

from collections import Counter
from collections.abc import Collection, Mapping

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.core.conversation import ConversationId, Message, Role
from bot.core.desk import Mark, MarkKind
from bot.core.knowledge import ArticleId
from bot.core.revisions import current
from bot.core.traffic import (
    AgentReply,
    GapMark,
    QuestionTurn,
    marked_texts,
    replies_in,
    to_question_turn,
)


class MemoryTraffic:
    """What the process holds of its conversations."""

    def __init__(
        self, conversations: MemoryConversationStore, customers: MemoryCustomerStore, desk: MemoryDeskStore
    ) -> None:
        self._conversations = conversations
        self._customers = customers
        self._desk = desk

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        settled = [turn for turn in await self._turns() if since_ms <= turn.settled_ms < until_ms]
        in_order = sorted(settled, key=lambda turn: (turn.settled_ms, turn.turn))
        return tuple(in_order[max(0, len(in_order) - limit) :])

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        there = self._there()
        marks = await self._desk.marked(MarkKind.KNOWLEDGE_GAP, since_ms=since_ms)
        return tuple([await self._mark(m) for m in marks if m.at_ms < until_ms and m.conversation in there])

    async def agents_replies(
        self, conversations: Collection[ConversationId]
    ) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        wanted = self._there() & frozenset(conversations)
        replies = {one: replies_in(one, await self._messages(one)) for one in wanted}
        return {conversation: said for conversation, said in replies.items() if said}

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        turns = [turn for turn in await self._turns() if turn.settled_ms >= since_ms]
        return Counter(article for turn in turns for article in turn.cited)

    def _there(self) -> frozenset[ConversationId]:
        return frozenset(state.id for state in self._conversations.states())

    async def _turns(self) -> list[QuestionTurn]:
        found = []
        for state in self._conversations.states():
            subject = (await self._customers.profile(state.id)).customer.subject
            written = [m for m in current(await self._messages(state.id)) if m.role is Role.CUSTOMER]
            for turn in await self._conversations.turns(state.id):
                covered = [m for m in written if m.seq in turn.covers]
                found.append(to_question_turn(turn, covered, locale=state.locale, subject=subject))
        return found

    async def _mark(self, mark: Mark) -> GapMark:
        state = await self._conversations.conversation(mark.conversation)
        subject = (await self._customers.profile(state.id)).customer.subject
        typed = marked_texts(await self._messages(state.id), at_ms=mark.at_ms)
        return GapMark(
            conversation=state.id,
            asker=subject or state.id,
            locale=state.locale,
            agent=mark.agent,
            at_ms=mark.at_ms,
            asked_ms=typed[-1].at_ms if typed else mark.at_ms,
            remark=mark.remark,
            texts=tuple(m.text for m in typed),
        )

    async def _messages(self, conversation: ConversationId) -> tuple[Message, ...]:
        return (await self._conversations.snapshot(conversation, after=0)).messages

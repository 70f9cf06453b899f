"""The desk store in dictionaries, over the in-memory conversations. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.core.activity import AFTERWARDS_MS, Activity, HandoffTimes, SettledTurn
from bot.core.conversation import AgentId, Conversation, ConversationId, Kind, Message, Role, Status
from bot.core.customers import Profile
from bot.core.desk import CannedReply, Found, Mark, MarkKind, QueueRow, ReadMarks, by_title, first_line
from bot.core.handoffs import HandoffRow
from bot.core.outcome import Handoff, outcome_name
from bot.core.revisions import current
from bot.core.searching import excerpt, holds, searched_words
from bot.core.turn import Turn

_OPEN = (Status.QUEUED, Status.CLAIMED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    since_ms: int
    until_ms: int

    def __contains__(self, at_ms: int) -> bool:
        return self.since_ms <= at_ms < self.until_ms


class MemoryDeskStore:
    """What agents read and write, as long as the process lives."""

    def __init__(
        self, conversations: MemoryConversationStore, customers: MemoryCustomerStore | None = None
    ) -> None:
        self._conversations = conversations
        self._customers = MemoryCustomerStore(conversations) if customers is None else customers
        self._marks: dict[tuple[ConversationId, MarkKind, int], Mark] = {}
        self._drafts: dict[tuple[ConversationId, AgentId], str] = {}
        self._read: dict[ConversationId, ReadMarks] = {}
        self._canned: dict[str, CannedReply] = {}

    async def queue(self) -> tuple[QueueRow, ...]:
        found = [await self._row(state) for state in self._conversations.states() if state.status in _OPEN]
        return tuple(sorted(found, key=lambda row: _by_wait(row.conversation)))

    async def queue_row(self, conversation: ConversationId) -> QueueRow | None:
        return next((row for row in await self.queue() if row.conversation.id == conversation), None)

    async def position(self, conversation: ConversationId) -> int | None:
        queued = [state for state in self._conversations.states() if state.status is Status.QUEUED]
        waiting = [state.id for state in sorted(queued, key=_by_wait)]
        return waiting.index(conversation) + 1 if conversation in waiting else None

    async def recent_waits(self, *, since_ms: int, limit: int) -> tuple[int, ...]:
        newest_first = [
            (-row.replied_ms, -row.opened_ms)
            for state in self._conversations.states()
            for row in await self._conversations.handoffs(state.id)
            if row.replied_ms is not None and row.replied_ms >= since_ms
        ]
        return tuple(opened - replied for replied, opened in sorted(newest_first))[:limit]

    async def leases_over(self, *, now_ms: int) -> tuple[ConversationId, ...]:
        over = [
            (state.lease_until_ms, state.id)
            for state in self._conversations.states()
            if state.lease_until_ms is not None and state.lease_until_ms <= now_ms
        ]
        return tuple(conversation for _, conversation in sorted(over))

    async def claims_of(self, agent: AgentId) -> tuple[ConversationId, ...]:
        return tuple(sorted(state.id for state in self._conversations.states() if state.agent == agent))

    async def add_mark(self, mark: Mark) -> Mark:
        await self._conversations.conversation(mark.conversation)
        return self._marks.setdefault((mark.conversation, mark.kind, mark.seq), mark)

    async def remove_mark(self, conversation: ConversationId, kind: MarkKind, seq: int) -> None:
        await self._conversations.conversation(conversation)
        self._marks.pop((conversation, kind, seq), None)

    async def marks(self, conversation: ConversationId) -> tuple[Mark, ...]:
        await self._conversations.conversation(conversation)
        return tuple(mark for mark in self._marks_by_time() if mark.conversation == conversation)

    async def marked(self, kind: MarkKind, *, since_ms: int) -> tuple[Mark, ...]:
        return tuple(mark for mark in self._marks_by_time() if mark.kind is kind and mark.at_ms >= since_ms)

    async def keep_draft(
        self, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
    ) -> None:
        await self._conversations.conversation(conversation)
        self._drafts[conversation, agent] = text

    async def draft(self, conversation: ConversationId, agent: AgentId) -> str:
        await self._conversations.conversation(conversation)
        return self._drafts.get((conversation, agent), "")

    async def mark_read(
        self, conversation: ConversationId, *, customer: int = 0, agent: int = 0
    ) -> ReadMarks:
        last_seq = (await self._conversations.conversation(conversation)).last_seq
        before = await self.read_marks(conversation)
        self._read[conversation] = before.moved(customer=customer, agent=agent, last_seq=last_seq)
        return self._read[conversation]

    async def read_marks(self, conversation: ConversationId) -> ReadMarks:
        await self._conversations.conversation(conversation)
        return self._read.get(conversation, ReadMarks())

    async def canned_replies(self) -> tuple[CannedReply, ...]:
        return by_title(self._canned.values())

    async def save_canned_reply(self, reply: CannedReply) -> None:
        self._canned[reply.id] = reply

    async def remove_canned_reply(self, reply_id: str) -> None:
        self._canned.pop(reply_id, None)

    async def profile(self, conversation: ConversationId) -> Profile:
        return await self._customers.profile(conversation)

    async def search(self, text: str, *, limit: int) -> tuple[Found, ...]:
        words = searched_words(text)
        found = [
            Found(
                conversation=state,
                seq=m.seq if m.revises is None else m.revises,
                at_ms=m.at_ms,
                excerpt=excerpt(m.text, words),
                customer=(await self.profile(state.id)).customer,
            )
            for state in self._conversations.states()
            for m in [m for m in current(await self._messages(state.id)) if holds(m.text, words)][-1:]
        ]
        return tuple(sorted(found, key=lambda one: (-one.at_ms, one.conversation.id)))[:limit]

    async def activity(self, *, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
        span = _Span(since_ms=since_ms, until_ms=until_ms)
        states = sorted(self._conversations.states(), key=lambda state: state.id)
        found = [await self._activity(state.id, span) for state in states]
        return tuple(one for one in found if one.turns or one.handoffs or one.claimed_ms)

    async def handoff_turns(self, *, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
        span = _Span(since_ms=since_ms, until_ms=until_ms)
        turns = [
            turn
            for state in self._conversations.states()
            for turn in await self._conversations.turns(state.id)
        ]
        handing_over = [t for t in turns if t.settled_ms in span and isinstance(t.outcome, Handoff)]
        return tuple(sorted(handing_over, key=lambda turn: (turn.settled_ms, turn.id)))

    async def _messages(self, conversation: ConversationId) -> tuple[Message, ...]:
        return (await self._conversations.snapshot(conversation, after=0)).messages

    async def _row(self, state: Conversation) -> QueueRow:
        written = [m for m in current(await self._messages(state.id)) if m.role is Role.CUSTOMER]
        read = await self.read_marks(state.id)
        handoffs = await self._conversations.handoffs(state.id)
        return QueueRow(
            conversation=state,
            reason=next((row.reason for row in handoffs if row.closed_ms is None), None),
            first_line=first_line(_first_text(written, since_ms=state.waiting_since_ms)),
            unread=sum(message.seq > read.agent for message in written),
            customer=(await self.profile(state.id)).customer,
        )

    async def _activity(self, conversation: ConversationId, span: _Span) -> Activity:
        turns = await self._conversations.turns(conversation)
        handoffs = await self._conversations.handoffs(conversation)
        audit = await self._conversations.audit(conversation)
        day_after = _Span(since_ms=span.since_ms, until_ms=span.until_ms + AFTERWARDS_MS)
        messages = await self._messages(conversation)
        written = [m for m in messages if m.role is Role.CUSTOMER and m.at_ms in day_after]
        verdicts = [(m.at_ms, m.verdict) for m in written if m.verdict is not None]
        claims = [r.at_ms for r in audit if r.after == Status.CLAIMED and r.before != Status.CLAIMED]
        settled = [_to_settled(turn) for turn in turns if turn.settled_ms in span]
        opened = [_to_times(row) for row in handoffs if row.opened_ms in span]
        return Activity(
            conversation=conversation,
            turns=tuple(sorted(settled, key=lambda turn: turn.settled_ms)),
            handoffs=tuple(sorted(opened, key=lambda row: row.opened_ms)),
            wrote_ms=tuple(sorted(m.at_ms for m in written if m.kind is Kind.TEXT)),
            helped=tuple(sorted(verdicts, key=lambda verdict: verdict[0])),
            claimed_ms=tuple(sorted(at_ms for at_ms in claims if at_ms in span)),
        )

    def _marks_by_time(self) -> list[Mark]:
        return sorted(self._marks.values(), key=lambda mark: mark.at_ms)


def _by_wait(state: Conversation) -> tuple[bool, int, ConversationId]:
    return state.waiting_since_ms is None, state.waiting_since_ms or 0, state.id


def _first_text(written: Sequence[Message], *, since_ms: int | None) -> str:
    """Return what stands for the customer's messages: the first text of the wait, else the latest text, else the latest of any kind."""
    texts = [m for m in written if m.kind is Kind.TEXT]
    waiting = [m for m in texts if since_ms is not None and m.at_ms >= since_ms]
    chosen = waiting[:1] or texts[-1:] or written[-1:]
    return chosen[0].text if chosen else ""


def _to_settled(turn: Turn) -> SettledTurn:
    reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else None
    return SettledTurn(settled_ms=turn.settled_ms, outcome=outcome_name(turn.outcome), reason=reason)


def _to_times(row: HandoffRow) -> HandoffTimes:
    return HandoffTimes(
        reason=row.reason, opened_ms=row.opened_ms, claimed_ms=row.claimed_ms, replied_ms=row.replied_ms
    )

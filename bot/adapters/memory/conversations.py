"""The conversation store in dictionaries. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.adapters.memory.outbox import MemoryOutbox
from bot.core.audit import OPENED, REOPENED, AuditRow
from bot.core.conversation import (
    Conversation,
    ConversationId,
    Message,
    Role,
    Status,
    TurnId,
    customer_visible,
)
from bot.core.inbound import CustomerMessage
from bot.core.notes import Note, summary_key
from bot.core.outbox import DESK, EVERYTHING, OutboxRow, Told, announced
from bot.core.outcome import Handoff, outcome_name
from bot.core.transcript import (
    ShownDraft,
    customer_wrote,
    numbered,
    require_fitting,
    require_seen,
    state_to_write,
)
from bot.core.turn import Fence, Turn, TurnStart
from bot.errors import ConversationChanged, ConversationUnknown, MessageConflict
from bot.ports import Change, HandoffRow, Received, Snapshot


@dataclass(slots=True, kw_only=True)
class _Record:
    """Everything that is kept of one conversation."""

    state: Conversation
    messages: list[Message] = field(default_factory=list)
    draft: ShownDraft | None = None
    turns: list[Turn] = field(default_factory=list)
    handoffs: list[HandoffRow] = field(default_factory=list)
    audit: list[AuditRow] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def append(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        written = numbered(messages, after=self.state.last_seq)
        self.messages.extend(written)
        self.state = replace(self.state, last_seq=self.state.last_seq + len(written))
        return written

    def interrupt_draft(self, *, at_ms: int) -> tuple[Message, ...]:
        draft, self.draft = self.draft, None
        return () if draft is None else self.append([draft.interrupted(at_ms=at_ms)])

    def end_draft(self, turn: Turn) -> tuple[Message, ...]:
        if self.draft is not None and not self.draft.outlives(turn):
            self.draft = None
        return self.interrupt_draft(at_ms=turn.settled_ms)

    def unsummarised(self) -> Iterable[HandoffRow]:
        written = {note.key for note in self.notes}
        return (h for h in self.handoffs if h.closed_ms is None and summary_key(h.epoch) not in written)

    def move(self, state: Conversation, change: Change) -> None:
        self.audit.append(_audit_row(self.state.status, state, change))
        self.state = state

    def stored_already(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        ids = {m.channel_message_id for m in messages} - {None}
        return tuple(m for m in self.messages if m.channel_message_id in ids)

    def unanswered(self) -> tuple[Message, ...]:
        return tuple(m for m in self.messages if m.role is Role.CUSTOMER and m.seq > self.state.answered_seq)

    def require(self, fence: Fence, turn: TurnId) -> None:
        held = (self.state.epoch, self.state.last_customer_seq) == (fence.epoch, fence.last_customer_seq)
        taken_over = any(m.turn == turn for m in self.messages if m.seq > fence.last_customer_seq)
        if taken_over or not (held and self.state.owes_a_turn):
            raise ConversationChanged(f"conversation {self.state.id} moved on since it was read")


class MemoryConversationStore:
    """Conversations that live as long as the process."""

    def __init__(self, *, told: Told = DESK) -> None:
        self._records: dict[ConversationId, _Record] = {}
        self._outbox = MemoryOutbox()
        self._told = told

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        if conversation.id not in self._records:
            opening = Change(who="customer", what=OPENED, at_ms=conversation.created_ms)
            opened = _audit_row("", conversation, opening)
            self._records[conversation.id] = _Record(state=conversation, audit=[opened])
        return self._records[conversation.id].state

    async def conversation(self, conversation: ConversationId) -> Conversation:
        return self._record(conversation).state

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        record = self._record(message.conversation)
        for earlier in record.messages:
            if earlier.channel_message_id == message.channel_message_id:
                return _repeated(earlier, message, record.state)
        before = record.state
        if before.status is Status.RESOLVED:
            record.move(before.reopened(now_ms=at_ms), Change(who="customer", what=REOPENED, at_ms=at_ms))
        kept = record.interrupt_draft(at_ms=at_ms)
        (new,) = record.append([_customer_message(message, at_ms=at_ms)])
        record.state = customer_wrote(record.state, seq=new.seq, at_ms=at_ms)
        self._announce(before, record.state, [*kept, new], at_ms=at_ms)
        return Received(message=new, conversation=record.state, duplicate=False)

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        record = self._record(conversation)
        if not record.state.owes_a_turn:
            return None
        latest = record.messages[max(0, len(record.messages) - history) :]
        return TurnStart(
            conversation=record.state,
            history=tuple(latest),
            unanswered=record.unanswered(),
            recent_turns=sum(turn.settled_ms >= turns_since_ms for turn in record.turns),
        )

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        record = self._record(fence.conversation)
        record.require(fence, turn)
        if record.draft is not None and record.draft.turn != turn:
            record.interrupt_draft(at_ms=record.messages[-1].at_ms)
        shown = () if record.draft is None else record.draft.blocks
        record.draft = ShownDraft(turn=turn, blocks=(*shown, *texts))

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        require_fitting(turn, moved)
        record = self._record(turn.fence.conversation)
        record.require(turn.fence, turn.id)
        before = record.state
        state = state_to_write(before, read=before, moved=moved, at_ms=turn.settled_ms)
        record.move(state, Change(who="bot", what=outcome_name(turn.outcome), at_ms=turn.settled_ms))
        written = record.end_draft(turn) + record.append(messages)
        record.turns.append(turn)
        if isinstance(turn.outcome, Handoff):
            record.handoffs.append(_opened(turn, turn.outcome, record.state))
        self._announce(before, record.state, written, at_ms=turn.settled_ms)
        return Snapshot(conversation=record.state, messages=written)

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        record = self._record(read.id)
        if repeated := record.stored_already(change.messages):
            return Snapshot(conversation=record.state, messages=repeated)
        before = record.state
        if (before.status, before.epoch) != (read.status, read.epoch):
            raise ConversationChanged(f"conversation {read.id} moved on since it was read")
        require_seen(before, read=read, moved=moved)
        state = state_to_write(before, read=read, moved=moved, at_ms=change.at_ms)
        kept: tuple[Message, ...] = ()
        if state.epoch == before.epoch:
            record.state = state
        else:
            record.move(state, change)
            kept = record.interrupt_draft(at_ms=change.at_ms)
        written = kept + record.append(change.messages)
        record.handoffs = [_followed(row, state, written, at_ms=change.at_ms) for row in record.handoffs]
        self._announce(before, state, written, at_ms=change.at_ms)
        return Snapshot(conversation=record.state, messages=written)

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        record = self._record(conversation)
        visible = tuple(m for m in record.messages if m.seq > after and customer_visible(m))
        draft = () if record.draft is None else record.draft.blocks
        return Snapshot(conversation=record.state, messages=visible, draft=draft)

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        waiting = (
            (max(record.state.owned_since_ms, *(m.at_ms for m in record.unanswered()[:1])), conversation)
            for conversation, record in self._records.items()
            if record.state.owes_a_turn
        )
        return tuple(
            conversation for since_ms, conversation in sorted(waiting) if since_ms < received_before_ms
        )

    async def conversations_with_turns(self, *, since_ms: int) -> tuple[ConversationId, ...]:
        settled = {
            conversation: [turn.settled_ms for turn in record.turns if turn.settled_ms >= since_ms]
            for conversation, record in self._records.items()
        }
        return tuple(c for _, c in sorted((min(times), c) for c, times in settled.items() if times))

    async def turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        return tuple(self._record(conversation).turns)

    async def handoffs(self, conversation: ConversationId) -> tuple[HandoffRow, ...]:
        return tuple(self._record(conversation).handoffs)

    async def audit(self, conversation: ConversationId) -> tuple[AuditRow, ...]:
        return tuple(self._record(conversation).audit)

    async def outbox(self, *, limit: int) -> tuple[OutboxRow, ...]:
        return self._outbox.undelivered()[:limit]

    async def outbox_due(self, *, now_ms: int, limit: int, kinds: Told = EVERYTHING) -> tuple[OutboxRow, ...]:
        return self._outbox.due(now_ms=now_ms, kinds=kinds)[:limit]

    async def delivered(self, key: str, *, at_ms: int) -> None:
        self._outbox.mark_delivered(key)

    async def postponed(self, key: str, *, until_ms: int) -> None:
        self._outbox.postpone(key, until_ms=until_ms)

    async def add_note(self, conversation: ConversationId, note: Note) -> Note:
        notes = self._record(conversation).notes
        for stored in notes:
            if note.key is not None and stored.key == note.key:
                return stored
        notes.append(replace(note, seq=len(notes) + 1))
        return notes[-1]

    async def notes(self, conversation: ConversationId) -> tuple[Note, ...]:
        return tuple(self._record(conversation).notes)

    async def unsummarised(self, *, opened_before_ms: int, limit: int) -> tuple[HandoffRow, ...]:
        waiting = (row for record in self._records.values() for row in record.unsummarised())
        due = sorted(
            (row.opened_ms, row.conversation, row) for row in waiting if row.opened_ms < opened_before_ms
        )
        return tuple(row for _, _, row in due[:limit])

    async def ping(self) -> None:
        return

    def states(self) -> tuple[Conversation, ...]:
        """Return every conversation, for the twins of stores that read across them."""
        return tuple(record.state for record in self._records.values())

    def _record(self, conversation: ConversationId) -> _Record:
        if conversation not in self._records:
            raise ConversationUnknown(f"there is no conversation {conversation}")
        return self._records[conversation]

    def _announce(
        self, before: Conversation, after: Conversation, messages: Iterable[Message], *, at_ms: int
    ) -> None:
        self._outbox.add(announced(before, after, messages, at_ms=at_ms, told=self._told))


def _repeated(earlier: Message, message: CustomerMessage, state: Conversation) -> Received:
    if (earlier.text, earlier.kind) != (message.text, message.kind):
        raise MessageConflict(f"message {message.channel_message_id} came before with another body")
    return Received(message=earlier, conversation=state, duplicate=True)


def _customer_message(message: CustomerMessage, *, at_ms: int) -> Message:
    return Message(
        seq=0,
        role=Role.CUSTOMER,
        text=message.text,
        at_ms=at_ms,
        kind=message.kind,
        channel_message_id=message.channel_message_id,
    )


def _opened(turn: Turn, handoff: Handoff, state: Conversation) -> HandoffRow:
    return HandoffRow(
        conversation=state.id,
        turn=turn.id,
        epoch=state.epoch,
        reason=handoff.reason,
        opened_ms=turn.settled_ms,
    )


def _followed(row: HandoffRow, state: Conversation, written: Sequence[Message], *, at_ms: int) -> HandoffRow:
    """Note in the open handoff what a change to *state* means for it; only the first time counts."""
    if row.closed_ms is not None:
        return row
    if row.claimed_ms is None and state.status is Status.CLAIMED:
        row = replace(row, claimed_ms=at_ms)
    if row.replied_ms is None and any(message.role is Role.AGENT for message in written):
        row = replace(row, replied_ms=at_ms)
    return replace(row, closed_ms=at_ms) if state.status in (Status.BOT, Status.RESOLVED) else row


def _audit_row(before: str, after: Conversation, change: Change) -> AuditRow:
    return AuditRow(
        conversation=after.id,
        at_ms=change.at_ms,
        who=change.who,
        what=change.what,
        before=before,
        after=after.status,
        epoch=after.epoch,
        agent=after.agent,
        detail=change.detail,
    )

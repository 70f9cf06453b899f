"""The conversation store in dictionaries. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

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
from bot.core.outcome import Handoff, outcome_name
from bot.core.transcript import ShownDraft, customer_wrote, numbered, require_fitting, state_to_write
from bot.core.turn import Fence, Turn, TurnStart
from bot.errors import ConversationChanged, ConversationUnknown, MessageConflict
from bot.ports import AuditRow, HandoffRow, OutboxRow, Received, Snapshot


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

    def move(self, state: Conversation, *, who: str, what: str, at_ms: int) -> None:
        self.audit.append(_audit_row(self.state.status, state, who=who, what=what, at_ms=at_ms))
        self.state = state

    def unanswered(self) -> tuple[Message, ...]:
        return tuple(m for m in self.messages if m.role is Role.CUSTOMER and m.seq > self.state.answered_seq)

    def require(self, fence: Fence, turn: TurnId) -> None:
        held = (self.state.epoch, self.state.last_customer_seq) == (fence.epoch, fence.last_customer_seq)
        taken_over = any(m.turn == turn for m in self.messages if m.seq > fence.last_customer_seq)
        if taken_over or not (held and self.state.owes_a_turn):
            raise ConversationChanged(f"conversation {self.state.id} moved on since it was read")


class MemoryConversationStore:
    """Conversations that live as long as the process."""

    def __init__(self) -> None:
        self._records: dict[ConversationId, _Record] = {}
        self._outbox: dict[str, OutboxRow] = {}
        self._delivered: set[str] = set()

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        if conversation.id not in self._records:
            opened = _audit_row(
                "", conversation, who="customer", what="opened", at_ms=conversation.created_ms
            )
            self._records[conversation.id] = _Record(state=conversation, audit=[opened])
        return self._records[conversation.id].state

    async def conversation(self, conversation: ConversationId) -> Conversation:
        return self._record(conversation).state

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        record = self._record(message.conversation)
        for earlier in record.messages:
            if earlier.channel_message_id == message.channel_message_id:
                return _repeated(earlier, message, record.state)
        if record.state.status is Status.RESOLVED:
            record.move(record.state.reopened(), who="customer", what="reopened", at_ms=at_ms)
        record.interrupt_draft(at_ms=at_ms)
        (new,) = record.append([_customer_message(message, at_ms=at_ms)])
        record.state = customer_wrote(record.state, seq=new.seq, at_ms=at_ms)
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
        state = state_to_write(record.state, read=record.state, moved=moved)
        record.move(state, who="bot", what=outcome_name(turn.outcome), at_ms=turn.settled_ms)
        written = record.end_draft(turn) + record.append(messages)
        record.turns.append(turn)
        if isinstance(turn.outcome, Handoff):
            self._open_handoff(record, turn, turn.outcome)
        return Snapshot(conversation=record.state, messages=written)

    async def change(
        self, read: Conversation, moved: Conversation, *, who: str, what: str, at_ms: int
    ) -> None:
        record = self._record(read.id)
        if (record.state.status, record.state.epoch) != (read.status, read.epoch):
            raise ConversationChanged(f"conversation {read.id} moved on since it was read")
        state = state_to_write(record.state, read=read, moved=moved)
        if (state.status, state.epoch) == (read.status, read.epoch):
            record.state = state
            return
        record.move(state, who=who, what=what, at_ms=at_ms)
        record.interrupt_draft(at_ms=at_ms)
        if state.status in (Status.BOT, Status.RESOLVED):
            record.handoffs = [_closed(row, at_ms=at_ms) for row in record.handoffs]

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        record = self._record(conversation)
        visible = tuple(m for m in record.messages if m.seq > after and customer_visible(m))
        draft = () if record.draft is None else record.draft.blocks
        return Snapshot(conversation=record.state, messages=visible, draft=draft)

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        waiting = (
            (min(m.at_ms for m in record.unanswered()), conversation)
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
        waiting = [row for key, row in self._outbox.items() if key not in self._delivered]
        return tuple(waiting[:limit])

    async def delivered(self, key: str, *, at_ms: int) -> None:
        self._delivered.update({key} & self._outbox.keys())

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

    def _record(self, conversation: ConversationId) -> _Record:
        if conversation not in self._records:
            raise ConversationUnknown(f"there is no conversation {conversation}")
        return self._records[conversation]

    def _open_handoff(self, record: _Record, turn: Turn, handoff: Handoff) -> None:
        opened = HandoffRow(
            conversation=record.state.id,
            turn=turn.id,
            epoch=record.state.epoch,
            reason=handoff.reason,
            opened_ms=turn.settled_ms,
        )
        record.handoffs.append(opened)
        key = f"handoff:{opened.conversation}:{opened.epoch}"
        self._outbox[key] = OutboxRow(
            key=key, kind="handoff", conversation=opened.conversation, created_ms=turn.settled_ms
        )


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


def _closed(row: HandoffRow, *, at_ms: int) -> HandoffRow:
    return row if row.closed_ms is not None else replace(row, closed_ms=at_ms)


def _audit_row(before: str, after: Conversation, *, who: str, what: str, at_ms: int) -> AuditRow:
    return AuditRow(
        conversation=after.id,
        at_ms=at_ms,
        who=who,
        what=what,
        before=before,
        after=after.status,
        epoch=after.epoch,
    )

"""What the in-memory store keeps of one conversation."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, Message, Role, TurnId
from bot.core.notes import Note, summary_key
from bot.core.transcript import ShownDraft, numbered
from bot.core.turn import Fence, Turn
from bot.errors import ConversationChanged
from bot.ports import Change, HandoffRow


@dataclass(slots=True, kw_only=True)
class Record:
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
        self.audit.append(audit_row(self.state.status, state, change))
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


def audit_row(before: str, after: Conversation, change: Change) -> AuditRow:
    """Return what the audit says of a change."""
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

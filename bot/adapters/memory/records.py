"""What the in-memory store keeps of one conversation."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, Message, Role
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note, summary_key
from bot.core.recording import Record, Written
from bot.core.turn import Turn


@dataclass(slots=True, kw_only=True)
class MemoryRecord:
    """Everything that is kept of one conversation; `decisive` is what the next write is decided by."""

    decisive: Record
    messages: list[Message] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    handoffs: list[HandoffRow] = field(default_factory=list)
    audit: list[AuditRow] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def state(self) -> Conversation:
        return self.decisive.state

    def apply(self, written: Written) -> None:
        self.decisive = written.record
        self.messages.extend(written.messages)
        self.audit.extend(written.audit)
        if written.turn is not None:
            self.turns.append(written.turn)
        if written.handoff is not None:
            self.handoffs = [row for row in self.handoffs if row.turn != written.handoff.turn]
            self.handoffs.append(written.handoff)

    def since(self, seq: int) -> tuple[Message, ...]:
        return tuple(m for m in self.messages if m.seq > seq)

    def unsummarised(self) -> Iterable[HandoffRow]:
        written = {note.key for note in self.notes}
        return (h for h in self.handoffs if h.closed_ms is None and summary_key(h.epoch) not in written)

    def stored_already(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        ids = {m.channel_message_id for m in messages} - {None}
        return tuple(m for m in self.messages if m.channel_message_id in ids)

    def unanswered(self) -> tuple[Message, ...]:
        return tuple(m for m in self.since(self.state.answered_seq) if m.role is Role.CUSTOMER)

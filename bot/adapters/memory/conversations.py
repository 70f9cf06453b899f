"""The conversation store in dictionaries. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Sequence
from dataclasses import replace

from bot.adapters.memory.outbox import MemoryOutbox
from bot.adapters.memory.records import MemoryRecord
from bot.core.audit import OPENED, AuditRow, Change, audit_row
from bot.core.conversation import Conversation, ConversationId, Message, TurnId, customer_visible
from bot.core.erasure import Erased
from bot.core.evidence import reduced
from bot.core.handoffs import HandoffRow
from bot.core.inbound import CustomerMessage
from bot.core.notes import Note
from bot.core.outbox import DESK, EVERYTHING, OutboxRow, Told, noted
from bot.core.recording import (
    Record,
    Written,
    changed,
    received,
    require_not_taken_over,
    settled,
    shown,
)
from bot.core.revisions import repeated, revised
from bot.core.transcript import require_fitting
from bot.core.turn import Fence, Turn, TurnStart
from bot.errors import ConversationUnknown
from bot.ports import Received, Snapshot


class MemoryConversationStore:
    """Conversations that live as long as the process."""

    def __init__(self, *, told: Told = DESK) -> None:
        self._records: dict[ConversationId, MemoryRecord] = {}
        self._erased: list[Erased] = []
        self._outbox = MemoryOutbox()
        self._told = told

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        if any(one.conversation == conversation.id for one in self._erased):
            raise ConversationUnknown(f"conversation {conversation.id} was erased")
        if conversation.id not in self._records:
            opening = Change(who="customer", what=OPENED, at_ms=conversation.created_ms)
            opened = audit_row(None, conversation, opening)
            self._records[conversation.id] = MemoryRecord(decisive=Record(state=conversation), audit=[opened])
        return self._records[conversation.id].state

    async def conversation(self, conversation: ConversationId) -> Conversation:
        return self._record(conversation).state

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        record = self._record(message.conversation)
        earlier = repeated(message, record.messages)
        if earlier is not None:
            return Received(message=earlier, conversation=record.state, duplicate=True)
        new = received(record.decisive, message, at_ms=at_ms, told=self._told, stored=record.messages)
        written = self._write(record, new)
        return Received(message=written.messages[-1], conversation=record.state, duplicate=False)

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        record = self._record(conversation)
        if not record.state.owes_a_turn:
            return None
        latest = record.messages[max(0, len(record.messages) - history) :]
        return TurnStart(
            conversation=record.state,
            history=revised(latest),
            unanswered=revised(record.unanswered()),
            recent_turns=sum(turn.settled_ms >= turns_since_ms for turn in record.turns),
        )

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        record = self._record(fence.conversation)
        require_not_taken_over(record.since(fence.last_customer_seq), turn)
        self._write(record, shown(record.decisive, fence, turn=turn, texts=texts, told=self._told))

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        require_fitting(turn, moved)
        record = self._record(turn.fence.conversation)
        require_not_taken_over(record.since(turn.fence.last_customer_seq), turn.id)
        written = self._write(record, settled(record.decisive, turn, messages, moved, told=self._told))
        return Snapshot(conversation=record.state, messages=written.messages)

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        record = self._record(read.id)
        if repeated := record.stored_already(change.messages):
            return Snapshot(conversation=record.state, messages=repeated)
        written = self._write(record, changed(record.decisive, read, moved, change, told=self._told))
        return Snapshot(conversation=record.state, messages=written.messages)

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        record = self._record(conversation)
        visible = tuple(m for m in record.messages if m.seq > after and customer_visible(m))
        draft = record.decisive.draft
        return Snapshot(
            conversation=record.state, messages=visible, draft=() if draft is None else draft.blocks
        )

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
        record = self._record(conversation)
        notes = record.notes
        for stored in notes:
            if note.key is not None and stored.key == note.key:
                return stored
        notes.append(replace(note, seq=len(notes) + 1))
        self._outbox.add(noted(record.state, len(notes), at_ms=note.at_ms, told=self._told))
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

    def erase(self, conversation: ConversationId, *, at_ms: int) -> bool:
        """Forget a conversation; return whether it was there."""
        if self._records.pop(conversation, None) is None:
            return False
        self._outbox.forget(conversation)
        number = len(self._erased) + 1
        self._erased.append(Erased(number=number, conversation=conversation, at_ms=at_ms))
        return True

    def erased(self) -> tuple[Erased, ...]:
        """Return every erasure, in order."""
        return tuple(self._erased)

    def reduce(self, *, settled_before_ms: int, limit: int) -> int:
        """Reduce the records of old turns; return how many."""
        old = [
            (record, place)
            for record in self._records.values()
            for place, turn in enumerate(record.turns)
            if turn.settled_ms < settled_before_ms and turn != reduced(turn)
        ][:limit]
        for record, place in old:
            record.turns[place] = reduced(record.turns[place])
        return len(old)

    def _record(self, conversation: ConversationId) -> MemoryRecord:
        if conversation not in self._records:
            raise ConversationUnknown(f"there is no conversation {conversation}")
        return self._records[conversation]

    def _write(self, record: MemoryRecord, written: Written) -> Written:
        record.apply(written)
        self._outbox.add(written.outbox)
        return written

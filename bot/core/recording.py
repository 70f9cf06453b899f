"""What each write to a conversation leaves behind: its state, messages, turn, handoff, audit and what the outside is told.

Pure, and the same for every store: a store reads a `Record`, lets one of these decide, and writes what is `Written` in one step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.core.audit import DELETED, EDITED, OPENED, REOPENED, AuditRow, Change, audit_row
from bot.core.conversation import Conversation, Kind, Message, Status, TurnId
from bot.core.handoffs import HandoffRow, followed, opened_by
from bot.core.inbound import CustomerMessage
from bot.core.outbox import OutboxRow, Told, announced
from bot.core.outcome import Handoff, outcome_name
from bot.core.revisions import is_owed, said
from bot.core.transcript import (
    ShownDraft,
    customer_deleted,
    customer_wrote,
    numbered,
    require_fitting,
    require_seen,
    state_to_write,
)
from bot.core.turn import Fence, Turn
from bot.errors import ConversationChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What decides about a write: the state, the shown blocks, the open handoff, and when the newest message came."""

    state: Conversation
    draft: ShownDraft | None = None
    handoff: HandoffRow | None = None
    last_message_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What one write leaves behind; `record` is what decides about the next one. `handoff` was opened or changed by it."""

    record: Record
    messages: tuple[Message, ...] = ()
    turn: Turn | None = None
    handoff: HandoffRow | None = None
    audit: tuple[AuditRow, ...] = ()
    outbox: tuple[OutboxRow, ...] = ()


def opened(conversation: Conversation) -> Written:
    """Open a conversation."""
    opening = Change(who="customer", what=OPENED, at_ms=conversation.created_ms)
    return Written(record=Record(state=conversation), audit=(audit_row(None, conversation, opening),))


def received(
    record: Record, message: CustomerMessage, *, at_ms: int, told: Told, stored: Sequence[Message] = ()
) -> Written:
    """Add a customer's message, after what was shown of a running answer; a resolved conversation is reopened, but for a deletion.

    *stored* is the whole conversation where the message revises another.
    """
    before = state = record.state
    kept = _interrupted(record, at_ms=at_ms)
    new = said(message, stored, at_ms=at_ms, next_seq=before.last_seq + len(kept) + 1)
    written = numbered([*kept, *new], after=before.last_seq)
    audit: tuple[AuditRow, ...] = ()
    if before.status is Status.RESOLVED and message.kind is not Kind.TOMBSTONE:
        state = before.reopened(now_ms=at_ms)
        audit = (audit_row(before, state, Change(who="customer", what=REOPENED, at_ms=at_ms)),)
    state = _after_customer(state, written[-1], stored)
    return Written(
        record=replace(record, state=state, draft=None, last_message_ms=at_ms),
        messages=written,
        audit=(*audit, *_revision_rows(state, written[-1])),
        outbox=announced(before, state, written, at_ms=at_ms, told=told),
    )


def shown(record: Record, fence: Fence, *, turn: TurnId, texts: Sequence[str], told: Told) -> Written:
    """Add blocks to those shown; what another turn had shown before a crash becomes a message first. ConversationChanged."""
    require_held(record.state, fence)
    kept: tuple[Message, ...] = ()
    draft, state = record.draft, record.state
    if draft is not None and draft.turn != turn:
        kept = numbered(_interrupted(record, at_ms=record.last_message_ms), after=state.last_seq)
        state, draft = replace(state, last_seq=kept[-1].seq), None
    blocks = () if draft is None else draft.blocks
    return Written(
        record=replace(record, state=state, draft=ShownDraft(turn=turn, blocks=(*blocks, *texts))),
        messages=kept,
        outbox=announced(record.state, state, kept, at_ms=record.last_message_ms, told=told),
    )


def settled(
    record: Record, turn: Turn, messages: Iterable[Message], moved: Conversation, *, told: Told
) -> Written:
    """Settle a turn: its messages, its record, and for a handoff the handoff. ConversationChanged."""
    require_fitting(turn, moved)
    require_held(record.state, turn.fence)
    before, at_ms = record.state, turn.settled_ms
    state = state_to_write(before, read=before, moved=moved, at_ms=at_ms)
    outlives = record.draft is not None and record.draft.outlives(turn)
    kept = _interrupted(record, at_ms=at_ms) if outlives else ()
    written = numbered([*kept, *messages], after=state.last_seq)
    state = replace(state, last_seq=state.last_seq + len(written))
    opened = opened_by(turn, turn.outcome, state) if isinstance(turn.outcome, Handoff) else None
    change = Change(who="bot", what=outcome_name(turn.outcome), at_ms=at_ms)
    return Written(
        record=_after(record, state, written, handoff=opened or record.handoff),
        messages=written,
        turn=turn,
        handoff=opened,
        audit=(audit_row(before, state, change),),
        outbox=announced(before, state, written, at_ms=at_ms, told=told),
    )


def changed(
    record: Record, read: Conversation, moved: Conversation, change: Change, *, told: Told
) -> Written:
    """Move the conversation for a person or the sweep. ConversationChanged when it is not as it was read."""
    before = record.state
    if (before.status, before.epoch) != (read.status, read.epoch):
        raise ConversationChanged(f"conversation {read.id} moved on since it was read")
    require_seen(before, read=read, moved=moved)
    state = state_to_write(before, read=read, moved=moved, at_ms=change.at_ms)
    changes_owner = (state.status, state.epoch) != (before.status, before.epoch)
    kept = _interrupted(record, at_ms=change.at_ms) if changes_owner else ()
    written = numbered([*kept, *change.messages], after=state.last_seq)
    state = replace(state, last_seq=state.last_seq + len(written))
    after = record.handoff and followed(record.handoff, state, written, at_ms=change.at_ms)
    return Written(
        record=_after(record, state, written, handoff=after, keeps_draft=not changes_owner),
        messages=written,
        handoff=after if after != record.handoff else None,
        audit=(audit_row(before, state, change),) if changes_owner or _revises(change) else (),
        outbox=announced(before, state, written, at_ms=change.at_ms, told=told),
    )


def require_held(state: Conversation, fence: Fence) -> None:
    """Raise ConversationChanged unless the conversation still owes the turn that *fence* was read for."""
    held = (state.epoch, state.last_customer_seq) == (fence.epoch, fence.last_customer_seq)
    if not (held and state.owes_a_turn):
        raise ConversationChanged(f"conversation {state.id} moved on since it was read")


def require_not_taken_over(messages_since: Iterable[Message], turn: TurnId) -> None:
    """Raise ConversationChanged when what *turn* had shown became a message: another process runs it now.

    *messages_since* came after the customer's last one. Two that run one turn would cut each other off at every block.
    """
    if any(message.turn == turn for message in messages_since):
        raise ConversationChanged(f"another turn took over from {turn}")


def _revises(change: Change) -> bool:
    return any(message.revises is not None for message in change.messages)


def _after(
    record: Record,
    state: Conversation,
    written: Sequence[Message],
    *,
    handoff: HandoffRow | None,
    keeps_draft: bool = False,
) -> Record:
    newest_ms = written[-1].at_ms if written else record.last_message_ms
    still_open = handoff if handoff is not None and handoff.closed_ms is None else None
    return Record(
        state=state,
        draft=record.draft if keeps_draft else None,
        handoff=still_open,
        last_message_ms=newest_ms,
    )


def _interrupted(record: Record, *, at_ms: int) -> tuple[Message, ...]:
    return () if record.draft is None else (record.draft.interrupted(at_ms=at_ms),)


def _after_customer(state: Conversation, message: Message, stored: Sequence[Message]) -> Conversation:
    if message.kind is Kind.TOMBSTONE:
        owed = is_owed(stored, message, answered_seq=state.answered_seq)
        return customer_deleted(state, seq=message.seq, is_owed=owed)
    return customer_wrote(state, seq=message.seq, at_ms=message.at_ms)


def _revision_rows(state: Conversation, message: Message) -> tuple[AuditRow, ...]:
    """Return what the audit says of a customer's revision; nothing of other messages."""
    if message.revises is None:
        return ()
    what = DELETED if message.kind is Kind.TOMBSTONE else EDITED
    change = Change(who="customer", what=what, at_ms=message.at_ms, detail=str(message.revises))
    return (audit_row(state, state, change),)

"""What changes the conversation tables. Each function runs inside a write transaction that its caller opened.

A write transaction is alone from its beginning on, so what is read in it still holds when it writes; what a write leaves behind is
decided in `core.recording`, and a refusal is an exception, which undoes the whole transaction.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from bot.adapters.sqlite import conversation_reads as reads
from bot.adapters.sqlite import handoffs
from bot.adapters.sqlite.audit import write as write_audit
from bot.adapters.sqlite.erasing import erasure_of
from bot.adapters.sqlite.outbox import announce
from bot.adapters.sqlite.rows import from_conversation, from_message
from bot.core.audit import OPENED, Change, audit_row
from bot.core.conversation import Conversation, ConversationId, Message, TurnId
from bot.core.inbound import CustomerMessage
from bot.core.outbox import Told
from bot.core.outcome import Handoff, outcome_name
from bot.core.recording import (
    Record,
    Written,
    changed,
    received,
    require_not_taken_over,
    settled,
    shown,
)
from bot.core.revisions import repeated
from bot.core.transcript import ShownDraft
from bot.core.turn import Fence, Turn
from bot.errors import ConversationUnknown
from bot.ports import Received, Snapshot
from bot.stored_turns import from_turn


def open_conversation(connection: sqlite3.Connection, conversation: Conversation) -> Conversation:
    """Store a new conversation; one that exists already is left alone and returned, one that was erased stays unknown."""
    if erasure_of(connection, conversation.id):
        raise ConversationUnknown(f"conversation {conversation.id} was erased")
    inserted = connection.execute(
        """
        INSERT INTO conversations VALUES (
            :id, :channel, :locale, :status, :epoch, :episode, :agent, :lease_until_ms, :last_seq,
            :last_customer_seq, :answered_seq, :created_ms, :waiting_since_ms, :owned_since_ms
        ) ON CONFLICT (id) DO NOTHING
        """,
        from_conversation(conversation),
    )
    if inserted.rowcount:
        opening = Change(who="customer", what=OPENED, at_ms=conversation.created_ms)
        write_audit(connection, audit_row(None, conversation, opening))
    return reads.conversation_state(connection, conversation.id)


def receive(connection: sqlite3.Connection, message: CustomerMessage, *, at_ms: int, told: Told) -> Received:
    """Store a customer message once."""
    record = _record(connection, message.conversation)
    stored = _stored_about(connection, message)
    earlier = repeated(message, stored)
    if earlier is not None:
        return Received(message=earlier, conversation=record.state, duplicate=True)
    new = received(record, message, at_ms=at_ms, told=told, stored=stored)
    written = _write(connection, record, new)
    return Received(message=written.messages[-1], conversation=written.record.state, duplicate=False)


def show_blocks(
    connection: sqlite3.Connection, fence: Fence, *, turn: TurnId, texts: Sequence[str], told: Told
) -> None:
    """Record verified blocks; what another turn had shown before a crash becomes a message first."""
    record = _record(connection, fence.conversation)
    _require_not_taken_over(connection, fence, turn)
    _write(connection, record, shown(record, fence, turn=turn, texts=texts, told=told))


def commit_turn(
    connection: sqlite3.Connection,
    turn: Turn,
    messages: Sequence[Message],
    moved: Conversation,
    *,
    told: Told,
) -> Snapshot:
    """Write a settled turn, or nothing when its fence no longer holds."""
    record = _record(connection, turn.fence.conversation)
    written = settled(record, turn, messages, moved, told=told)
    _require_not_taken_over(connection, turn.fence, turn.id)
    return _seen(_write(connection, record, written))


def change(
    connection: sqlite3.Connection, read: Conversation, moved: Conversation, change: Change, *, told: Told
) -> Snapshot:
    """Write a move by a person or the sweep, or nothing when the conversation is not as it was read."""
    record = _record(connection, read.id)
    if repeated := _stored_already(connection, read.id, change.messages):
        return Snapshot(conversation=record.state, messages=repeated)
    return _seen(_write(connection, record, changed(record, read, moved, change, told=told)))


def prove_writable(connection: sqlite3.Connection) -> None:
    """Write something, because a full or read-only disk shows only then."""
    connection.execute("UPDATE store_state SET pings = pings + 1")


def _record(connection: sqlite3.Connection, conversation: ConversationId) -> Record:
    return Record(
        state=reads.conversation_state(connection, conversation),
        draft=reads.shown_draft(connection, conversation),
        handoff=reads.open_handoff(connection, conversation),
        last_message_ms=reads.last_message_ms(connection, conversation),
    )


def _write(connection: sqlite3.Connection, record: Record, written: Written) -> Written:
    conversation = record.state.id
    if written.record.state != record.state:
        _write_state(connection, written.record.state)
    _write_draft(connection, conversation, before=record.draft, after=written.record.draft)
    _add_messages(connection, conversation, written.messages)
    if written.turn is not None:
        _add_turn(connection, written.turn)
    if written.handoff is not None:
        handoffs.keep(connection, written.handoff)
    for row in written.audit:
        write_audit(connection, row)
    announce(connection, written.outbox)
    return written


def _seen(written: Written) -> Snapshot:
    return Snapshot(conversation=written.record.state, messages=written.messages)


def _write_state(connection: sqlite3.Connection, state: Conversation) -> None:
    connection.execute(
        """
        UPDATE conversations SET
            locale = :locale, status = :status, epoch = :epoch, episode = :episode, agent = :agent,
            lease_until_ms = :lease_until_ms, last_seq = :last_seq, last_customer_seq = :last_customer_seq,
            answered_seq = :answered_seq, waiting_since_ms = :waiting_since_ms, owned_since_ms = :owned_since_ms
        WHERE id = :id
        """,
        from_conversation(state),
    )


def _write_draft(
    connection: sqlite3.Connection,
    conversation: ConversationId,
    *,
    before: ShownDraft | None,
    after: ShownDraft | None,
) -> None:
    """Add the blocks that are new, after the deletion of those that no longer stand."""
    if after == before:
        return
    kept = before.blocks if before and after and before.turn == after.turn else ()
    if before and not kept:
        connection.execute("DELETE FROM draft_blocks WHERE conversation = ?", (conversation,))
    if after is not None:
        connection.executemany(
            "INSERT INTO draft_blocks (conversation, position, turn, text) VALUES (?, ?, ?, ?)",
            [
                (conversation, position, after.turn, text)
                for position, text in enumerate(after.blocks)
                if position >= len(kept)
            ],
        )


def _add_messages(
    connection: sqlite3.Connection, conversation: ConversationId, messages: Iterable[Message]
) -> None:
    connection.executemany(
        """
        INSERT INTO messages (
            conversation, seq, role, kind, text, at_ms, refusal, interrupted, reason, sources, options, turn,
            channel_message_id, author, revises
        ) VALUES (
            :conversation, :seq, :role, :kind, :text, :at_ms, :refusal, :interrupted, :reason, :sources,
            :options, :turn, :channel_message_id, :author, :revises
        )
        """,
        [from_message(conversation, m) for m in messages],
    )


def _add_turn(connection: sqlite3.Connection, turn: Turn) -> None:
    reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else None
    connection.execute(
        "INSERT INTO turns (id, conversation, settled_ms, outcome, reason, record) VALUES (?, ?, ?, ?, ?, ?)",
        (
            turn.id,
            turn.fence.conversation,
            turn.settled_ms,
            outcome_name(turn.outcome),
            reason,
            from_turn(turn),
        ),
    )


def _require_not_taken_over(connection: sqlite3.Connection, fence: Fence, turn: TurnId) -> None:
    messages = reads.messages_after(connection, fence.conversation, seq=fence.last_customer_seq)
    require_not_taken_over(messages, turn)


def _stored_about(connection: sqlite3.Connection, message: CustomerMessage) -> tuple[Message, ...]:
    if message.revises is not None:
        return reads.messages_after(connection, message.conversation, seq=0)
    same = reads.message_with_channel_id(connection, message.conversation, message.channel_message_id)
    return () if same is None else (same,)


def _stored_already(
    connection: sqlite3.Connection, conversation: ConversationId, messages: Sequence[Message]
) -> tuple[Message, ...]:
    ids = [m.channel_message_id for m in messages if m.channel_message_id is not None]
    found = (reads.message_with_channel_id(connection, conversation, message_id) for message_id in ids)
    return tuple(message for message in found if message is not None)

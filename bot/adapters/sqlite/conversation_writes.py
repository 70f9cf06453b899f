"""What changes the conversation tables. Each function runs inside a write transaction that its caller opened.

Races are decided in the WHERE clause of the one statement that writes the state; a refusal is an exception, which
undoes the whole transaction.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from bot.adapters.sqlite import conversation_reads as reads
from bot.adapters.sqlite import handoffs
from bot.adapters.sqlite.audit import record
from bot.adapters.sqlite.erasing import erasure_of
from bot.adapters.sqlite.outbox import announce
from bot.adapters.sqlite.rows import from_conversation, from_message
from bot.adapters.sqlite.turn_records import from_turn
from bot.core.audit import OPENED, REOPENED
from bot.core.conversation import Conversation, ConversationId, Message, Role, Status, TurnId
from bot.core.inbound import CustomerMessage
from bot.core.outbox import Told, announced
from bot.core.outcome import Handoff, outcome_name
from bot.core.transcript import (
    customer_wrote,
    numbered,
    require_fitting,
    require_seen,
    state_to_write,
)
from bot.core.turn import Fence, Turn
from bot.errors import ConversationChanged, ConversationUnknown, MessageConflict
from bot.ports import Change, Received, Snapshot


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
        record(
            connection, None, conversation, Change(who="customer", what=OPENED, at_ms=conversation.created_ms)
        )
    return reads.conversation_state(connection, conversation.id)


def receive(connection: sqlite3.Connection, message: CustomerMessage, *, at_ms: int, told: Told) -> Received:
    """Store a customer message once."""
    stored = reads.conversation_state(connection, message.conversation)
    earlier = reads.message_with_channel_id(connection, message.conversation, message.channel_message_id)
    if earlier is None:
        return _store_customer_message(connection, stored, message, at_ms=at_ms, told=told)
    if (earlier.text, earlier.kind) != (message.text, message.kind):
        raise MessageConflict(f"message {message.channel_message_id} came before with another body")
    return Received(message=earlier, conversation=stored, duplicate=True)


def show_blocks(
    connection: sqlite3.Connection, fence: Fence, *, turn: TurnId, texts: Sequence[str], told: Told
) -> None:
    """Record verified blocks; what another turn had shown before a crash becomes a message first."""
    stored = reads.conversation_state(connection, fence.conversation)
    _require_not_taken_over(connection, fence, turn)
    draft = reads.shown_draft(connection, stored.id)
    if draft is not None and draft.turn != turn:
        at_ms = reads.last_message_ms(connection, stored.id)
        kept = _interrupt_draft(connection, stored.id, at_ms=at_ms)
        announce(connection, announced(stored, stored, kept, at_ms=at_ms, told=told))
    of_turn = {
        "id": stored.id,
        "turn": turn,
        "epoch": fence.epoch,
        "customer_seq": fence.last_customer_seq,
    }
    inserted = connection.executemany(
        """
        INSERT INTO draft_blocks (conversation, position, turn, text)
        SELECT id, (SELECT count(*) FROM draft_blocks WHERE conversation = :id), :turn, :text FROM conversations
        WHERE id = :id AND status = 'bot' AND epoch = :epoch AND last_customer_seq = :customer_seq
        AND answered_seq < last_customer_seq
        """,
        [{**of_turn, "text": text} for text in texts],
    )
    if inserted.rowcount < len(texts):
        raise ConversationChanged(f"conversation {stored.id} moved on while the bot was writing")


def commit_turn(
    connection: sqlite3.Connection,
    turn: Turn,
    messages: Sequence[Message],
    moved: Conversation,
    *,
    told: Told,
) -> Snapshot:
    """Write a settled turn, or nothing when its fence no longer holds."""
    require_fitting(turn, moved)
    stored = reads.conversation_state(connection, turn.fence.conversation)
    _require_not_taken_over(connection, turn.fence, turn.id)
    state = state_to_write(stored, read=stored, moved=moved, at_ms=turn.settled_ms)
    _write_state(
        connection,
        state,
        status=Status.BOT,
        epoch=turn.fence.epoch,
        unanswered_seq=turn.fence.last_customer_seq,
    )
    kept = _end_draft(connection, turn)
    written = kept + _append(connection, state.id, messages)
    _record_turn(connection, turn)
    record(
        connection, stored, state, Change(who="bot", what=outcome_name(turn.outcome), at_ms=turn.settled_ms)
    )
    if isinstance(turn.outcome, Handoff):
        handoffs.open_handoff(connection, turn, turn.outcome, state)
    announce(connection, announced(stored, state, written, at_ms=turn.settled_ms, told=told))
    return Snapshot(conversation=reads.conversation_state(connection, state.id), messages=written)


def change(
    connection: sqlite3.Connection, read: Conversation, moved: Conversation, change: Change, *, told: Told
) -> Snapshot:
    """Write a move by a person or the sweep, or nothing when the conversation is not as it was read."""
    stored = reads.conversation_state(connection, read.id)
    if repeated := _stored_already(connection, stored.id, change.messages):
        return Snapshot(conversation=stored, messages=repeated)
    require_seen(stored, read=read, moved=moved)
    state = state_to_write(stored, read=read, moved=moved, at_ms=change.at_ms)
    _write_state(connection, state, status=read.status, epoch=read.epoch)
    kept: tuple[Message, ...] = ()
    if (state.status, state.epoch) != (read.status, read.epoch):
        kept = _interrupt_draft(connection, state.id, at_ms=change.at_ms)
        record(connection, stored, state, change)
    written = kept + _append(connection, state.id, change.messages)
    handoffs.follow(connection, state, written, at_ms=change.at_ms)
    announce(connection, announced(stored, state, written, at_ms=change.at_ms, told=told))
    return Snapshot(conversation=reads.conversation_state(connection, state.id), messages=written)


def prove_writable(connection: sqlite3.Connection) -> None:
    """Write something, because a full or read-only disk shows only then."""
    connection.execute("UPDATE store_state SET pings = pings + 1")


def _store_customer_message(
    connection: sqlite3.Connection,
    stored: Conversation,
    message: CustomerMessage,
    *,
    at_ms: int,
    told: Told,
) -> Received:
    state = stored
    if stored.status is Status.RESOLVED:
        state = stored.reopened(now_ms=at_ms)
        record(connection, stored, state, Change(who="customer", what=REOPENED, at_ms=at_ms))
    kept = _interrupt_draft(connection, stored.id, at_ms=at_ms)
    new = Message(
        seq=0,
        role=Role.CUSTOMER,
        text=message.text,
        at_ms=at_ms,
        kind=message.kind,
        channel_message_id=message.channel_message_id,
    )
    (new,) = _append(connection, stored.id, [new])
    state = customer_wrote(state, seq=new.seq, at_ms=at_ms)
    _write_state(connection, state, status=stored.status, epoch=stored.epoch)
    announce(connection, announced(stored, state, [*kept, new], at_ms=at_ms, told=told))
    return Received(message=new, conversation=state, duplicate=False)


def _write_state(
    connection: sqlite3.Connection,
    state: Conversation,
    *,
    status: Status,
    epoch: int,
    unanswered_seq: int | None = None,
) -> None:
    """Write *state* if the conversation is still as it was read: the referee of every race."""
    updated = connection.execute(
        """
        UPDATE conversations SET
            locale = :locale, status = :status, epoch = :epoch, episode = :episode, agent = :agent,
            lease_until_ms = :lease_until_ms, last_seq = :last_seq, last_customer_seq = :last_customer_seq,
            answered_seq = :answered_seq, waiting_since_ms = :waiting_since_ms, owned_since_ms = :owned_since_ms
        WHERE id = :id AND status = :read_status AND epoch = :read_epoch AND (
            :unanswered_seq IS NULL
            OR (last_customer_seq = :unanswered_seq AND answered_seq < last_customer_seq)
        )
        """,
        {
            **from_conversation(state),
            "read_status": status,
            "read_epoch": epoch,
            "unanswered_seq": unanswered_seq,
        },
    )
    if not updated.rowcount:
        raise ConversationChanged(f"conversation {state.id} moved on since it was read")


def _require_not_taken_over(connection: sqlite3.Connection, fence: Fence, turn: TurnId) -> None:
    """A process that starts resumes what another may still be running; the two would cut each other off at every block."""
    if reads.spoke_since(connection, fence.conversation, turn, seq=fence.last_customer_seq):
        raise ConversationChanged(f"another turn took over from {turn} in conversation {fence.conversation}")


def _append(
    connection: sqlite3.Connection, conversation: ConversationId, messages: Iterable[Message]
) -> tuple[Message, ...]:
    """Store *messages* under the next seqs."""
    last_seq = reads.conversation_state(connection, conversation).last_seq
    written = numbered(messages, after=last_seq)
    connection.executemany(
        """
        INSERT INTO messages (
            conversation, seq, role, kind, text, at_ms, refusal, interrupted, reason, sources, options, turn,
            channel_message_id, author
        ) VALUES (
            :conversation, :seq, :role, :kind, :text, :at_ms, :refusal, :interrupted, :reason, :sources,
            :options, :turn, :channel_message_id, :author
        )
        """,
        [from_message(conversation, m) for m in written],
    )
    connection.execute(
        "UPDATE conversations SET last_seq = ? WHERE id = ?", (last_seq + len(written), conversation)
    )
    return written


def _interrupt_draft(
    connection: sqlite3.Connection, conversation: ConversationId, *, at_ms: int
) -> tuple[Message, ...]:
    draft = reads.shown_draft(connection, conversation)
    if draft is None:
        return ()
    connection.execute("DELETE FROM draft_blocks WHERE conversation = ?", (conversation,))
    return _append(connection, conversation, [draft.interrupted(at_ms=at_ms)])


def _end_draft(connection: sqlite3.Connection, turn: Turn) -> tuple[Message, ...]:
    draft = reads.shown_draft(connection, turn.fence.conversation)
    if draft is not None and draft.outlives(turn):
        return _interrupt_draft(connection, turn.fence.conversation, at_ms=turn.settled_ms)
    connection.execute("DELETE FROM draft_blocks WHERE conversation = ?", (turn.fence.conversation,))
    return ()


def _record_turn(connection: sqlite3.Connection, turn: Turn) -> None:
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


def _stored_already(
    connection: sqlite3.Connection, conversation: ConversationId, messages: Sequence[Message]
) -> tuple[Message, ...]:
    ids = [m.channel_message_id for m in messages if m.channel_message_id is not None]
    found = (reads.message_with_channel_id(connection, conversation, message_id) for message_id in ids)
    return tuple(message for message in found if message is not None)

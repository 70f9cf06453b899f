"""What is asked of the conversation tables. Each function runs inside a transaction that its caller opened.

Whatever names a conversation that is not there raises ConversationUnknown.
"""

import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.rows import to_conversation, to_message
from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, TurnId
from bot.core.handoffs import HandoffRow
from bot.core.revisions import revised
from bot.core.transcript import ShownDraft
from bot.core.turn import Turn, TurnStart
from bot.errors import ConversationUnknown
from bot.ports import Snapshot
from bot.stored_rows import to_audit, to_handoff
from bot.stored_turns import to_turn


def conversation_state(connection: sqlite3.Connection, conversation: ConversationId) -> Conversation:
    """Return the stored state; ConversationUnknown when there is none."""
    row = connection.execute("SELECT * FROM conversations WHERE id = ?", (conversation,)).fetchone()
    if row is None:
        raise ConversationUnknown(f"there is no conversation {conversation}")
    return to_conversation(row)


def turn_start(
    connection: sqlite3.Connection, conversation: ConversationId, *, history: int, turns_since_ms: int
) -> TurnStart | None:
    """Read what a turn needs; None when none is owed."""
    state = conversation_state(connection, conversation)
    if not state.owes_a_turn:
        return None
    latest = connection.execute(
        "SELECT * FROM messages WHERE conversation = ? ORDER BY seq DESC LIMIT ?", (conversation, history)
    )
    unanswered = connection.execute(
        "SELECT * FROM messages WHERE conversation = ? AND seq > ? AND role = ? ORDER BY seq",
        (conversation, state.answered_seq, Role.CUSTOMER),
    )
    return TurnStart(
        conversation=state,
        history=revised(_messages(latest)[::-1]),
        unanswered=revised(_messages(unanswered)),
        recent_turns=_count_turns(connection, conversation, since_ms=turns_since_ms),
    )


def snapshot(connection: sqlite3.Connection, conversation: ConversationId, after: int) -> Snapshot:
    """Read the customer's view."""
    found = connection.execute(
        "SELECT * FROM messages WHERE conversation = ? AND seq > ? AND kind <> ? ORDER BY seq",
        (conversation, after, Kind.NOTE),
    )
    draft = shown_draft(connection, conversation)
    return Snapshot(
        conversation=conversation_state(connection, conversation),
        messages=_messages(found),
        draft=() if draft is None else draft.blocks,
    )


def shown_draft(connection: sqlite3.Connection, conversation: ConversationId) -> ShownDraft | None:
    """Return the shown blocks of the unfinished answer; None when there are none. They are all of one turn."""
    rows = connection.execute(
        "SELECT turn, text FROM draft_blocks WHERE conversation = ? ORDER BY position", (conversation,)
    ).fetchall()
    if not rows:
        return None
    return ShownDraft(turn=TurnId(rows[0]["turn"]), blocks=tuple(row["text"] for row in rows))


def messages_after(
    connection: sqlite3.Connection, conversation: ConversationId, *, seq: int
) -> tuple[Message, ...]:
    """Return every message with a seq greater than *seq*, oldest first."""
    found = connection.execute(
        "SELECT * FROM messages WHERE conversation = ? AND seq > ? ORDER BY seq", (conversation, seq)
    )
    return _messages(found)


def open_handoff(connection: sqlite3.Connection, conversation: ConversationId) -> HandoffRow | None:
    """Return the open handoff; None when there is none."""
    row = connection.execute(
        "SELECT * FROM handoffs WHERE conversation = ? AND closed_ms IS NULL", (conversation,)
    ).fetchone()
    return None if row is None else to_handoff(row)


def message_with_channel_id(
    connection: sqlite3.Connection, conversation: ConversationId, channel_message_id: str
) -> Message | None:
    """Return the message that a channel delivered under this id before; None when it is new."""
    row = connection.execute(
        "SELECT * FROM messages WHERE conversation = ? AND channel_message_id = ?",
        (conversation, channel_message_id),
    ).fetchone()
    return None if row is None else to_message(row)


def last_message_ms(connection: sqlite3.Connection, conversation: ConversationId) -> int:
    """Return when the newest message came; 0 when there is none."""
    row = connection.execute(
        "SELECT at_ms FROM messages WHERE conversation = ? ORDER BY seq DESC LIMIT 1", (conversation,)
    ).fetchone()
    return 0 if row is None else int(row["at_ms"])


def unanswered(connection: sqlite3.Connection, received_before_ms: int) -> tuple[ConversationId, ...]:
    """Return who owes a turn since before then, the longest waiting first."""
    rows = connection.execute(
        """
        SELECT c.id, max(min(m.at_ms), c.owned_since_ms) AS since_ms
        FROM conversations AS c
        JOIN messages AS m ON m.conversation = c.id AND m.seq > c.answered_seq AND m.role = 'customer'
        WHERE c.status = 'bot' AND c.answered_seq < c.last_customer_seq
        GROUP BY c.id HAVING since_ms < ? ORDER BY since_ms, c.id
        """,
        (received_before_ms,),
    )
    return tuple(ConversationId(row["id"]) for row in rows)


def conversations_with_turns(connection: sqlite3.Connection, since_ms: int) -> tuple[ConversationId, ...]:
    """Return who had a turn settled since then, by the first such turn."""
    rows = connection.execute(
        """
        SELECT conversation, min(settled_ms) AS first_ms FROM turns WHERE settled_ms >= ?
        GROUP BY conversation ORDER BY first_ms, conversation
        """,
        (since_ms,),
    )
    return tuple(ConversationId(row["conversation"]) for row in rows)


def turns(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Turn, ...]:
    """Return the turn records in the order in which they were written."""
    conversation_state(connection, conversation)
    rows = connection.execute(
        "SELECT outcome, record FROM turns WHERE conversation = ? ORDER BY number", (conversation,)
    )
    return tuple(to_turn(row["outcome"], row["record"]) for row in rows)


def handoffs(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[HandoffRow, ...]:
    """Return the handoffs in the order in which they were written."""
    conversation_state(connection, conversation)
    rows = connection.execute(
        "SELECT * FROM handoffs WHERE conversation = ? ORDER BY number", (conversation,)
    )
    return tuple(to_handoff(row) for row in rows)


def audit(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[AuditRow, ...]:
    """Return the audit rows in the order in which they were written."""
    conversation_state(connection, conversation)
    rows = connection.execute("SELECT * FROM audit WHERE conversation = ? ORDER BY number", (conversation,))
    return tuple(to_audit(row) for row in rows)


def _count_turns(connection: sqlite3.Connection, conversation: ConversationId, *, since_ms: int) -> int:
    count: int = connection.execute(
        "SELECT count(*) FROM turns WHERE conversation = ? AND settled_ms >= ?", (conversation, since_ms)
    ).fetchone()[0]
    return count


def _messages(rows: Iterable[sqlite3.Row]) -> tuple[Message, ...]:
    return tuple(to_message(row) for row in rows)

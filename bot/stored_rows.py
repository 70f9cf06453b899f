"""What a store keeps under the names of the core's own fields, read back: the same for a row of a table and for a document."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bot.core.audit import AuditRow
from bot.core.conversation import (
    AgentId,
    Channel,
    Conversation,
    ConversationId,
    Kind,
    Message,
    Role,
    Source,
    Status,
    TurnId,
)
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note
from bot.core.outbox import Announcement, OutboxRow


class Kept(Protocol):
    """A row or a document."""

    def __getitem__(self, name: str, /) -> Any:
        """Return the value of a field."""
        ...


def to_conversation(kept: Kept, conversation: str) -> Conversation:
    """Read the state of the *conversation* with this id."""
    return Conversation(
        id=ConversationId(conversation),
        channel=Channel(kept["channel"]),
        locale=kept["locale"],
        status=Status(kept["status"]),
        epoch=kept["epoch"],
        episode=kept["episode"],
        agent=None if kept["agent"] is None else AgentId(kept["agent"]),
        lease_until_ms=kept["lease_until_ms"],
        last_seq=kept["last_seq"],
        last_customer_seq=kept["last_customer_seq"],
        answered_seq=kept["answered_seq"],
        created_ms=kept["created_ms"],
        waiting_since_ms=kept["waiting_since_ms"],
        owned_since_ms=kept["owned_since_ms"],
    )


def to_message(
    kept: Kept, *, sources: Iterable[Mapping[str, Any]], options: Iterable[str], revises: int | None
) -> Message:
    """Read a message, of which each store keeps *sources* and *options* in its own way, and documents may lack *revises*."""
    return Message(
        seq=kept["seq"],
        role=Role(kept["role"]),
        text=kept["text"],
        at_ms=kept["at_ms"],
        kind=Kind(kept["kind"]),
        refusal=bool(kept["refusal"]),
        interrupted=bool(kept["interrupted"]),
        reason=kept["reason"],
        sources=tuple(Source(**source) for source in sources),
        options=tuple(options),
        turn=None if kept["turn"] is None else TurnId(kept["turn"]),
        channel_message_id=kept["channel_message_id"],
        author=None if kept["author"] is None else AgentId(kept["author"]),
        revises=revises,
    )


def to_handoff(kept: Kept) -> HandoffRow:
    """Read a handoff."""
    return HandoffRow(
        conversation=ConversationId(kept["conversation"]),
        turn=TurnId(kept["turn"]),
        epoch=kept["epoch"],
        reason=kept["reason"],
        opened_ms=kept["opened_ms"],
        closed_ms=kept["closed_ms"],
        claimed_ms=kept["claimed_ms"],
        replied_ms=kept["replied_ms"],
    )


def to_audit(kept: Kept) -> AuditRow:
    """Read an audit row."""
    return AuditRow(
        conversation=ConversationId(kept["conversation"]),
        at_ms=kept["at_ms"],
        who=kept["who"],
        what=kept["what"],
        before=kept["before"],
        after=kept["after"],
        epoch=kept["epoch"],
        agent=None if kept["agent"] is None else AgentId(kept["agent"]),
        detail=kept["detail"],
    )


def to_note(kept: Kept) -> Note:
    """Read a note."""
    return Note(
        seq=kept["seq"], author=kept["author"], text=kept["text"], at_ms=kept["at_ms"], key=kept["key"]
    )


def to_outbox(kept: Kept) -> OutboxRow:
    """Read an outbox row."""
    return OutboxRow(
        key=kept["key"],
        kind=Announcement(kept["kind"]),
        conversation=ConversationId(kept["conversation"]),
        epoch=kept["epoch"],
        created_ms=kept["created_ms"],
        seq=kept["seq"],
        attempts=kept["attempts"],
        due_ms=kept["due_ms"],
    )

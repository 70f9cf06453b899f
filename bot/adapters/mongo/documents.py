"""Documents to core values and back. Pure; the only place that knows how a field is kept.

Ids are strings and times are integers: both order and compare alike on every server.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

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
from bot.core.customers import Customer, Page, Profile, Subject
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note
from bot.core.outbox import Announcement, OutboxRow
from bot.core.outcome import Handoff, outcome_name
from bot.core.searching import indexed_words
from bot.core.transcript import ShownDraft
from bot.core.turn import Turn
from bot.stored_turns import from_turn as turn_to_json
from bot.stored_turns import to_turn as turn_from_json

Document = dict[str, Any]
Kept = Mapping[str, Any]


def from_conversation(conversation: Conversation) -> Document:
    """Return the fields of a state; its id is the document's."""
    fields = asdict(conversation)
    return {
        "_id": fields.pop("id"),
        **fields,
        "channel": str(conversation.channel),
        "status": str(conversation.status),
    }


def to_conversation(kept: Kept) -> Conversation:
    """Read a state."""
    return Conversation(
        id=ConversationId(kept["_id"]),
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


def from_draft(draft: ShownDraft | None) -> Document | None:
    return None if draft is None else {"turn": draft.turn, "blocks": list(draft.blocks)}


def to_draft(kept: Kept | None) -> ShownDraft | None:
    return None if kept is None else ShownDraft(turn=TurnId(kept["turn"]), blocks=tuple(kept["blocks"]))


def from_message(conversation: ConversationId, message: Message) -> Document:
    """Return a message's document; `once` is what no other message of its conversation may have (FAULTS M4)."""
    return {
        **asdict(message),
        "_id": f"{conversation}:{message.seq}",
        "conversation": conversation,
        "role": str(message.role),
        "kind": str(message.kind),
        "sources": [asdict(source) for source in message.sources],
        "options": list(message.options),
        "words": [] if message.kind is Kind.NOTE else list(indexed_words(message.text)),
        "once": f"seq:{message.seq}"
        if message.channel_message_id is None
        else once(message.channel_message_id),
    }


def once(channel_message_id: str) -> str:
    """Return what tells a message that a channel delivers again."""
    return f"id:{channel_message_id}"


def to_message(kept: Kept) -> Message:
    """Read a message."""
    return Message(
        seq=kept["seq"],
        role=Role(kept["role"]),
        text=kept["text"],
        at_ms=kept["at_ms"],
        kind=Kind(kept["kind"]),
        refusal=bool(kept["refusal"]),
        interrupted=bool(kept["interrupted"]),
        reason=kept["reason"],
        sources=tuple(Source(**source) for source in kept["sources"]),
        options=tuple(kept["options"]),
        turn=None if kept["turn"] is None else TurnId(kept["turn"]),
        channel_message_id=kept["channel_message_id"],
        author=None if kept["author"] is None else AgentId(kept["author"]),
    )


def from_turn(turn: Turn) -> Document:
    """Return a turn's document; its record is JSON, because nothing in it is ever asked for."""
    reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else None
    return {
        "_id": turn.id,
        "conversation": turn.fence.conversation,
        "settled_ms": turn.settled_ms,
        "outcome": outcome_name(turn.outcome),
        "reason": None if reason is None else str(reason),
        "record": turn_to_json(turn),
    }


def to_turn(kept: Kept) -> Turn:
    return turn_from_json(kept["outcome"], kept["record"])


def from_handoff(row: HandoffRow) -> Document:
    return {**asdict(row), "_id": f"{row.conversation}:{row.turn}"}


def to_handoff(kept: Kept) -> HandoffRow:
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


def from_audit(row: AuditRow) -> Document:
    return {**asdict(row), "before": str(row.before), "after": str(row.after)}


def to_audit(kept: Kept) -> AuditRow:
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


def from_outbox(row: OutboxRow) -> Document:
    return {**asdict(row), "_id": row.key, "kind": str(row.kind), "delivered_ms": None}


def to_outbox(kept: Kept) -> OutboxRow:
    return OutboxRow(
        key=kept["_id"],
        kind=Announcement(kept["kind"]),
        conversation=ConversationId(kept["conversation"]),
        epoch=kept["epoch"],
        created_ms=kept["created_ms"],
        seq=kept["seq"],
        attempts=kept["attempts"],
        due_ms=kept["due_ms"],
    )


def to_note(kept: Kept) -> Note:
    return Note(
        seq=kept["seq"], author=kept["author"], text=kept["text"], at_ms=kept["at_ms"], key=kept["key"]
    )


def from_profile(profile: Profile) -> Document:
    """Return what is known of a customer, as it stands within its conversation."""
    customer, page = profile.customer, profile.page
    return {
        "subject": customer.subject,
        "name": customer.name,
        "email": customer.email,
        "page": None if page is None else {"url": page.url, "title": page.title},
        "identity_ms": profile.identity_ms,
        "token_epoch": profile.token_epoch,
    }


def to_profile(kept: Kept) -> Profile:
    subject, page = kept["subject"], kept["page"]
    return Profile(
        customer=Customer(
            subject=None if subject is None else Subject(subject), name=kept["name"], email=kept["email"]
        ),
        page=None if page is None else Page(url=page["url"], title=page["title"]),
        identity_ms=kept["identity_ms"],
        token_epoch=kept["token_epoch"],
    )

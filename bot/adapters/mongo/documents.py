"""Documents to core values and back. Pure; the only place that knows how a field is kept.

Ids are strings and times are integers: both order and compare alike on every server.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bot import stored_rows
from bot.core.audit import AuditRow
from bot.core.conversation import (
    Conversation,
    ConversationId,
    Kind,
    Message,
    TurnId,
)
from bot.core.customers import Customer, Page, Profile, Subject
from bot.core.handoffs import HandoffRow
from bot.core.outbox import OutboxRow
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
    return stored_rows.to_conversation(kept, kept["_id"])


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
    return stored_rows.to_message(
        kept, sources=kept["sources"], options=kept["options"], revises=kept.get("revises")
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


def from_audit(row: AuditRow) -> Document:
    return {**asdict(row), "before": str(row.before), "after": str(row.after)}


def from_outbox(row: OutboxRow) -> Document:
    return {**asdict(row), "_id": row.key, "kind": str(row.kind), "delivered_ms": None}


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

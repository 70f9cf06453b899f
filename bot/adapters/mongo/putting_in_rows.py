"""Documents of what is carried from another store, and back. Pure; as `documents`, which has those that are written every day."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bot.adapters.mongo.attachments import to_attachment
from bot.adapters.mongo.desk_marks import mark_id, to_mark
from bot.adapters.mongo.documents import Document
from bot.adapters.mongo.notes import once
from bot.adapters.mongo.ratings import to_rating
from bot.core.attachments import Attachment
from bot.core.belongings import KeptAnnouncement, KeptSpending, KeptTurn, UnsentReply
from bot.core.conversation import AgentId, ConversationId, TurnId
from bot.core.desk import Mark
from bot.core.notes import Note
from bot.core.ratings import Rating
from bot.stored_rows import to_note, to_outbox

__all__ = ["to_attachment", "to_mark", "to_note", "to_rating"]

Kept = Mapping[str, Any]


def from_turn(conversation: ConversationId, turn: KeptTurn) -> Document:
    fields = asdict(turn)
    return {
        "_id": fields.pop("id"),
        **fields,
        "conversation": conversation,
        "reduced": int(turn.reduced),
    }


def to_kept_turn(kept: Kept) -> KeptTurn:
    return KeptTurn(
        id=TurnId(kept["_id"]),
        settled_ms=kept["settled_ms"],
        outcome=kept["outcome"],
        reason=kept["reason"],
        record=kept["record"],
        reduced=bool(kept.get("reduced", 0)),
    )


def to_announcement(kept: Kept) -> KeptAnnouncement:
    return KeptAnnouncement(row=to_outbox(kept), delivered_ms=kept["delivered_ms"])


def from_note(conversation: ConversationId, note: Note) -> Document:
    return {
        **asdict(note),
        "_id": f"{conversation}:{note.seq}",
        "conversation": conversation,
        "once": once(note, seq=note.seq),
    }


def from_mark(mark: Mark) -> Document:
    return {
        **asdict(mark),
        "_id": mark_id(mark.conversation, mark.kind, mark.seq),
        "kind": str(mark.kind),
    }


def to_unsent_reply(kept: Kept) -> UnsentReply:
    return UnsentReply(agent=AgentId(kept["agent"]), text=kept["text"], at_ms=kept["at_ms"])


def from_rating(conversation: ConversationId, rating: Rating) -> Document:
    return {
        **asdict(rating),
        "_id": f"{conversation}:{rating.message_id}",
        "conversation": conversation,
    }


def from_attachment(conversation: ConversationId, attachment: Attachment) -> Document:
    return {
        **asdict(attachment),
        "_id": f"{conversation}:{attachment.message_id}",
        "conversation": conversation,
        "media_type": str(attachment.media_type),
        "size": len(attachment.content),
    }


def from_spending(conversation: ConversationId, spending: KeptSpending) -> Document:
    """Return what a turn used; whatever the ledger writes about it later is newer."""
    return {**asdict(spending), "_id": spending.turn, "conversation": conversation, "version": 0}


def to_spending(kept: Kept) -> KeptSpending:
    return KeptSpending(
        turn=TurnId(kept["turn"]),
        at_ms=kept["at_ms"],
        tokens=kept["tokens"],
        micro_usd=kept["micro_usd"],
    )

"""What agents are shown, as JSON. No view holds a password, a digest or a token; customers' and agents' texts stay text. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.channels.events import Event, to_block, to_message_event
from bot.channels.wording import (
    Names,
    agent_name,
    customer_name,
    detail_in_words,
    reason_in_words,
    what_in_words,
    who_in_words,
)
from bot.core.audit import AuditRow
from bot.core.conversation import AgentId, Conversation, Kind, Message, Role, Status
from bot.core.customers import Customer, Page
from bot.core.desk import ALARM_MS, LATE_MS, CannedReply, Found, Mark, QueueRow
from bot.core.handoffs import HandoffRow
from bot.core.notes import BOT, SUMMARY, Note
from bot.core.ratings import Rating
from bot.core.replies import Replies
from bot.core.revisions import without_old_texts
from bot.service.desk_reading import DeskView


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """For whom a view is made, and with what words."""

    agent: AgentId
    names: Names
    replies: Replies
    locale: str
    now_ms: int


def to_row(row: QueueRow, reader: Reader, *, contact: str | None) -> Event:
    """Translate one line of the queue."""
    conversation = row.conversation
    return {
        "conversation": conversation.id,
        **_to_who(conversation, row.customer),
        "channel": conversation.channel,
        "locale": conversation.locale,
        "state": conversation.status,
        **_to_holder(conversation, reader),
        "reason": row.reason,
        "reason_text": reason_in_words(row.reason, reader.replies, reader.locale),
        "first_line": row.first_line,
        "waiting_since": conversation.waiting_since_ms,
        "owned_since": conversation.owned_since_ms,
        "episode": conversation.episode,
        "unread": row.unread,
        "alarm": is_alarming(conversation, now_ms=reader.now_ms),
        "late": is_late(conversation, now_ms=reader.now_ms),
        "contact": contact,
    }


def is_alarming(conversation: Conversation, *, now_ms: int) -> bool:
    """Whether the customer has waited too long for the agent who claimed the conversation, since the claim at the earliest."""
    since = conversation.waiting_since_ms
    if conversation.status is not Status.CLAIMED or since is None:
        return False
    return now_ms - max(since, conversation.owned_since_ms) >= ALARM_MS


def is_late(conversation: Conversation, *, now_ms: int) -> bool:
    """Whether the customer has waited too long for anybody to claim the conversation."""
    since = conversation.waiting_since_ms
    return conversation.status is Status.QUEUED and since is not None and now_ms - since >= LATE_MS


def to_state(conversation: Conversation, reader: Reader) -> Event:
    """Say who has the conversation: what each move answers."""
    return {
        "state": conversation.status,
        "epoch": conversation.epoch,
        **_to_holder(conversation, reader),
    }


def to_view(view: DeskView, reader: Reader, *, contact: str | None) -> Event:
    """Translate one conversation: what is new after the reader's cursors, and what lies beside it."""
    return {
        "now": reader.now_ms,
        "conversation": view.conversation.id,
        **_to_who(view.conversation, view.profile.customer),
        "page": _to_page(view.profile.page),
        "row": to_row(view.row, reader, contact=contact) if view.row else None,
        **to_state(view.conversation, reader),
        "messages": [
            {**to_message(message, reader), "attachment": _to_attachment(message, view)}
            for message in without_old_texts(view.messages)
        ],
        "draft": [to_block(position, text) for position, text in enumerate(view.draft)],
        "notes": [to_note(note, reader) for note in view.notes],
        "handoffs": [_to_handoff(handoff, reader) for handoff in view.handoffs],
        "marks": [to_mark(mark, reader) for mark in view.marks],
        "reads": {"customer": view.reads.customer, "agent": view.reads.agent},
        "my_draft": view.own_draft,
        "ratings": [_to_rating(rating) for rating in view.ratings],
    }


def to_message(message: Message, reader: Reader) -> Event:
    """Translate one message as the widget has it, and add where it came from."""
    return {
        **to_message_event(message),
        "turn": message.turn,
        "agent": agent_name(message.author, reader.names) if message.author else None,
    }


def to_note(note: Note, reader: Reader) -> Event:
    """Translate one internal note."""
    automated = note.author == BOT
    return {
        "seq": note.seq,
        "author": "Bot" if automated else agent_name(note.author, reader.names),
        "automated": automated,
        "summary": note.key is not None and note.key.startswith(SUMMARY),
        "text": note.text,
        "at": note.at_ms,
    }


def to_mark(mark: Mark, reader: Reader) -> Event:
    """Translate one mark."""
    return {
        "kind": mark.kind,
        "seq": mark.seq,
        "agent": agent_name(mark.agent, reader.names),
        "at": mark.at_ms,
        "remark": mark.remark,
    }


def to_history(rows: Sequence[AuditRow], reader: Reader) -> Event:
    """Translate the audit of a conversation, oldest first."""
    return {"rows": [_to_audit_row(row, reader) for row in rows]}


def to_found(found: Sequence[Found]) -> Event:
    """Translate what a search found."""
    return {"found": [_to_found_one(one) for one in found]}


def to_canned(reply: CannedReply) -> Event:
    """Translate one canned reply."""
    return {"id": reply.id, "title": reply.title, "text": reply.text, "locale": reply.locale}


def _to_rating(rating: Rating) -> Event:
    return {
        "episode": rating.episode,
        "score": rating.score,
        "comment": rating.comment,
        "at": rating.at_ms,
    }


def _to_attachment(message: Message, view: DeskView) -> Event | None:
    """Say what image came with a customer's message; its bytes have an address of their own."""
    if (
        message.role is not Role.CUSTOMER
        or message.channel_message_id is None
        or message.kind is Kind.TOMBSTONE
    ):
        return None
    head = view.attachments.get(message.channel_message_id)
    return {"media_type": head.media_type, "size": head.size} if head else None


def _to_who(conversation: Conversation, customer: Customer) -> Event:
    """Say who writes. Only whom the site vouches for has a name of their own, so that a name alone proves nothing."""
    return {"customer": customer_name(conversation.id, customer), "verified": customer.verified}


def _to_page(page: Page | None) -> Event | None:
    return {"url": page.url, "title": page.title} if page else None


def _to_holder(conversation: Conversation, reader: Reader) -> Event:
    holder = conversation.agent
    return {
        "agent": {"id": holder, "name": agent_name(holder, reader.names)} if holder else None,
        "mine": holder == reader.agent,
    }


def _to_handoff(handoff: HandoffRow, reader: Reader) -> Event:
    return {
        "epoch": handoff.epoch,
        "reason": handoff.reason,
        "reason_text": reason_in_words(handoff.reason, reader.replies, reader.locale),
        "turn": handoff.turn,
        "opened_at": handoff.opened_ms,
        "claimed_at": handoff.claimed_ms,
        "replied_at": handoff.replied_ms,
        "closed_at": handoff.closed_ms,
    }


def _to_audit_row(row: AuditRow, reader: Reader) -> Event:
    return {
        "at": row.at_ms,
        "who": who_in_words(row, reader.names),
        "what": row.what,
        "what_text": what_in_words(row),
        "detail_text": detail_in_words(row, reader.names),
    }


def _to_found_one(found: Found) -> Event:
    return {
        "conversation": found.conversation.id,
        **_to_who(found.conversation, found.customer),
        "state": found.conversation.status,
        "at": found.at_ms,
        "seq": found.seq,
        "excerpt": found.excerpt,
    }

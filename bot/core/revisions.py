"""Edits and deletions: each is a message of its own that names the original by its seq, and what then stands of a conversation. Pure.

The newest revision of a message is the one with the greatest id, in whatever order they were stored; a deletion is the last in any case.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from bot.core.conversation import Kind, Message, Role
from bot.core.inbound import CustomerMessage
from bot.errors import MessageConflict


def revision_id(original: str, revision: str | None) -> str:
    """Return the id of a revision of the message with the id *original*; None is its deletion, and later edits have greater ids."""
    return f"{original}#{'deleted' if revision is None else revision}"


def newest_revisions(messages: Iterable[Message]) -> Mapping[int, Message]:
    """Return the newest revision of each message that has any, by the seq of the original."""
    newest: dict[int, Message] = {}
    for message in messages:
        if message.revises is None:
            continue
        newest[message.revises] = max(newest.get(message.revises, message), message, key=_rank)
    return newest


def outdated(messages: Iterable[Message]) -> frozenset[int]:
    """Return the seqs of what was revised, of its older revisions, and of deletions; for this the revisions alone are enough."""
    known = tuple(messages)
    newest = newest_revisions(known)
    standing = {one.seq for one in newest.values() if one.kind is not Kind.TOMBSTONE}
    revisions = {m.seq for m in known if m.revises is not None or m.kind is Kind.TOMBSTONE}
    return frozenset(newest.keys() | (revisions - standing))


def current(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages without those that are outdated: of each the newest revision, where it was written."""
    known = tuple(messages)
    gone = outdated(known)
    return tuple(m for m in known if m.seq not in gone)


def revised(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the conversation as it is to be read: customers' edits are new questions and stand later, all others' stand in place."""
    return _folded(messages, in_place=lambda message: message.role is not Role.CUSTOMER)


def revised_in_place(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the conversation with every edit in the place, and at the time, of its original."""
    return _folded(messages, in_place=lambda _message: True)


def without_old_texts(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return every message, for the browsers, which want each seq: with what it says now, or as an empty TOMBSTONE.

    The newest revision stays as it is and follows its original, so that a browser learns from it that this was edited.
    """
    known = tuple(messages)
    newest = newest_revisions(known)
    return tuple(_as_now(m, newest.get(m.seq if m.revises is None else m.revises)) for m in known)


def repeated(message: CustomerMessage, stored: Iterable[Message]) -> Message | None:
    """Return what makes *message* old news: itself, or of a revision what stands; None for news. MessageConflict.

    *stored* holds what has the same id, and for a revision the whole conversation.
    """
    known = tuple(stored)
    same = with_id(known, message.channel_message_id)
    if same is not None:
        _require_same(same, message)
        return same
    original = None if message.revises is None else with_id(known, message.revises)
    if original is None:
        return None
    stands = newest_revisions(known).get(original.seq, original)
    return None if changes(stands, message) else stands


def changes(stands: Message, revision: Message | CustomerMessage) -> bool:
    """Return whether a revision changes what *stands* of its original: the original itself, or its newest revision so far."""
    if stands.kind is Kind.TOMBSTONE:
        return False
    if revision.kind is Kind.TOMBSTONE:
        return True
    is_newer = stands.revises is None or (stands.channel_message_id or "") < (
        revision.channel_message_id or ""
    )
    return is_newer and stands.text != revision.text


def said(
    message: CustomerMessage, stored: Iterable[Message], *, at_ms: int, next_seq: int
) -> tuple[Message, ...]:
    """Return what to store for a customer's message from *next_seq* on, not numbered yet.

    The revision of a message that never came stands in for it, under its id: should it come after all, it is refused.
    """
    one = Message(
        seq=0,
        role=Role.CUSTOMER,
        text=message.text,
        at_ms=at_ms,
        kind=message.kind,
        channel_message_id=message.channel_message_id,
    )
    if message.revises is None:
        return (one,)
    original = with_id(stored, message.revises)
    if original is not None:
        return (replace(one, revises=original.seq),)
    stand_in = replace(one, channel_message_id=message.revises)
    return (stand_in,) if one.kind is Kind.TOMBSTONE else (stand_in, replace(one, revises=next_seq))


def agents_revision(sent: Message, text: str | None, *, revision: str) -> Message:
    """Return what its author makes of a message that was sent, seq and time not yet assigned; without a text it is deleted."""
    kind = Kind.TOMBSTONE if text is None else Kind.TEXT
    own_id = revision_id(sent.channel_message_id or "", None if text is None else revision)
    return Message(
        seq=0,
        role=sent.role,
        text=text or "",
        kind=kind,
        channel_message_id=own_id,
        author=sent.author,
        revises=sent.seq,
    )


def is_owed(stored: Iterable[Message], tombstone: Message, *, answered_seq: int) -> bool:
    """Return whether the customer still waits for an answer to anything, once *tombstone* is stored."""
    written = [m for m in stored if m.role is Role.CUSTOMER and m.seq > answered_seq]
    return bool(current([*written, tombstone]))


def with_id(messages: Iterable[Message], channel_message_id: str) -> Message | None:
    """Return the message with this id; None when there is none."""
    return next((m for m in messages if m.channel_message_id == channel_message_id), None)


def _require_same(stored: Message, message: CustomerMessage) -> None:
    if (stored.text, stored.kind) != (message.text, message.kind):
        raise MessageConflict(f"message {message.channel_message_id} came before with another body")


def _rank(revision: Message) -> tuple[bool, str, int]:
    return revision.kind is Kind.TOMBSTONE, revision.channel_message_id or "", revision.seq


def _folded(messages: Iterable[Message], *, in_place: Callable[[Message], bool]) -> tuple[Message, ...]:
    known = tuple(messages)
    newest, gone = newest_revisions(known), outdated(known)
    return tuple(
        m if m.seq not in gone else _edited(m, newest)
        for m in known
        if (_has_place(m, newest) if in_place(m) else m.seq not in gone)
    )


def _has_place(message: Message, newest: Mapping[int, Message]) -> bool:
    revision = newest.get(message.seq, message)
    return message.revises is None and revision.kind is not Kind.TOMBSTONE


def _edited(message: Message, newest: Mapping[int, Message]) -> Message:
    revision = newest[message.seq]
    return replace(message, text=revision.text, kind=revision.kind)


def _as_now(message: Message, newest: Message | None) -> Message:
    if newest is None or newest is message:
        return message
    now = replace(message, text=newest.text, kind=newest.kind)
    return replace(now, sources=(), options=()) if now.kind is Kind.TOMBSTONE else now

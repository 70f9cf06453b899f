"""What something heard in Slack is as a customer's message. Pure."""

import unicodedata
from dataclasses import dataclass

from bot.channels.slack.payloads import Deleted, Edited, Heard, Said
from bot.core.categories import Categories
from bot.core.conversation import Channel, ConversationId, Kind
from bot.core.inbound import CustomerMessage, clean_text
from bot.core.revisions import revision_id
from bot.errors import InputRejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a message says, checked."""

    text: str
    kind: Kind


def to_content(heard: Heard) -> Content:
    """Return what is said; InputRejected, naming the field `text`, when that is nothing or too long."""
    if isinstance(heard, Deleted):
        return Content(text="", kind=Kind.TOMBSTONE)
    text = clean_text(heard.text)
    if is_empty(heard) and isinstance(heard, Said) and heard.files:
        return Content(text=", ".join(heard.files), kind=Kind.FILE)
    if is_empty(heard):
        raise InputRejected("text", "is empty", "write something")
    return Content(text=text, kind=Kind.TEXT)


def to_files(heard: Heard, conversation: ConversationId) -> CustomerMessage | None:
    """Return the files beside somebody's words, which are a message of their own; None where there are none, or nothing is new of them."""
    if isinstance(heard, Edited) or not heard.files or is_empty(heard):
        return None
    about, is_new = heard.at.files_id, isinstance(heard, Said)
    return CustomerMessage(
        conversation=conversation,
        channel=Channel.SLACK,
        channel_message_id=about if is_new else revision_id(about, None),
        text=", ".join(heard.files) if is_new else "",
        kind=Kind.FILE if is_new else Kind.TOMBSTONE,
        revises=None if is_new else about,
    )


def edit_before(heard: Heard) -> tuple[Edited, Content] | None:
    """Return the edit before this one, and what it says; None without any that could be handed in."""
    earlier = heard.earlier if isinstance(heard, Edited) else None
    if earlier is None:
        return None
    try:
        return earlier, to_content(earlier)
    except InputRejected:
        return None


def is_empty(heard: Heard) -> bool:
    """Whether nothing of what is said can be seen."""
    return not isinstance(heard, Deleted) and not any(_is_visible(character) for character in heard.text)


def to_message(heard: Heard, content: Content, conversation: ConversationId) -> CustomerMessage:
    """Return the customer's message; an edit and a deletion revise the one that they are about."""
    about = heard.at.message_id
    revision = heard.revision if isinstance(heard, Edited) else None
    is_new = isinstance(heard, Said)
    return CustomerMessage(
        conversation=conversation,
        channel=Channel.SLACK,
        channel_message_id=about if is_new else revision_id(about, revision),
        text=content.text,
        kind=content.kind,
        revises=None if is_new else about,
    )


def with_category(content: Content, categories: Categories) -> Content:
    """Mark what was suggested to be asked, which is a topic and no question yet."""
    labels = {label for language in categories.labels.values() for label in language}
    if content.kind is Kind.TEXT and content.text in labels:
        return Content(text=content.text, kind=Kind.CATEGORY)
    return content


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "ZCM"

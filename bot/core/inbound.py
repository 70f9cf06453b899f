"""What a channel hands to the service: one message by a customer, already translated and checked."""

import re
import unicodedata
from dataclasses import dataclass

from bot.core.conversation import Channel, ConversationId, Kind
from bot.errors import InputRejected

MAX_TEXT_CHARACTERS = 4_000  # FAULTS W6
_LINE_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerMessage:
    """One message by a customer; `channel_message_id` makes a repeat recognisable.

    `revises` is the `channel_message_id` of the message that this one edits or, as a TOMBSTONE without text, deletes; its own is then
    `revision_id` of that one.
    """

    conversation: ConversationId
    channel: Channel
    channel_message_id: str
    text: str
    kind: Kind = Kind.TEXT
    revises: str | None = None


def clean_text(raw: str, *, field: str = "text") -> str:
    """Return *raw* as storable text: NFC, LF, no NUL or control characters but tab and newline, trimmed.

    What changes how text is shown but not what it says (marks of direction, joiners) is kept: the transcript is what the
    customer wrote, and each view isolates it. Raises InputRejected when it is too long or not valid Unicode.
    """
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError:
        raise InputRejected(field, "holds a broken character", "send valid Unicode text") from None
    lines = _LINE_BREAK.sub("\n", raw)
    printable = "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) != "Cc")
    # Composed last: a control character may have stood between a letter and its accent.
    text = unicodedata.normalize("NFC", printable).strip()
    if len(text) > MAX_TEXT_CHARACTERS:
        problem = f"is {len(text):,} characters long"
        raise InputRejected(field, problem, f"shorten it to {MAX_TEXT_CHARACTERS:,} characters")
    return text

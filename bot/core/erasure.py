"""What is found of a person and what is known of an erasure: ids and times, never a text. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, ConversationId

ERASED = "erased"  # what the audit says
OPERATOR, RETENTION = "operator", "retention"  # who the audit says it was


class FoundBy(StrEnum):
    """What ties a conversation to a person."""

    ID = "id"
    SUBJECT = "subject"
    EMAIL = "email"
    WRITTEN = "written"  # somebody whom nobody vouches for wrote this address


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A conversation in which a person occurs."""

    conversation: ConversationId
    by: FoundBy
    created_ms: int
    messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """That a conversation was erased. `number` counts erasures from 1."""

    number: int
    conversation: ConversationId
    at_ms: int


def erasure_row(conversation: Conversation, *, who: str, at_ms: int) -> AuditRow:
    """Return what the audit says last of a conversation."""
    return AuditRow(
        conversation=conversation.id,
        at_ms=at_ms,
        who=who,
        what=ERASED,
        before=conversation.status,
        after=ERASED,
        epoch=conversation.epoch,
    )


def names_address(text: str, address: str) -> bool:
    """Return whether *text* holds the e-mail address *address*, and not just one that ends or begins like it."""
    found = rf"(?<![\w.+\-]){re.escape(address)}(?![\w\-]|\.\w)"
    return re.search(found, text, re.IGNORECASE) is not None

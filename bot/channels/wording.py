"""What agents read for what is stored as codes, in every place where they work: what happened, how it ended, who did it. Pure."""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256

from bot.core.audit import DELETED, EDITED, AuditRow
from bot.core.conversation import AgentId, ConversationId
from bot.core.customers import Customer
from bot.core.desk import NO_REASON, Resolution
from bot.core.outcome import ReasonCode
from bot.core.replies import Replies

Names = Mapping[AgentId, str]

A_COLLEAGUE = "A colleague"  # whose account this server does not know
TAKEN_OVER = "Taken over by an agent"
WHAT = {
    "opened": "opened the conversation",
    "reopened": "wrote again",
    "answer": "answered",
    "ask": "asked back",
    "courtesy": "greeted or thanked",
    "handoff": "handed the conversation over",
    "claimed": "claimed the conversation",
    "took_over": "took the conversation over from the bot",
    "released": "put the conversation back into the queue",
    "lease_expired": "put the conversation back into the queue, because its agent went silent",
    "transferred": "gave the conversation to a colleague",
    "returned_to_bot": "gave the conversation back to the bot",
    "resolved": "resolved the conversation",
    "edited": "edited a message",
    "deleted": "deleted a message",
}
WHO = {"customer": "Customer", "bot": "Bot", "sweep": "Candor"}
RESOLUTIONS = {
    Resolution.ANSWERED: "Question answered",
    Resolution.DONE_FOR_CUSTOMER: "Done for the customer",
    Resolution.CUSTOMER_LEFT: "Customer left",
    Resolution.NOT_POSSIBLE: "Not possible",
    Resolution.DUPLICATE: "Duplicate",
    Resolution.SPAM: "Spam",
}


def customer_name(conversation: ConversationId, customer: Customer) -> str:
    """Return what to call a customer; for one without a name it is the same for a conversation always, and no part of its id."""
    return customer.name or f"Customer {sha256(conversation.encode()).hexdigest()[:4].upper()}"


def agent_name(agent: str, names: Names) -> str:
    """Return an agent's display name."""
    return names.get(AgentId(agent), A_COLLEAGUE)


def reason_in_words(reason: str | None, replies: Replies, locale: str) -> str:
    """Return why a conversation is with people; a code of a later release stays as it is."""
    if reason is None or reason == NO_REASON:
        return TAKEN_OVER
    with suppress(ValueError):
        return replies.reason(ReasonCode(reason), locale)
    return reason


def who_in_words(row: AuditRow, names: Names) -> str:
    """Return who made a change."""
    return WHO.get(row.who) or agent_name(row.who, names)


def what_in_words(row: AuditRow) -> str:
    """Return what a change was; a word of a later release stays as it is."""
    return WHAT.get(row.what, row.what)


def detail_in_words(row: AuditRow, names: Names) -> str:
    """Return what more there is to a change: how it ended, or who has it now."""
    if row.what == "transferred":
        return agent_name(row.detail, names)
    if row.what in (EDITED, DELETED):
        return ""  # the number of a message says nothing to agents
    with suppress(ValueError):
        return RESOLUTIONS[Resolution(row.detail)]
    return row.detail

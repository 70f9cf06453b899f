"""The audit of a conversation: each change of its state, and the state that they add up to (FAULTS H9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.core.conversation import AgentId, Conversation, ConversationId, Message, Status

OPENED = "opened"
REOPENED = "reopened"
RETRIED = "retried"
EDITED = "edited"  # a message, whose seq is the detail; the owner stays
DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One change of a conversation's state: who, what, from, to, when.

    `agent` holds the conversation after it, `detail` says more where *what* needs it: a resolution code, who it went to.
    """

    conversation: ConversationId
    at_ms: int
    who: str
    what: str
    before: str
    after: str
    epoch: int
    agent: AgentId | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Who changes a conversation, how it is called in the audit, and what is said with it.

    `detail` says more where *what* needs it: a resolution code, who it went to.
    """

    who: str
    what: str
    at_ms: int
    messages: tuple[Message, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who has a conversation, and the how-manieth owner and episode that is."""

    status: Status
    epoch: int
    episode: int
    agent: AgentId | None


def audit_row(before: Conversation | None, after: Conversation, change: Change) -> AuditRow:
    """Return what the audit says of a change; *before* is None for an opening."""
    return AuditRow(
        conversation=after.id,
        at_ms=change.at_ms,
        who=change.who,
        what=change.what,
        before="" if before is None else before.status,
        after=after.status,
        epoch=after.epoch,
        agent=after.agent,
        detail=change.detail,
    )


def owner(conversation: Conversation) -> Owner:
    """Return what the audit can rebuild of *conversation*."""
    return Owner(
        status=conversation.status,
        epoch=conversation.epoch,
        episode=conversation.episode,
        agent=conversation.agent,
    )


def rebuilt(rows: Sequence[AuditRow]) -> Owner:
    """Follow the rows, oldest first, to the owner that they lead to; ValueError where they do not fit together."""
    if not rows or rows[0].what != OPENED:
        raise ValueError("an audit begins with the opening of its conversation")
    for earlier, later in pairwise(rows):
        _require_following(earlier, later)
    last = rows[-1]
    return Owner(
        status=Status(last.after),
        epoch=last.epoch,
        episode=1 + sum(row.what == REOPENED for row in rows),
        agent=last.agent,
    )


def _require_following(earlier: AuditRow, later: AuditRow) -> None:
    changes_owner = (earlier.after, earlier.agent) != (later.after, later.agent)
    if later.before != earlier.after or later.epoch != earlier.epoch + changes_owner:
        raise ValueError(f"audit row {later.what} at {later.at_ms} does not follow {earlier.what}")

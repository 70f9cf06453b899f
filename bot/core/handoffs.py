"""A handoff as the desk lists it, and what becomes of it: opened, first claimed, first replied to, closed. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.core.conversation import Conversation, ConversationId, Message, Role, Status, TurnId
from bot.core.outcome import Handoff
from bot.core.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffRow:
    """A handoff as the desk lists it; `closed_ms` is None while it is open.

    `claimed_ms` is its first claim and `replied_ms` an agent's first reply; None until then.
    """

    conversation: ConversationId
    turn: TurnId
    epoch: int
    reason: str
    opened_ms: int
    closed_ms: int | None = None
    claimed_ms: int | None = None
    replied_ms: int | None = None


def opened_by(turn: Turn, handoff: Handoff, state: Conversation) -> HandoffRow:
    """Return the handoff that *turn* ended in, with the state after it."""
    return HandoffRow(
        conversation=state.id,
        turn=turn.id,
        epoch=state.epoch,
        reason=handoff.reason,
        opened_ms=turn.settled_ms,
    )


def followed(row: HandoffRow, state: Conversation, written: Iterable[Message], *, at_ms: int) -> HandoffRow:
    """Note in the open handoff what a change to *state* means for it; only the first time counts."""
    if row.closed_ms is not None:
        return row
    if row.claimed_ms is None and state.status is Status.CLAIMED:
        row = replace(row, claimed_ms=at_ms)
    if row.replied_ms is None and any(_is_reply(message) for message in written):
        row = replace(row, replied_ms=at_ms)
    return replace(row, closed_ms=at_ms) if state.status in (Status.BOT, Status.RESOLVED) else row


def _is_reply(message: Message) -> bool:
    return message.role is Role.AGENT and message.revises is None

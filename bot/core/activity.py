"""What happened in a conversation within a span of time: the raw facts from which the desk's numbers are counted. Pure."""

from dataclasses import dataclass

from bot.core.conversation import ConversationId

AFTERWARDS_MS = 24 * 3600 * 1000  # a customer who writes again within this time came back


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledTurn:
    """A turn without its evidence; `outcome` is `outcome_name`, `reason` a code or None."""

    settled_ms: int
    outcome: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffTimes:
    """When a handoff was opened, first claimed and first replied to; `reason` is its code."""

    reason: str
    opened_ms: int
    claimed_ms: int | None = None
    replied_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One conversation's turns and handoffs of the span, when its customer wrote in it or in the day after, and what feedback said.

    `wrote_ms` are messages that were typed; `helped` are (time, verdict) of feedback buttons; all oldest first.
    """

    conversation: ConversationId
    turns: tuple[SettledTurn, ...]
    handoffs: tuple[HandoffTimes, ...]
    wrote_ms: tuple[int, ...]
    helped: tuple[tuple[int, bool], ...]
    claimed_ms: tuple[int, ...] = ()

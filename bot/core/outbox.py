"""What the outside is told of a change, written with it: one row each, whose key makes a repeat harmless. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import Channel, Conversation, ConversationId, Message, Status


class Announcement(StrEnum):
    """What there is to tell: HANDOFF to the open consoles, SLACK to Slack, the others, named as integrators see them, to webhooks."""

    HANDOFF = "handoff"
    HANDED_OFF = "conversation.handed_off"
    CLAIMED = "conversation.claimed"
    RESOLVED = "conversation.resolved"
    MESSAGE = "message.created"
    SLACK = "slack"


DESK = frozenset({Announcement.HANDOFF})
SLACK = frozenset({Announcement.SLACK})
WEBHOOKS = frozenset(Announcement) - DESK - SLACK
EVERYTHING = DESK | WEBHOOKS | SLACK
IN_ORDER = (WEBHOOKS, SLACK)  # of each of these a conversation's rows are told one after the other
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 900.0
LONGEST_PAUSE_OF_SLACK_S = (
    60.0  # customers and agents wait there, and a channel that fails is left alone anyway
)
_LONGEST_AFTER = 16  # attempts: doubled so often, any pause is the longest

Told = frozenset[Announcement]  # what somebody is there to be told of; of the rest no row is written


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """Something to tell the outside once.

    `seq` names the message of a MESSAGE; a row that could not be delivered is due again at `due_ms`.
    """

    key: str
    kind: Announcement
    conversation: ConversationId
    epoch: int
    created_ms: int
    seq: int | None = None
    attempts: int = 0
    due_ms: int = 0


def announced(
    before: Conversation, after: Conversation, messages: Iterable[Message], *, at_ms: int, told: Told
) -> tuple[OutboxRow, ...]:
    """Return the rows for a change: whoever newly waits in the queue is a handoff, also after a claim that ran out."""
    rows = [_row(kind, after, str(after.epoch), at_ms=at_ms) for kind in _of_owner(before, after)]
    written = tuple(messages)
    rows += [_row(Announcement.MESSAGE, after, str(m.seq), at_ms=at_ms, seq=m.seq) for m in written]
    if _shows_in_slack(after) and (written or before.epoch != after.epoch):
        rows.append(_row(Announcement.SLACK, after, f"{after.epoch}:{after.last_seq}", at_ms=at_ms))
    return tuple(row for row in rows if row.kind in told)


def noted(state: Conversation, seq: int, *, at_ms: int, told: Told) -> tuple[OutboxRow, ...]:
    """Return the rows for an internal note, which is for agents alone."""
    if Announcement.SLACK not in told:
        return ()
    return (_row(Announcement.SLACK, state, f"note:{seq}", at_ms=at_ms),)


def held_back_by(row: OutboxRow) -> Told:
    """Return the line in which a row waits for earlier ones of its conversation; none for who waits for nothing and holds nothing back.

    What Slack is shown leaves its line once it has failed: each row brings both sides up to date, and trouble on one must not keep
    from the other what comes later.
    """
    if row.kind in SLACK and row.attempts:
        return frozenset()
    return next((kinds for kinds in IN_ORDER if row.kind in kinds), frozenset())


def due_again_ms(row: OutboxRow, *, now_ms: int, jitter: float, asked_s: float = 0.0) -> int:
    """Return when a row that could not be delivered is tried again: twice as late each time, and never given up.

    *jitter* is between 0 and 1, so that many that failed together do not come back together; *asked_s* is the wait that the receiver
    asks for, obeyed up to the longest pause.
    """
    longest_s = LONGEST_PAUSE_OF_SLACK_S if row.kind in SLACK else LONGEST_PAUSE_S
    whole_s = min(longest_s, 2 * FIRST_PAUSE_S * 2 ** min(row.attempts, _LONGEST_AFTER))
    pause_s = max(whole_s * (1 + jitter) / 2, min(asked_s, LONGEST_PAUSE_S))
    return now_ms + int(pause_s * 1000)


def _shows_in_slack(state: Conversation) -> bool:
    """Whether Slack may have a part in it: its customer's, or the desk's once somebody was handed over."""
    return state.channel is Channel.SLACK or state.epoch > 0


def _of_owner(before: Conversation, after: Conversation) -> tuple[Announcement, ...]:
    if before.epoch == after.epoch:
        return ()
    match after.status:
        case Status.QUEUED:
            return (Announcement.HANDOFF, Announcement.HANDED_OFF)
        case Status.CLAIMED:
            return (Announcement.CLAIMED,)
        case Status.RESOLVED:
            return (Announcement.RESOLVED,)
        case Status.BOT:
            return ()


def _row(
    kind: Announcement, after: Conversation, which: str, *, at_ms: int, seq: int | None = None
) -> OutboxRow:
    return OutboxRow(
        key=f"{kind}:{after.id}:{which}",
        kind=kind,
        conversation=after.id,
        epoch=after.epoch,
        created_ms=at_ms,
        seq=seq,
    )

"""What agents, and the sweep in their place, may do to a conversation: each move with its name in the audit and its messages.

Pure: each function decides on the state that was read, and refuses by an exception. The store decides whether it still holds.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.core.audit import DELETED, EDITED
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Conversation, Kind, Message, Role, Status
from bot.core.desk import Resolution
from bot.core.replies import Replies
from bot.errors import ClaimRefused, CustomerWrote, MoveRefused

SWEEP = "sweep"  # who moves when nobody does


class DeskMove(StrEnum):
    """What is done; those that change the owner, or what was said, stand in the audit."""

    CLAIMED = "claimed"
    TOOK_OVER = "took_over"
    RENEWED = "renewed"
    RELEASED = "released"
    LEASE_EXPIRED = "lease_expired"
    TRANSFERRED = "transferred"
    RETURNED_TO_BOT = "returned_to_bot"
    RESOLVED = "resolved"
    REPLIED = "replied"
    EDITED = EDITED
    DELETED = DELETED


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One change to write: the state it was decided on, the state after it, and what is said with it."""

    read: Conversation
    moved: Conversation
    who: str
    what: DeskMove
    messages: tuple[Message, ...] = ()
    detail: str = ""


def claiming(read: Conversation, now_ms: int, *, agent: AgentId, lease_ms: int = CLAIM_LEASE_MS) -> Move:
    """Take the next step toward *agent* having the conversation; a lease that has passed is ended first, and needs a second step."""
    match read.status:
        case Status.QUEUED:
            held = read.claimed_by(agent, now_ms=now_ms, lease_ms=lease_ms)
            return _by(agent, DeskMove.CLAIMED, read, held)
        case Status.BOT:
            held = read.taken_over_by(agent, now_ms=now_ms, lease_ms=lease_ms)
            return _by(agent, DeskMove.TOOK_OVER, read, held)
        case Status.RESOLVED:
            raise MoveRefused("it is resolved; it opens again when the customer writes")
        case Status.CLAIMED if not read.is_held(now_ms=now_ms):
            return expiring(read, now_ms)
        case Status.CLAIMED if read.agent != agent:
            raise ClaimRefused(holder=read.agent)
        case Status.CLAIMED:
            return renewing(read, now_ms, agent=agent, lease_ms=lease_ms)


def renewing(read: Conversation, now_ms: int, *, agent: AgentId, lease_ms: int = CLAIM_LEASE_MS) -> Move:
    """Let the agent's claim live on."""
    return _by(agent, DeskMove.RENEWED, read, read.renewed_by(agent, now_ms=now_ms, lease_ms=lease_ms))


def releasing(read: Conversation, now_ms: int, *, agent: AgentId) -> Move:
    """Put the conversation back into the queue."""
    return _by(agent, DeskMove.RELEASED, read, read.released_by(agent, now_ms=now_ms))


def expiring(read: Conversation, now_ms: int) -> Move:
    """Queue the conversation of an agent who went silent."""
    return Move(read=read, moved=read.lease_expired(now_ms=now_ms), who=SWEEP, what=DeskMove.LEASE_EXPIRED)


def transferring(read: Conversation, now_ms: int, *, agent: AgentId, to: AgentId) -> Move:
    """Give the conversation to another agent."""
    moved = read.transferred_by(agent, to=to, now_ms=now_ms)
    return replace(_by(agent, DeskMove.TRANSFERRED, read, moved), detail=to)


def returning(read: Conversation, now_ms: int, *, agent: AgentId, replies: Replies) -> Move:
    """Let the bot speak again, and tell the customer so."""
    move = _by(agent, DeskMove.RETURNED_TO_BOT, read, read.returned_to_bot(agent, now_ms=now_ms))
    return replace(move, messages=(_notice(replies, "back_to_bot", move),))


def resolving(
    read: Conversation, now_ms: int, *, agent: AgentId, code: Resolution, seen: int, replies: Replies
) -> Move:
    """Finish the conversation, and tell the customer so; never over a message that the agent has not seen."""
    moved = read.resolved_by(agent, now_ms=now_ms)
    if read.last_customer_seq > seen:
        raise CustomerWrote("the customer has written again; read it before you resolve")
    move = _by(agent, DeskMove.RESOLVED, read, moved)
    return replace(move, messages=(_notice(replies, "resolved", move),), detail=code)


def replying(
    read: Conversation,
    now_ms: int,
    *,
    agent: AgentId,
    said: Message,
    seen: int,
    lease_ms: int = CLAIM_LEASE_MS,
) -> Move:
    """Say something to the customer, which answers what the agent had seen; a newer message waits from now on."""
    seen_seq = min(read.last_customer_seq, max(seen, read.answered_seq))
    as_seen = replace(read, last_customer_seq=seen_seq)
    moved = as_seen.replied_by(agent, now_ms=now_ms, lease_ms=lease_ms)
    return replace(_by(agent, DeskMove.REPLIED, as_seen, moved), messages=(replace(said, at_ms=now_ms),))


def revising(read: Conversation, now_ms: int, *, agent: AgentId, revision: Message) -> Move:
    """Edit or delete what *agent* said, whoever has the conversation now."""
    what = DeskMove.DELETED if revision.kind is Kind.TOMBSTONE else DeskMove.EDITED
    move = _by(agent, what, read, read)
    return replace(move, messages=(replace(revision, at_ms=now_ms),), detail=str(revision.revises))


def agent_message(agent: AgentId, text: str, *, message_id: str) -> Message:
    """Return what an agent says, seq and time not yet assigned; *message_id* makes a repeat recognisable."""
    return Message(
        seq=0, role=Role.AGENT, text=text, author=agent, channel_message_id=agents_key(agent, message_id)
    )


def agents_key(agent: AgentId, message_id: str) -> str:
    """Return what an agent's own id of a reply or a note is stored as; no customer's id can be equal."""
    return f"agent:{agent}:{message_id}"


def _notice(replies: Replies, key: str, move: Move) -> Message:
    text = replies.text(key, move.read.locale)
    return Message(seq=0, role=Role.BOT, kind=Kind.NOTICE, text=text, at_ms=move.moved.owned_since_ms)


def _by(agent: AgentId, what: DeskMove, read: Conversation, moved: Conversation) -> Move:
    return Move(read=read, moved=moved, who=agent, what=what)

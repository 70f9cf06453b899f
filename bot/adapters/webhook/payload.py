"""What an integrator's server is sent of one outbox row. Pure; internal notes, evidence and scores are never part of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.accounts import Agent
from bot.core.audit import REOPENED, AuditRow, Owner
from bot.core.conversation import AgentId, Conversation, Message, Role, Source, Status
from bot.core.desk import NO_REASON
from bot.core.handoffs import HandoffRow
from bot.core.outbox import Announcement, OutboxRow

Payload = dict[str, object]

_ENDS_A_HANDOFF = frozenset({Status.BOT, Status.RESOLVED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A row with what it tells of: who had the conversation then, and the message, the reason or the resolution."""

    row: OutboxRow
    conversation: Conversation
    owner: Owner
    agent: Agent | None = None
    message: Message | None = None
    reason: str | None = None
    resolution: str | None = None


def to_payload(event: Event) -> Payload:
    """Return the JSON of an event: the same at each retry."""
    row = event.row
    always: Payload = {
        "event": row.kind,
        "delivery": row.key,
        "created_at": row.created_ms,
        "conversation": _to_conversation(event),
    }
    match row.kind:
        case Announcement.MESSAGE:
            return always | {"message": event.message and _to_message(event.message, event.agent)}
        case Announcement.HANDED_OFF:
            return always | {"reason": event.reason}
        case Announcement.RESOLVED:
            return always | {"resolution": event.resolution}
        case Announcement.CLAIMED | Announcement.HANDOFF | Announcement.SLACK:
            return always


def owner_then(audit: Sequence[AuditRow], conversation: Conversation, *, epoch: int) -> Owner:
    """Return who had the conversation in *epoch*: by the time that a row is told, somebody else may have it."""
    until = [row for row in audit if row.epoch <= epoch]
    if not until:
        return Owner(status=conversation.status, epoch=epoch, episode=1, agent=conversation.agent)
    last = until[-1]
    episode = 1 + sum(row.what == REOPENED for row in until)
    return Owner(status=Status(last.after), epoch=last.epoch, episode=episode, agent=last.agent)


def reason_of(handoffs: Iterable[HandoffRow], audit: Iterable[AuditRow], *, epoch: int) -> str:
    """Return the code of the handoff that a conversation waits under, also when an agent's claim on it ended."""
    ends = [row.epoch for row in audit if row.after in _ENDS_A_HANDOFF and row.epoch <= epoch]
    under = [h.reason for h in handoffs if max(ends, default=-1) < h.epoch <= epoch]
    return under[-1] if under else NO_REASON


def resolution_of(audit: Iterable[AuditRow], *, epoch: int) -> str | None:
    """Return the code that an agent resolved the conversation with; None when no move says it."""
    return next((row.detail for row in audit if row.epoch == epoch and row.detail), None)


def _to_conversation(event: Event) -> Payload:
    then = event.owner
    return {
        "id": event.conversation.id,
        "state": then.status,
        "epoch": then.epoch,
        "episode": then.episode,
        "agent": then.agent and _to_agent(then.agent, event.agent),
        "channel": event.conversation.channel,
        "locale": event.conversation.locale,
    }


def _to_agent(agent: AgentId, account: Agent | None) -> Payload:
    return {"id": agent, "name": account.name if account and account.id == agent else None}


def _to_message(message: Message, account: Agent | None) -> Payload:
    """Only the agent who had the conversation then can have written in it."""
    return {
        "seq": message.seq,
        "role": message.role,
        "automated": message.role is Role.BOT,
        "agent": message.author and _to_agent(message.author, account),
        "kind": message.kind,
        "text": message.text,
        "at": message.at_ms,
        "sources": [_to_source(source) for source in message.sources],
        "options": list(message.options),
        "interrupted": message.interrupted,
        "reason": message.reason,
        "revises": message.revises,
    }


def _to_source(source: Source) -> Payload:
    return {"id": source.id, "title": source.title, "url": source.url}

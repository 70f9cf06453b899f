"""A conversation, its messages, and the moves between its states (DESIGN §7).

Moves return a new conversation and never write: the store decides races by comparing status and epoch.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from bot.errors import ClaimLost, ClaimRefused, MoveRefused

ConversationId = NewType("ConversationId", str)
AgentId = NewType("AgentId", str)
TurnId = NewType("TurnId", str)

HELPED, DID_NOT_HELP = "yes", "no"  # the texts of feedback

CLAIM_LEASE_MS = 120_000  # a console claim lives this long after the last heartbeat (DESIGN §7)
SLACK_LEASE_MS = 900_000  # a claim made in Slack, where nothing beats, after the last action or post
SLACK_REMINDER_MS = 600_000  # so long after it the agent is reminded


class Status(StrEnum):
    """Who has the conversation."""

    BOT = "bot"
    QUEUED = "queued"
    CLAIMED = "claimed"
    RESOLVED = "resolved"


class Role(StrEnum):
    """Who wrote a message."""

    CUSTOMER = "customer"
    BOT = "bot"
    AGENT = "agent"


class Kind(StrEnum):
    """What a message is; only TEXT may enter a retrieval query.

    A TOMBSTONE says that a message was deleted; a RETRY asks again what could not be computed.
    """

    TEXT = "text"
    CATEGORY = "category"
    FEEDBACK = "feedback"
    NOTICE = "notice"
    FILE = "file"
    NOTE = "note"
    PERSON_REQUEST = "person_request"
    TOMBSTONE = "tombstone"
    RETRY = "retry"


class Channel(StrEnum):
    """A platform that customers use."""

    WIDGET = "widget"
    SLACK = "slack"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An article that an answer rests on, as the customer sees it."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation; `seq` is gapless per conversation, `at_ms` is Unix milliseconds.

    `author` is the agent who wrote it; None for the customer's and the bot's. `revises` is the seq of the message that this one
    edits or, as a TOMBSTONE, deletes; see `core.revisions`.
    """

    seq: int
    role: Role
    text: str
    at_ms: int = 0
    kind: Kind = Kind.TEXT
    refusal: bool = False
    interrupted: bool = False
    reason: str | None = None
    sources: tuple[Source, ...] = ()
    options: tuple[str, ...] = ()
    turn: TurnId | None = None
    channel_message_id: str | None = None
    author: AgentId | None = None
    revises: int | None = None

    @property
    def verdict(self) -> bool | None:
        """Whether the customer says here that an answer helped; None for every message but feedback."""
        if self.role is not Role.CUSTOMER or self.kind is not Kind.FEEDBACK:
            return None
        return {HELPED: True, DID_NOT_HELP: False}.get(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The state of one conversation.

    `last_customer_seq` is the newest customer message, `answered_seq` the newest customer message that has had
    an answer or a handoff; the bot owes a turn while the first is greater. `owned_since_ms` is when whoever has it now got it.
    `waiting_since_ms` is the time of the customer's first
    unanswered message since a person was asked for, None when nobody waits. `lease_until_ms` is None unless claimed.
    """

    id: ConversationId
    channel: Channel = Channel.WIDGET
    locale: str = "en"
    status: Status = Status.BOT
    epoch: int = 0
    episode: int = 1
    agent: AgentId | None = None
    lease_until_ms: int | None = None
    last_seq: int = 0
    last_customer_seq: int = 0
    answered_seq: int = 0
    created_ms: int = 0
    waiting_since_ms: int | None = None
    owned_since_ms: int = 0

    @property
    def owes_a_turn(self) -> bool:
        """Whether the bot owns the conversation and a customer message has no outcome yet."""
        return self.status is Status.BOT and self.last_customer_seq > self.answered_seq

    def is_held(self, *, now_ms: int) -> bool:
        """Whether an agent has it; a lease that has passed is void, whether or not the sweep has queued the conversation yet."""
        return self.lease_until_ms is not None and self.lease_until_ms > now_ms

    def queued(self, *, since_ms: int, now_ms: int) -> "Conversation":
        """Hand the conversation from the bot to the queue; the customer has waited since *since_ms*."""
        self._require(Status.BOT, "hand over")
        return replace(
            self,
            status=Status.QUEUED,
            epoch=self.epoch + 1,
            answered_seq=self.last_customer_seq,
            waiting_since_ms=since_ms,
            owned_since_ms=now_ms,
        )

    def claimed_by(self, agent: AgentId, *, now_ms: int, lease_ms: int = CLAIM_LEASE_MS) -> "Conversation":
        """Give a queued conversation to *agent*; a second claim is refused with the holder's name."""
        if self.status is not Status.QUEUED:
            raise ClaimRefused(holder=self.agent)
        return self._held_by(agent, now_ms=now_ms, lease_ms=lease_ms)

    def taken_over_by(self, agent: AgentId, *, now_ms: int, lease_ms: int = CLAIM_LEASE_MS) -> "Conversation":
        """Give a conversation that the bot has to *agent*; refused with the holder's name when an agent has it.

        Who was just to be answered by the bot waits for the agent from now on.
        """
        if self.status is Status.CLAIMED:
            raise ClaimRefused(holder=self.agent)
        self._require(Status.BOT, "take over")
        held = self._held_by(agent, now_ms=now_ms, lease_ms=lease_ms)
        return replace(held, waiting_since_ms=now_ms) if self.owes_a_turn else held

    def transferred_by(self, agent: AgentId, *, to: AgentId, now_ms: int) -> "Conversation":
        """Give a claimed conversation to another agent, whose lease begins now."""
        self._require_holder(agent, "transfer", now_ms=now_ms)
        if to == agent:
            raise MoveRefused(f"{agent} has this conversation already")
        return replace(
            self,
            epoch=self.epoch + 1,
            agent=to,
            lease_until_ms=now_ms + CLAIM_LEASE_MS,
            owned_since_ms=now_ms,
        )

    def renewed_by(self, agent: AgentId, *, now_ms: int, lease_ms: int = CLAIM_LEASE_MS) -> "Conversation":
        """Let the claim live on: the agent gave a sign of life. A long lease is not cut short by an open console's heartbeat."""
        self._require_holder(agent, "keep", now_ms=now_ms)
        return replace(self, lease_until_ms=max(self.lease_until_ms or 0, now_ms + lease_ms))

    def replied_by(self, agent: AgentId, *, now_ms: int, lease_ms: int = CLAIM_LEASE_MS) -> "Conversation":
        """Count what the customer wrote so far as answered by *agent*, which is a sign of life too."""
        renewed = self.renewed_by(agent, now_ms=now_ms, lease_ms=lease_ms)
        return replace(renewed, answered_seq=self.last_customer_seq, waiting_since_ms=None)

    def released_by(self, agent: AgentId, *, now_ms: int) -> "Conversation":
        """Put a claimed conversation back into the queue."""
        self._require_holder(agent, "release", now_ms=now_ms)
        return self._back_in_queue(now_ms=now_ms)

    def lease_expired(self, *, now_ms: int) -> "Conversation":
        """Queue a claimed conversation whose agent went silent."""
        self._require(Status.CLAIMED, "expire")
        if self.is_held(now_ms=now_ms):
            raise MoveRefused("the claim is still alive")
        return self._back_in_queue(now_ms=now_ms)

    def returned_to_bot(self, agent: AgentId, *, now_ms: int) -> "Conversation":
        """Let the bot speak again; it answers what the customer wrote since the handoff or the agent's last reply."""
        self._require_holder(agent, "return to the bot", now_ms=now_ms)
        return replace(self._unowned(now_ms=now_ms), status=Status.BOT)

    def retried(self, *, now_ms: int) -> "Conversation":
        """Let the bot try again what nobody has taken up yet: the customer asked for it, in a message that it then answers."""
        self._require(Status.QUEUED, "try again in")
        return replace(self._unowned(now_ms=now_ms), status=Status.BOT)

    def resolved_by(self, agent: AgentId, *, now_ms: int) -> "Conversation":
        """Finish the conversation."""
        self._require_holder(agent, "resolve", now_ms=now_ms)
        finished = self._unowned(now_ms=now_ms)
        return replace(finished, status=Status.RESOLVED, answered_seq=self.last_customer_seq)

    def reopened(self, *, now_ms: int) -> "Conversation":
        """Give a resolved conversation back to the bot as a new episode, because the customer wrote again."""
        self._require(Status.RESOLVED, "reopen")
        return replace(self._unowned(now_ms=now_ms), status=Status.BOT, episode=self.episode + 1)

    def _held_by(self, agent: AgentId, *, now_ms: int, lease_ms: int) -> "Conversation":
        return replace(
            self,
            status=Status.CLAIMED,
            epoch=self.epoch + 1,
            agent=agent,
            lease_until_ms=now_ms + lease_ms,
            owned_since_ms=now_ms,
        )

    def _unowned(self, *, now_ms: int) -> "Conversation":
        return replace(
            self,
            epoch=self.epoch + 1,
            agent=None,
            lease_until_ms=None,
            waiting_since_ms=None,
            owned_since_ms=now_ms,
        )

    def _back_in_queue(self, *, now_ms: int) -> "Conversation":
        since = now_ms if self.waiting_since_ms is None else self.waiting_since_ms
        return replace(self._unowned(now_ms=now_ms), status=Status.QUEUED, waiting_since_ms=since)

    def _require(self, status: Status, move: str) -> None:
        if self.status is not status:
            raise MoveRefused(f"cannot {move} a conversation that is {self.status}")

    def _require_holder(self, agent: AgentId, move: str, *, now_ms: int) -> None:
        if self.agent != agent or not self.is_held(now_ms=now_ms):
            raise ClaimLost(
                f"only the agent who has claimed it may {move} this conversation", holder=self.agent
            )


def customer_visible(message: Message) -> bool:
    """Whether the customer may ever see the message; internal notes are not."""
    return message.kind is not Kind.NOTE

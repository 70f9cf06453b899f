"""Everything that is kept of a conversation, and what is kept beside all of them: what goes from one store into another. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from bot.core.accounts import Agent, Invitation, Session
from bot.core.attachments import Attachment
from bot.core.audit import AuditRow
from bot.core.conversation import AgentId, Conversation, ConversationId, Message, TurnId
from bot.core.customers import Profile, Subject
from bot.core.desk import CannedReply, Mark, ReadMarks
from bot.core.erasure import Erased
from bot.core.handoffs import HandoffRow
from bot.core.notes import Note
from bot.core.outbox import OutboxRow
from bot.core.ratings import Rating
from bot.core.slack_rows import InboxRow, SlackPerson, SlackPost, SlackThread
from bot.core.transcript import ShownDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """A turn as it is recorded; `record` is JSON, and is carried as it stands."""

    id: TurnId
    settled_ms: int
    outcome: str
    reason: str | None
    record: str
    reduced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnnouncement:
    """What the outside is told, and when it was; None while it waits."""

    row: OutboxRow
    delivered_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentReply:
    """What an agent has written and not sent."""

    agent: AgentId
    text: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSpending:
    """What a turn used."""

    turn: TurnId
    at_ms: int
    tokens: int
    micro_usd: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptInboxRow:
    """What came in from Slack, and whether it was done or given up."""

    row: InboxRow
    done_ms: int | None
    dead_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """One conversation, whole; all in the order in which it came about. `profile` is None where nothing was told of the customer."""

    state: Conversation
    draft: ShownDraft | None = None
    profile: Profile | None = None
    messages: tuple[Message, ...] = ()
    turns: tuple[KeptTurn, ...] = ()
    handoffs: tuple[HandoffRow, ...] = ()
    audit: tuple[AuditRow, ...] = ()
    outbox: tuple[KeptAnnouncement, ...] = ()
    notes: tuple[Note, ...] = ()
    marks: tuple[Mark, ...] = ()
    unsent_replies: tuple[UnsentReply, ...] = ()
    read_marks: ReadMarks | None = None
    ratings: tuple[Rating, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    spending: tuple[KeptSpending, ...] = ()
    slack_threads: tuple[SlackThread, ...] = ()
    slack_posts: tuple[SlackPost, ...] = ()

    def by_kind(self) -> Mapping[str, tuple[object, ...]]:
        """Return what there is, kind by kind."""
        return {
            "conversations": (self.state, *_there(self.draft)),
            "customers": _there(self.profile),
            "messages": self.messages,
            "turns": self.turns,
            "handoffs": self.handoffs,
            "audit": self.audit,
            "outbox": self.outbox,
            "notes": self.notes,
            "marks": self.marks,
            "unsent replies": self.unsent_replies,
            "read marks": _there(self.read_marks),
            "ratings": self.ratings,
            "attachments": self.attachments,
            "spending": self.spending,
            "slack threads": self.slack_threads,
            "slack posts": self.slack_posts,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """What belongs to no conversation that is there. `audit` is what outlived the conversations that were erased."""

    agents: tuple[Agent, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    sessions: tuple[Session, ...] = ()
    canned_replies: tuple[CannedReply, ...] = ()
    sign_outs: tuple[tuple[Subject, int], ...] = ()
    erased: tuple[Erased, ...] = ()
    audit: tuple[AuditRow, ...] = ()
    slack_people: tuple[SlackPerson, ...] = ()
    slack_inbox: tuple[KeptInboxRow, ...] = ()

    def by_kind(self) -> Mapping[str, tuple[object, ...]]:
        """Return what there is, kind by kind."""
        return {
            "agents": self.agents,
            "invitations": self.invitations,
            "sessions": self.sessions,
            "canned replies": self.canned_replies,
            "sign outs": self.sign_outs,
            "erased": self.erased,
            "audit of erased": self.audit,
            "slack people": self.slack_people,
            "slack inbox": self.slack_inbox,
        }


class Tally:
    """Counts what passes by, and hashes it: two that saw the same have the same counts and hashes, kind by kind."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._hashes: dict[str, int] = {}

    def add(self, kinds: Mapping[str, Iterable[object]], *, of: ConversationId | None = None) -> None:
        """Count the rows of a conversation, or those of none; the order of conversations makes no difference."""
        for kind, rows in kinds.items():
            for place, row in enumerate(rows):
                self._counts[kind] = self._counts.get(kind, 0) + 1
                self._hashes[kind] = self._hashes.get(kind, 0) ^ _hash((of, place, row))

    def counted(self) -> Mapping[str, tuple[int, str]]:
        """Return for each kind how many rows there were, and what they hash to."""
        return {kind: (count, f"{self._hashes[kind]:064x}") for kind, count in self._counts.items()}


def _there(value: object | None) -> tuple[object, ...]:
    return () if value is None else (value,)


def _hash(of: tuple[object, ...]) -> int:
    return int.from_bytes(hashlib.sha256(json.dumps(of, default=_plain, sort_keys=True).encode()).digest())


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    return asdict(value)  # type: ignore[call-overload]  # nothing else than dataclasses is carried

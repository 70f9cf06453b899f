"""The record of one customer turn: what it covered, each stage it went through, and how it ended.

It is stored for every turn, answers included, so that "why did it say that?" can be answered later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, TurnId
from bot.core.knowledge import IndexState, RankedPassage
from bot.core.outcome import Outcome, ReasonCode
from bot.core.prompt import Usage
from bot.core.records import RecordsSeen


class Stage(StrEnum):
    """The steps of a turn, in order."""

    ROUTE = "route"
    QUERY = "query"
    INDEX = "index"
    EMBED = "embed"
    SEARCH = "search"
    RANK = "rank"
    RERANK = "rerank"
    EVIDENCE_GATE = "evidence_gate"
    DRAFT = "draft"
    ANSWER_GATE = "answer_gate"
    RECORDS = "records"


class StageStatus(StrEnum):
    """How a stage ended."""

    OK = "ok"
    STOPPED = "stopped"
    FAILED = "failed"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRecord:
    """One stage: `stopped` means that it worked and ended the turn; `error` is an error's class name."""

    name: Stage
    status: StageStatus
    ms: float
    error: str | None = None
    finding: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedMessage:
    """A message that the retrieval query left out, and why."""

    seq: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalQuery:
    """The exact texts that are embedded, the bare message beside them, and the ids used and dropped.

    `text` is the window and `window_weight` its share in the blend; `own` are the customer's own words. `said` and `told` are what
    the window holds of the customer's messages and of others'; they count in a bare reply only.
    """

    text: str
    bare: str
    own: str
    said: str = ""
    told: str = ""
    used: tuple[int, ...]
    dropped: tuple[DroppedMessage, ...] = ()
    window_weight: float = 1.0
    is_bare_reply: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSeen:
    """What the turn knew of the passage index when it searched."""

    state: IndexState
    fingerprint: str | None = None
    generation: str | None = None
    calibrated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """What must still hold for a turn's writes to count (DESIGN §5.9)."""

    conversation: ConversationId
    epoch: int
    last_customer_seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One settled turn.

    `covers` are the customer messages that it answers; `usage` is what its models were counted with; `support` is what its threshold was set by (see `gate.threshold_for`);
    milliseconds are Unix time.
    """

    id: TurnId
    fence: Fence
    outcome: Outcome
    covers: tuple[int, ...]
    started_ms: int
    settled_ms: int
    stages: tuple[StageRecord, ...] = ()
    query: RetrievalQuery | None = None
    ranked: tuple[RankedPassage, ...] = ()
    index: IndexSeen | None = None
    best_cosine: float | None = None
    threshold: float | None = None
    support: float | None = None
    prompt_digest: str | None = None
    model: str | None = None
    usage: Usage | None = None
    records: RecordsSeen | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStart:
    """What a turn reads at its beginning: the state, the latest messages (oldest first) and the unanswered ones.

    `recent_turns` were settled in the time that the bot's cap counts.
    """

    conversation: Conversation
    history: tuple[Message, ...]
    unanswered: tuple[Message, ...]
    recent_turns: int = 0

    @property
    def fence(self) -> Fence:
        """Return the condition under which this turn may write."""
        return Fence(
            conversation=self.conversation.id,
            epoch=self.conversation.epoch,
            last_customer_seq=self.conversation.last_customer_seq,
        )

    @property
    def asked(self) -> tuple[Message, ...]:
        """Return the unanswered messages, and before a RETRY the question that could not be computed."""
        retry = next((m for m in self.unanswered if m.kind is Kind.RETRY), None)
        if retry is None:
            return self.unanswered
        before = [m for m in self.history if m.seq < min(retry.seq, self.unanswered[0].seq)]
        return (*_not_computed(before), *self.unanswered)

    @property
    def follows_records(self) -> bool:
        """Whether the bot's last message told what records hold, or what is asked is asked again.

        Of the bot's answers, only those that rest on records alone name no article.
        """
        said = self._last_said
        if len(self.asked) > len(self.unanswered):
            return True
        return said is not None and _is_answer(said) and not (said.refusal or said.sources or said.options)

    @property
    def prompted(self) -> bool:
        """Whether the bot's last message before the unanswered ones asked for a reply."""
        said = self._last_said
        return said is not None and bool(said.options)

    @property
    def offered(self) -> bool:
        """Whether that message was the offer to rephrase: of what says that we could not help, only it has replies to tap."""
        said = self._last_said
        return said is not None and said.refusal and bool(said.options)

    @property
    def doubted(self) -> bool:
        """Whether the customer has said before that an answer did not help, and since then neither that one did nor had a person."""
        return self._doubt is not None

    @property
    def unhelpful(self) -> str | None:
        """Return what the bot had said when the customer doubted it last; None without a doubt."""
        doubt = self._doubt
        if doubt is None:
            return None
        said = [m.text for m in self.history if m.seq < doubt.seq and _is_answer(m)]
        return said[-1] if said else None

    @property
    def _doubt(self) -> Message | None:
        first = self.unanswered[0].seq
        for message in reversed(self.history):
            if message.seq >= first:
                continue
            if message.role is Role.AGENT or message.reason is not None:
                return None
            if message.verdict is not None:
                return None if message.verdict else message
        return None

    @property
    def _last_said(self) -> Message | None:
        first = self.unanswered[0].seq
        said = [m for m in self.history if m.seq < first and m.role is Role.BOT]
        return said[-1] if said else None


def _is_answer(message: Message) -> bool:
    return message.role is Role.BOT and message.kind is Kind.TEXT


def _not_computed(before: Sequence[Message]) -> tuple[Message, ...]:
    """Return what the customer had asked when it could not be computed last, however often that was tried; nothing when it never was."""
    refusals = [m for m in before if m.reason == ReasonCode.RECORDS_UNAVAILABLE]
    if not refusals:
        return ()
    turns = {m.turn for m in refusals}  # what was shown of them before they broke says nothing either
    earlier = [m for m in before if m.seq < refusals[-1].seq and m.kind is not Kind.RETRY]
    said = [m for m in earlier if m.role is Role.CUSTOMER or m.turn not in turns]
    return tuple(reversed([*takewhile(lambda m: m.role is Role.CUSTOMER, reversed(said))]))


def failing_stage(stages: tuple[StageRecord, ...]) -> StageRecord | None:
    """Return the first stage that failed or timed out; None when all worked."""
    return next((s for s in stages if s.status in (StageStatus.FAILED, StageStatus.TIMED_OUT)), None)

"""Recorded turns as the content team reads them: what was asked, what it came to, and how agents answered. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.conversation import AgentId, ConversationId, Kind, Message, Role, TurnId
from bot.core.customers import Subject
from bot.core.knowledge import ArticleId
from bot.core.outcome import Answer, Ask, Handoff, ReasonCode, Triage, outcome_name
from bot.core.revisions import revised, revised_in_place
from bot.core.turn import Turn

MARKED_TEXTS = 4  # of those that the customer typed before a mark, the last
MOST_REPLIES = 100  # of agents in one conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTurn:
    """One settled turn; `texts` are what the customer typed in it, oldest first, none for a button or a file.

    `asker` is the same for all turns of one customer: the subject that the site vouches for, else the conversation. `own` are the
    customer's own words as they were searched, None for a turn that did not search, and once its evidence is reduced. `articles`
    were ranked, best first, and `cited` are those of an answer. `verdict` is what the customer said in it of an earlier answer.
    Scores are raw cosine, None for a turn that ended before the gate.
    """

    conversation: ConversationId
    turn: TurnId
    asker: str
    settled_ms: int
    locale: str
    texts: tuple[str, ...]
    outcome: str
    own: str | None = None
    reason: ReasonCode | None = None
    offer: bool = False
    triage: Triage | None = None
    best_cosine: float | None = None
    threshold: float | None = None
    fingerprint: str | None = None
    articles: tuple[ArticleId, ...] = ()
    cited: tuple[ArticleId, ...] = ()
    verdict: bool | None = None

    @property
    def question(self) -> str:
        """Return the customer's own question; empty when nothing was typed."""
        return (self.own or "\n".join(self.texts)).strip()

    @property
    def searched(self) -> bool:
        """Whether the turn came as far as the evidence gate."""
        return self.best_cosine is not None

    @property
    def stopped(self) -> bool:
        """Whether the evidence gate stopped it; an offer to rephrase says so too."""
        return self.offer or self.reason is ReasonCode.NO_EVIDENCE

    @property
    def answered(self) -> bool:
        """Whether the customer had an answer, or a question that rests on an article."""
        return self.outcome in {"answer", "ask"} and not self.offer


@dataclass(frozen=True, slots=True, kw_only=True)
class GapMark:
    """An agent's mark that a conversation shows a gap.

    `texts` are the last that the customer typed before it, oldest first, and `asked_ms` is when the last of them came, else `at_ms`.
    """

    conversation: ConversationId
    asker: str
    locale: str
    agent: AgentId
    at_ms: int
    asked_ms: int
    remark: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """What an agent told the customer."""

    conversation: ConversationId
    seq: int
    agent: AgentId
    text: str
    at_ms: int


def to_question_turn(
    turn: Turn, covered: Sequence[Message], *, locale: str, subject: Subject | None
) -> QuestionTurn:
    """Return what is read of a turn; *covered* are the customer's messages that it answered, oldest first."""
    outcome = turn.outcome
    return QuestionTurn(
        conversation=turn.fence.conversation,
        turn=turn.id,
        asker=subject or turn.fence.conversation,
        settled_ms=turn.settled_ms,
        locale=locale,
        texts=typed(covered),
        outcome=outcome_name(outcome),
        own=turn.query.own if turn.query else None,
        reason=outcome.reason if isinstance(outcome, Handoff) else None,
        offer=isinstance(outcome, Ask) and outcome.offer,
        triage=outcome.triage if isinstance(outcome, Handoff) else None,
        best_cosine=turn.best_cosine,
        threshold=turn.threshold,
        fingerprint=turn.index.fingerprint if turn.index else None,
        articles=distinct(ranked.found.article_id for ranked in turn.ranked),
        cited=distinct(ArticleId(s.id) for s in outcome.sources) if isinstance(outcome, Answer | Ask) else (),
        verdict=verdict_of(covered),
    )


def marked_texts(messages: Iterable[Message], *, at_ms: int) -> tuple[Message, ...]:
    """Return the last that the customer had typed by the time of a mark, each as it reads now; deleted ones are gone."""
    written = [m for m in revised_in_place(messages) if m.role is Role.CUSTOMER and m.kind is Kind.TEXT]
    return tuple([m for m in written if m.at_ms <= at_ms][-MARKED_TEXTS:])


def replies_in(conversation: ConversationId, messages: Iterable[Message]) -> tuple[AgentReply, ...]:
    """Return what agents told the customer, each as it reads now; deleted ones are gone."""
    replies = [
        AgentReply(conversation=conversation, seq=m.seq, agent=m.author, text=m.text, at_ms=m.at_ms)
        for m in revised(messages)
        if m.role is Role.AGENT and m.kind is Kind.TEXT and m.author is not None
    ]
    return tuple(replies[:MOST_REPLIES])


def typed(covered: Iterable[Message]) -> tuple[str, ...]:
    """Return what the customer typed."""
    return tuple(message.text for message in covered if message.kind is Kind.TEXT)


def verdict_of(covered: Iterable[Message]) -> bool | None:
    """Return the last that the customer said of an answer; None when nothing was said."""
    verdicts = [message.verdict for message in covered if message.verdict is not None]
    return verdicts[-1] if verdicts else None


def distinct(articles: Iterable[ArticleId]) -> tuple[ArticleId, ...]:
    """Return each article once, in order."""
    return tuple(dict.fromkeys(articles))

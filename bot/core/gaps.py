"""What customers asked and no article answers: questions that mean the same, with how agents answered them. Pure.

Texts are without what the redaction rules remove. Nothing here is kept: a gap is found anew each time, over what is stored then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import AgentId, ConversationId, TurnId
from bot.core.knowledge import ArticleId
from bot.core.outcome import ReasonCode, Triage


class GapSign(StrEnum):
    """How a question shows that an article is missing; offers to rephrase count as NO_EVIDENCE."""

    NO_EVIDENCE = "no_evidence"
    MODEL_ABSTAINED = "model_abstained"
    UNRESOLVED = "unresolved"
    KNOWLEDGE_GAP = "knowledge_gap"  # only an agent's mark says so


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain:
    """What a question would find today, asked as the first message of a conversation.

    `article` is the best one, with its `title`, and `newer` says that it was added or changed after the question was asked. `triage` says
    why nothing is found today, None when the question passes the gate.
    """

    passes: bool
    best_cosine: float | None = None
    threshold: float | None = None
    article: ArticleId | None = None
    title: str = ""
    newer: bool = False
    triage: Triage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapQuestion:
    """One customer's question, as it was recorded; `at_ms` is when it was settled.

    `turn` is None for what was asked of an agent and never searched. `triage`, `best_cosine`, `threshold` and `article`, the nearest
    one, are as recorded then. `marked` says that an agent marked the conversation, with the `remark`. `today` is None where it was not
    asked again.
    """

    conversation: ConversationId
    turn: TurnId | None
    asker: str
    at_ms: int
    text: str
    locale: str
    sign: GapSign
    marked: bool = False
    remark: str = ""
    triage: Triage | None = None
    best_cosine: float | None = None
    threshold: float | None = None
    article: ArticleId | None = None
    today: AskedAgain | None = None

    @property
    def id(self) -> str:
        """Return what names it for good: its turn, else its conversation."""
        return self.turn or self.conversation

    @property
    def answered_by(self) -> ArticleId | None:
        """Return the article that answers it by now, None while none does.

        What the gate stopped is answered once it passes; what passed before and did not help, only by a newer article.
        """
        today = self.today
        if today is None or not today.passes:
            return None
        return today.article if today.newer or self.sign is GapSign.NO_EVIDENCE else None

    @property
    def triage_now(self) -> Triage | None:
        """Return why nothing was found, as far as that is known today; None when articles were found and did not help.

        NOT_YET_INDEXED: it passes by now, by an article that came or changed after the question.
        """
        if self.today is None:
            return self.triage
        if self.today.passes:
            return Triage.NOT_YET_INDEXED if self.today.newer else self.triage
        return self.today.triage or self.triage


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedReply:
    """What an agent told a customer who had asked."""

    conversation: ConversationId
    agent: AgentId
    text: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Questions that mean the same, newest first, and the first replies of agents to them.

    `label` are the questions nearest the centre, in the customers' own words, the most typical first. `count` is how many customers
    asked: who asks twice counts once. `triage` is what its questions say most often today. `answered_by` is the article that answers
    the most typical question by now, None while the gap is open.
    """

    id: str
    label: tuple[str, ...]
    count: int
    last_ms: int
    locale: str
    triage: Triage | None
    questions: tuple[GapQuestion, ...]
    replies: tuple[QuotedReply, ...] = ()
    answered_by: ArticleId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapReport:
    """The gaps of a span, open ones first, those that most customers met first; those that are answered by now are last.

    `questions` are how many there were, and `left_out` how many older ones were not looked at. `problem` is why today's index could
    not be asked, None when it could; `not_asked` are gaps that were left as recorded, because only so many are asked again at a time.
    """

    since_ms: int
    until_ms: int
    gaps: tuple[Gap, ...]
    questions: int
    left_out: int = 0
    not_asked: int = 0
    problem: ReasonCode | None = None


def find_gap(gaps: Sequence[Gap], named: str) -> Gap | None:
    """Return the gap whose id, or the id of one of whose questions, is *named* or the only one that begins so; None without one.

    The most typical question of a gap may change from day to day, so the ids of the others lead to it too.
    """
    exact = [gap for gap in gaps if named in _ids(gap)]
    begins = exact or [gap for gap in gaps if named and any(one.startswith(named) for one in _ids(gap))]
    return begins[0] if len(begins) == 1 else None


def _ids(gap: Gap) -> tuple[str, ...]:
    return (gap.id, *(question.id for question in gap.questions))

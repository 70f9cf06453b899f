"""Golden conversations through the real turn, with nothing kept: what was found, and how the turn ended."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from bot.core.conversation import TurnId
from bot.core.knowledge import ArticleId
from bot.core.outcome import Answer, Ask, Courtesy, Handoff
from bot.core.turn import Turn
from bot.evaluation.calibration import Scored, passing
from bot.evaluation.golden import GoldenConversation, Topic
from bot.service.answering import Answering


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A golden conversation and the turn that its question came to."""

    golden: GoldenConversation
    turn: Turn

    @property
    def found(self) -> tuple[ArticleId, ...]:
        """Return the articles in the order in which they would reach the answerer, each once."""
        return tuple(dict.fromkeys(p.found.article_id for p in self.turn.ranked))

    @property
    def answered_from(self) -> tuple[str, ...]:
        """Return the articles that an answer or a question rests on."""
        outcome = self.turn.outcome
        return tuple(s.id for s in outcome.sources) if isinstance(outcome, Answer | Ask) else ()


async def trials(answering: Answering, golden: Iterable[GoldenConversation]) -> AsyncIterator[Trial]:
    """Run each conversation's last question as a turn."""
    for conversation in golden:
        turn = await answering.settle(conversation.start, TurnId(conversation.id), capped=None, show=_nothing)
        yield Trial(golden=conversation, turn=turn)


async def _nothing(_text: str) -> None:
    """Show nothing: a trial has no customer."""


def scored(tried: Iterable[Trial]) -> tuple[Scored, ...]:
    """Return the gate's score of every trial that reached the gate."""
    return tuple(
        Scored(id=t.golden.id, topic=t.golden.topic, cosine=t.turn.best_cosine)
        for t in tried
        if t.turn.best_cosine is not None and t.golden.topic is not Topic.ROUTED
    )


def recall_at(tried: Sequence[Trial], k: int) -> float:
    """Return the mean share of gold articles among the first *k* found, capped at *k*; over answerable trials."""
    shares = [_share(t, k) for t in tried if t.golden.topic is Topic.ANSWERABLE and t.golden.gold]
    return sum(shares) / len(shares) if shares else 0.0


def hit_at_1(tried: Sequence[Trial]) -> float:
    """Return the share of answerable trials whose first found article is a gold one."""
    hits = [
        t.found[:1] != () and t.found[0] in t.golden.gold for t in tried if t.golden.topic is Topic.ANSWERABLE
    ]
    return sum(hits) / len(hits) if hits else 0.0


def _share(trial: Trial, k: int) -> float:
    gold = trial.golden.gold
    return len(set(gold) & set(trial.found[:k])) / min(len(gold), k)


def outcome_word(turn: Turn) -> str:
    """Return the column of the outcome table that a turn belongs to."""
    match turn.outcome:
        case Answer():
            return "answered"
        case Ask():
            return "asked"
        case Courtesy():
            return "courtesy"
        case Handoff(reason=reason):
            return str(reason)


def outcome_table(tried: Sequence[Trial]) -> dict[str, dict[str, int]]:
    """Count outcomes by label; an answer from no gold article counts as `wrong` beside `answered`."""
    table: dict[str, dict[str, int]] = {}
    for trial in tried:
        row = table.setdefault(trial.golden.label or trial.golden.topic, {})
        word = outcome_word(trial.turn)
        row[word] = row.get(word, 0) + 1
        if word == "answered" and not set(trial.answered_from) & set(trial.golden.gold):
            row["wrong"] = row.get("wrong", 0) + 1
    return table


def right_reasons(tried: Sequence[Trial]) -> float:
    """Return the share of trials with an expected reason that ended in it."""
    expected = [t for t in tried if t.golden.reason]
    right = [
        t
        for t in expected
        if isinstance(t.turn.outcome, Handoff) and t.turn.outcome.reason == t.golden.reason
    ]
    return len(right) / len(expected) if expected else 1.0


def pass_rates(tried: Sequence[Trial], threshold: float) -> dict[Topic, float]:
    """Return the share of each topic whose best cosine reaches *threshold*."""
    every = scored(tried)
    return {
        topic: passing([s.cosine for s in every if s.topic is topic], threshold)
        for topic in (Topic.ANSWERABLE, Topic.NEAR, Topic.OFF)
    }

"""Golden conversations through the real turn, with nothing kept: what was found, and how the turn ended."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.core.conversation import TurnId
from bot.core.knowledge import Calibration
from bot.core.outcome import Answer, Ask, Courtesy, Handoff
from bot.core.turn import Turn
from bot.evaluation.calibration import GATED, Scored, passed
from bot.evaluation.golden import GoldenConversation, Topic
from bot.evaluation.moment import asked_at
from bot.service.answering import Answering

WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A golden conversation and the turn that its question came to."""

    golden: GoldenConversation
    turn: Turn

    @property
    def answered_from(self) -> tuple[str, ...]:
        """Return the articles that an answer or a question rests on."""
        outcome = self.turn.outcome
        return tuple(s.id for s in outcome.sources) if isinstance(outcome, Answer | Ask) else ()


async def trials(answering: Answering, golden: Iterable[GoldenConversation]) -> AsyncIterator[Trial]:
    """Run each conversation's last question as a turn, on the day on which it counts as asked."""
    for conversation in golden:
        steps = asked_at(answering, conversation.asked_ms)
        turn = await steps.settle(conversation.start, TurnId(conversation.id), capped=None, show=_nothing)
        yield Trial(golden=conversation, turn=turn)


async def _nothing(_texts: Sequence[str]) -> None:
    """Show nothing: a trial has no customer."""


def scored(tried: Iterable[Trial]) -> tuple[Scored, ...]:
    """Return the gate's score of every trial that reached the gate."""
    return tuple(
        Scored(id=t.golden.id, topic=t.golden.topic, cosine=t.turn.best_cosine, support=t.turn.support)
        for t in tried
        if t.turn.best_cosine is not None and t.golden.topic is not Topic.ROUTED
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """How the turns of one label ended; every turn is in exactly one number. `handed_off` is by reason."""

    answered: int
    wrong: int
    asked: int
    courtesy: int
    handed_off: Mapping[str, int]

    @property
    def turns(self) -> int:
        """Return how many turns these are."""
        return self.answered + self.wrong + self.asked + self.courtesy + self.handed_off_for(*self.handed_off)

    def handed_off_for(self, *reasons: str) -> int:
        """Return how many turns were handed over for one of *reasons*."""
        return sum(self.handed_off.get(reason, 0) for reason in reasons)


def endings(tried: Iterable[Trial]) -> dict[str, Endings]:
    """Count how turns ended, by label; an answer that rests on no gold article is `wrong`."""
    by_label: dict[str, Counter[str]] = {}
    for trial in tried:
        words = by_label.setdefault(trial.golden.label or trial.golden.topic, Counter())
        words[WRONG if _is_wrong(trial) else outcome_word(trial.turn)] += 1
    return {label: _to_endings(words) for label, words in by_label.items()}


def _is_wrong(trial: Trial) -> bool:
    return isinstance(trial.turn.outcome, Answer) and not set(trial.answered_from) & set(trial.golden.gold)


def _to_endings(words: Counter[str]) -> Endings:
    ended = {word: words.pop(word, 0) for word in ("answered", WRONG, "asked", "courtesy")}
    return Endings(**ended, handed_off=dict(words.most_common()))


def right_reasons(tried: Iterable[Trial]) -> float | None:
    """Return the share of trials with an expected reason that ended in it; None when none has one."""
    expected = [t for t in tried if t.golden.reason]
    right = [
        t
        for t in expected
        if isinstance(t.turn.outcome, Handoff) and t.turn.outcome.reason == t.golden.reason
    ]
    return len(right) / len(expected) if expected else None


def pass_rates(tried: Sequence[Trial], calibration: Calibration) -> dict[Topic, float]:
    """Return the share of each topic that passes the calibrated gate."""
    every = scored(tried)
    return {topic: passed(every, topic, calibration) for topic in GATED}

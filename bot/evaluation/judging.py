"""How many answers are faithful, as a model judges them: each sentence supported by the passages that the answer cites."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.faithfulness import JudgeRequest, Verdict, judge_request
from bot.core.outcome import Answer
from bot.errors import KeyRejected, ModelUnavailable, ProviderLimitReached
from bot.evaluation.bootstrap import mean_interval, resampled
from bot.evaluation.measuring import Estimate
from bot.evaluation.trials import Trial

AT_ONCE = 4  # requests; more runs into the provider's limits


class Judge(Protocol):
    """Says of each sentence of an answer whether it is supported."""

    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        """Return a verdict for each sentence, in order; ModelUnavailable."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer and its verdicts; None when the judge failed."""

    id: str
    conversation_id: str
    question: str
    verdicts: tuple[Verdict, ...] | None

    @property
    def unsupported(self) -> tuple[Verdict, ...]:
        """Return the verdicts on sentences without support."""
        return tuple(verdict for verdict in self.verdicts or () if not verdict.supported)


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithfulness:
    """The share of faithful answers; None when none was judged. Answers on which the judge failed are `unjudged`."""

    judged: int
    unjudged: int
    share: Estimate | None
    unfaithful: tuple[JudgedAnswer, ...]


async def judged(tried: Iterable[Trial], judge: Judge, advance: Callable[[], object]) -> Faithfulness:
    """Judge every answer; a rejected key and a spent limit are raised, because every further call would fail alike."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(trial: Trial, answer: Answer) -> JudgedAnswer:
        async with turns:
            verdicts = await _verdicts(trial, answer, judge)
        advance()
        return JudgedAnswer(
            id=trial.golden.id,
            conversation_id=trial.golden.conversation_id,
            question=_question(trial),
            verdicts=verdicts,
        )

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(trial, answer)) for trial, answer in answered(tried)]
    except ExceptionGroup as failed:  # one reason is enough, and the rest was cancelled
        raise failed.exceptions[0] from failed
    return faithfulness([task.result() for task in tasks])


def answered(tried: Iterable[Trial]) -> list[tuple[Trial, Answer]]:
    """Return the trials that ended in an answer, with it."""
    return [(trial, trial.turn.outcome) for trial in tried if isinstance(trial.turn.outcome, Answer)]


def faithfulness(answers: Sequence[JudgedAnswer]) -> Faithfulness:
    """Count; the interval is by resampling conversations."""
    known = [answer for answer in answers if answer.verdicts is not None]
    return Faithfulness(
        judged=len(known),
        unjudged=len(answers) - len(known),
        share=_share(known) if known else None,
        unfaithful=tuple(answer for answer in known if answer.unsupported),
    )


def _share(known: Sequence[JudgedAnswer]) -> Estimate:
    values = [0.0 if answer.unsupported else 1.0 for answer in known]
    conversations = [answer.conversation_id for answer in known]
    low, high = mean_interval(values, resampled(conversations).of(conversations))
    return Estimate(value=sum(values) / len(values), low=low, high=high)


async def _verdicts(trial: Trial, answer: Answer, judge: Judge) -> tuple[Verdict, ...] | None:
    try:
        return await judge.judge(judge_request(_question(trial), answer, trial.turn.ranked))
    except (KeyRejected, ProviderLimitReached):
        raise
    except ModelUnavailable:
        return None


def _question(trial: Trial) -> str:
    return trial.golden.start.unanswered[-1].text

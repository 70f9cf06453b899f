"""Runs a set: every conversation once as a whole turn, and once through the search of each strategy."""

from collections.abc import Callable, Iterable, Sequence

from bot.evaluation.golden import GoldenConversation, Topic
from bot.evaluation.measuring import Gathered
from bot.evaluation.moment import asked_at
from bot.evaluation.strategies import Retrieved, Strategy, retrieved
from bot.evaluation.trials import trials
from bot.service.answering import Answering


async def gathered(
    name: str,
    golden: Sequence[GoldenConversation],
    answering: Answering,
    strategies: Iterable[Strategy],
    advance: Callable[[], None],
) -> Gathered:
    """Return a set's raw results; *advance* is called after each conversation. RetrievalUnavailable.

    The blended search is always among them, because the gate judges what it finds. What routing is for is not searched.
    """
    searched = tuple(s for s in Strategy if s is Strategy.BLENDED or s in set(strategies))
    found: dict[Strategy, list[Retrieved]] = {strategy: [] for strategy in searched}
    tried = []
    async for trial in trials(answering, golden):
        tried.append(trial)
        if trial.golden.topic is not Topic.ROUTED:
            await _search(trial.golden, answering, found)
        advance()
    return Gathered(name=name, tried=tuple(tried), retrieved={s: tuple(rows) for s, rows in found.items()})


async def _search(
    golden: GoldenConversation, answering: Answering, found: dict[Strategy, list[Retrieved]]
) -> None:
    retrieving = asked_at(answering, golden.asked_ms).retrieving
    for strategy, rows in found.items():
        row = await retrieved(golden, strategy, retrieving, can_abstain=answering.can_abstain)
        if row is not None:
            rows.append(row)

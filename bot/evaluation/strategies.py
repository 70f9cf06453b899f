"""Ways to make the search from a golden conversation, all through the production's own retrieval, so that they differ in nothing else.

Routing is left out: what is measured is retrieval, on questions that routing would have settled too.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.core.gate import threshold_for
from bot.core.knowledge import ArticleId
from bot.core.routing import Question
from bot.core.rules import Rules
from bot.core.turn import TurnStart
from bot.errors import RetrievalUnavailable
from bot.evaluation.golden import GoldenConversation
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace

ARTICLES = 10  # as deep as the deepest metric looks
PASSAGES = 100  # enough for as many articles, of ten passages each


class Strategy(StrEnum):
    """What is searched with."""

    LAST_TURN = "last_turn"
    WINDOW = "window"
    WINDOW_UNFILTERED = "window_unfiltered"
    BLENDED = "blended"
    REWRITE = "rewrite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """What a strategy found for a golden conversation: articles, best first, each once, and what the gate would see.

    `threshold` is the gate's for typical support, None when the score is not calibrated; `score` is the best cosine less what
    the gate asks of this question beyond that, so that one threshold serves all questions.
    """

    golden: GoldenConversation
    articles: tuple[ArticleId, ...]
    score: float
    threshold: float | None


async def retrieved(
    golden: GoldenConversation, strategy: Strategy, retrieving: Retrieving, *, can_abstain: bool
) -> Retrieved | None:
    """Search as *strategy* does; None when the conversation lacks what it needs. RetrievalUnavailable."""
    start = _start(golden, strategy)
    if start is None:
        return None
    trace = Trace(clock=retrieving.clock, started_ms=retrieving.clock.now_ms())
    asked = start.unanswered[-1]
    question = Question(current=asked, bare=asked.text.strip())
    try:
        await _searching(strategy, retrieving).retrieve(start, question, trace, can_abstain=can_abstain)
    except StageBroken as broken:
        raise RetrievalUnavailable(f"{golden.id}: {broken.handoff.detail}") from broken
    calibration = (await retrieving.index.status()).calibration
    typical = threshold_for(calibration, retrieving.policy, can_abstain=can_abstain)
    best = -1.0 if trace.best_cosine is None else trace.best_cosine
    return Retrieved(
        golden=golden,
        articles=tuple(dict.fromkeys(p.found.article_id for p in trace.ranked)),
        score=best if typical is None or trace.threshold is None else best - (trace.threshold - typical),
        threshold=typical,
    )


def _start(golden: GoldenConversation, strategy: Strategy) -> TurnStart | None:
    """Return the conversation as *strategy* is to see it."""
    match strategy:
        case Strategy.LAST_TURN:
            return replace(golden.start, history=golden.start.unanswered)
        case Strategy.WINDOW_UNFILTERED:
            return replace(
                golden.start, history=tuple(replace(m, refusal=False) for m in golden.start.history)
            )
        case Strategy.REWRITE:
            return None if golden.rewrite is None else _alone(golden.start, golden.rewrite)
        case Strategy.WINDOW | Strategy.BLENDED:
            return golden.start


def _alone(start: TurnStart, text: str) -> TurnStart:
    """Return the conversation as if the customer had only ever written *text*."""
    asked = (replace(start.unanswered[-1], text=text),)
    return replace(start, history=asked, unanswered=asked)


def _searching(strategy: Strategy, retrieving: Retrieving) -> Retrieving:
    """Return the retrieval that looks deep enough for every metric, and weighs and filters as *strategy* does."""
    policy = retrieving.policy
    ranking = replace(policy.ranking, max_articles=ARTICLES, max_passages=PASSAGES)
    retrieval = replace(policy.retrieval, limit=PASSAGES)
    if strategy in {Strategy.WINDOW, Strategy.WINDOW_UNFILTERED}:
        retrieval = replace(retrieval, window_weight=1.0, gate_window_weight=1.0)
    unfiltered = strategy is Strategy.WINDOW_UNFILTERED
    return replace(
        retrieving,
        policy=replace(policy, ranking=ranking, retrieval=retrieval),
        rules=_without_echoes(retrieving.rules) if unfiltered else retrieving.rules,
    )


def _without_echoes(rules: Rules) -> Rules:
    """Return rules under which no message is short enough to be a refusal echo."""
    return replace(rules, longest_refusal_echo_words=-1)

"""From what was retrieved and how turns ended to the numbers of a set, each with its interval.

`evaluate` prints them, its report draws them, and tests assert on them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.core.metrics import auroc, hit_at, ndcg_at, passing, precision_at, recall_at, reciprocal_rank
from bot.evaluation.bootstrap import Resamples, auroc_interval, mean_interval, resampled
from bot.evaluation.golden import GoldenConversation, Topic
from bot.evaluation.strategies import Retrieved, Strategy
from bot.evaluation.trials import Endings, Trial, endings, right_reasons

AUROC = "auroc"
BARE_REPLY = "bare_reply"  # the tag of golden conversations that end with one

_Measure = Callable[[Sequence[str], Collection[str]], float]
RANKING: Mapping[str, _Measure] = {
    "hit@1": partial(hit_at, k=1),
    **{f"recall@{k}": partial(recall_at, k=k) for k in (1, 3, 5)},
    **{f"precision@{k}": partial(precision_at, k=k) for k in (1, 3, 5)},
    **{f"ndcg@{k}": partial(ndcg_at, k=k) for k in (5, 10)},
    "mrr": reciprocal_rank,
}
MEASURES = (*RANKING, AUROC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A set's raw results: every conversation as a turn, and what each strategy found."""

    name: str
    tried: tuple[Trial, ...]
    retrieved: Mapping[Strategy, tuple[Retrieved, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The gate's scores by whether an article answers the question; what routing is for has none."""

    answerable: tuple[float, ...]
    unanswerable: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """How well a strategy did. `questions` had gold to find; a measure that the set cannot tell is absent."""

    questions: int
    measures: Mapping[str, Estimate]
    scores: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRates:
    """What the gate by itself does to each kind of question; None without a threshold, or without such questions."""

    threshold: float | None
    answerable_passed: float | None
    unanswerable_stopped: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BareReplies:
    """How often the first article is right when the customer only said yes or no; None without any."""

    questions: int
    hit_at_1: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything that is said of a set; `gate` and `bare_replies` are of the blended search, which is the production's."""

    name: str
    conversations: int
    strategies: Mapping[Strategy, Performance]
    gate: GateRates
    labels: Mapping[str, Endings]
    reason_accuracy: float | None
    bare_replies: BareReplies


def evaluated(gathered: Gathered) -> Evaluation:
    """Return the numbers of a set. What the blended search found must be among the results."""
    resamples = resampled([t.golden.conversation_id for t in gathered.tried])
    blended = gathered.retrieved[Strategy.BLENDED]
    return Evaluation(
        name=gathered.name,
        conversations=len(gathered.tried),
        strategies={
            strategy: performance(found, resamples) for strategy, found in gathered.retrieved.items() if found
        },
        gate=_gate_rates(blended),
        labels=endings(gathered.tried),
        reason_accuracy=right_reasons(gathered.tried),
        bare_replies=_bare_replies(blended),
    )


def pooled(sets: Sequence[Gathered], name: str) -> Gathered:
    """Return all sets as one; conversations of different sets stay apart whatever their ids."""
    apart = [_kept_apart(one, number) for number, one in enumerate(sets)]
    strategies = dict.fromkeys(strategy for one in apart for strategy in one.retrieved)
    return Gathered(
        name=name,
        tried=tuple(trial for one in apart for trial in one.tried),
        retrieved={s: tuple(r for one in apart for r in one.retrieved.get(s, ())) for s in strategies},
    )


def performance(found: Sequence[Retrieved], resamples: Resamples) -> Performance:
    """Return a strategy's measures: rankings over the answerable questions, AUROC over all that were searched."""
    ranked = [r for r in found if _has_gold(r)]
    measures = {name: _mean(measure, ranked, resamples) for name, measure in RANKING.items() if ranked}
    answerable = [r for r in found if r.golden.topic is Topic.ANSWERABLE]
    others = [r for r in found if r.golden.topic is not Topic.ANSWERABLE]
    if answerable and others:
        measures[AUROC] = _separation(answerable, others, resamples)
    return Performance(
        questions=len(ranked),
        measures=measures,
        scores=Scores(answerable=_scores(answerable), unanswerable=_scores(others)),
    )


def _mean(measure: _Measure, ranked: Sequence[Retrieved], resamples: Resamples) -> Estimate:
    values = [measure(r.articles, r.golden.gold) for r in ranked]
    low, high = mean_interval(values, resamples.of(_conversations(ranked)))
    return Estimate(value=sum(values) / len(values), low=low, high=high)


def _separation(
    answerable: Sequence[Retrieved], others: Sequence[Retrieved], resamples: Resamples
) -> Estimate:
    positives, negatives = _scores(answerable), _scores(others)
    weights = resamples.of(_conversations(answerable)), resamples.of(_conversations(others))
    low, high = auroc_interval(positives, negatives, weights)
    return Estimate(value=auroc(positives, negatives), low=low, high=high)


def _gate_rates(found: Sequence[Retrieved]) -> GateRates:
    threshold = found[0].threshold if found else None
    answerable = [r.score for r in found if r.golden.topic is Topic.ANSWERABLE]
    others = [r.score for r in found if r.golden.topic is not Topic.ANSWERABLE]
    if threshold is None:
        return GateRates(threshold=None, answerable_passed=None, unanswerable_stopped=None)
    return GateRates(
        threshold=threshold,
        answerable_passed=passing(answerable, threshold) if answerable else None,
        unanswerable_stopped=1 - passing(others, threshold) if others else None,
    )


def _bare_replies(found: Sequence[Retrieved]) -> BareReplies:
    bare = [r for r in found if r.golden.tag == BARE_REPLY and _has_gold(r)]
    hits = [hit_at(r.articles, r.golden.gold, 1) for r in bare]
    return BareReplies(questions=len(bare), hit_at_1=sum(hits) / len(hits) if hits else None)


def _has_gold(found: Retrieved) -> bool:
    return found.golden.topic is Topic.ANSWERABLE and bool(found.golden.gold)


def _scores(found: Sequence[Retrieved]) -> tuple[float, ...]:
    return tuple(r.score for r in found)


def _conversations(found: Sequence[Retrieved]) -> list[str]:
    return [r.golden.conversation_id for r in found]


def _kept_apart(gathered: Gathered, number: int) -> Gathered:
    return replace(
        gathered,
        tried=tuple(replace(t, golden=_of_set(t.golden, number)) for t in gathered.tried),
        retrieved={
            strategy: tuple(replace(r, golden=_of_set(r.golden, number)) for r in found)
            for strategy, found in gathered.retrieved.items()
        },
    )


def _of_set(golden: GoldenConversation, number: int) -> GoldenConversation:
    return replace(golden, conversation_id=f"{number}:{golden.conversation_id}")

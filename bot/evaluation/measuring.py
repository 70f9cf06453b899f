"""From what was retrieved and how turns ended to the numbers of a set, each with its interval.

`evaluate` prints them, its report draws them, and tests assert on them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.core.metrics import auroc, hit_at, passing
from bot.evaluation.bootstrap import Resamples, auroc_interval, mean_interval, resampled
from bot.evaluation.golden import GoldenConversation
from bot.evaluation.grouping import TAG, Groups, auroc_by_label, averaged, grouped
from bot.evaluation.measures import AUROC, RANKING, Measure, is_answerable, mean_of, with_gold
from bot.evaluation.strategies import Retrieved, Strategy
from bot.evaluation.trials import Endings, Trial, endings, right_reasons

BARE_REPLY = "bare_reply"  # the tag of golden conversations that end with one


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
    """Everything that is said of a set; `gate`, `auroc_by_label` and `bare_replies` are of the blended search, the production's."""

    name: str
    conversations: int
    strategies: Mapping[Strategy, Performance]
    gate: GateRates
    labels: Mapping[str, Endings]
    reason_accuracy: float | None
    bare_replies: BareReplies
    auroc_by_label: Mapping[str, float] = field(default_factory=dict)
    groups: Groups = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The numbers of several sets averaged, each set counting the same; without intervals."""

    sets: int
    strategies: Mapping[Strategy, Mapping[str, float]]
    gate: Mapping[str, float]
    auroc_by_label: Mapping[str, float]


def evaluated(gathered: Gathered, *, by: Iterable[str] = ()) -> Evaluation:
    """Return the numbers of a set, also by tag and by the fields *by*. What the blended search found must be among the results."""
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
        auroc_by_label=auroc_by_label(blended),
        groups=grouped(gathered.tried, gathered.retrieved, dict.fromkeys((TAG, *by))),
    )


def mean(sets: Sequence[Evaluation]) -> Mean:
    """Return the mean of *sets*, over those of them that tell a number."""
    strategies = dict.fromkeys(strategy for one in sets for strategy in one.strategies)
    return Mean(
        sets=len(sets),
        strategies={
            s: averaged(_values(one.strategies[s]) for one in sets if s in one.strategies) for s in strategies
        },
        gate=averaged(_rates(one.gate) for one in sets),
        auroc_by_label=averaged(one.auroc_by_label for one in sets),
    )


def _values(performance: Performance) -> Mapping[str, float]:
    return {name: estimate.value for name, estimate in performance.measures.items()}


def _rates(gate: GateRates) -> Mapping[str, float]:
    rates = {
        "answerable_passed": gate.answerable_passed,
        "unanswerable_stopped": gate.unanswerable_stopped,
    }
    return {name: rate for name, rate in rates.items() if rate is not None}


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
    ranked = with_gold(found)
    measures = {name: _mean(measure, ranked, resamples) for name, measure in RANKING.items() if ranked}
    answerable = [r for r in found if is_answerable(r)]
    others = [r for r in found if not is_answerable(r)]
    if answerable and others:
        measures[AUROC] = _separation(answerable, others, resamples)
    return Performance(
        questions=len(ranked),
        measures=measures,
        scores=Scores(answerable=_scores(answerable), unanswerable=_scores(others)),
    )


def _mean(measure: Measure, ranked: Sequence[Retrieved], resamples: Resamples) -> Estimate:
    values = [measure(r.articles, r.golden.gold) for r in ranked]
    low, high = mean_interval(values, resamples.of(_conversations(ranked)))
    return Estimate(value=mean_of(measure, ranked), low=low, high=high)


def _separation(
    answerable: Sequence[Retrieved], others: Sequence[Retrieved], resamples: Resamples
) -> Estimate:
    positives, negatives = _scores(answerable), _scores(others)
    weights = resamples.of(_conversations(answerable)), resamples.of(_conversations(others))
    low, high = auroc_interval(positives, negatives, weights)
    return Estimate(value=auroc(positives, negatives), low=low, high=high)


def _gate_rates(found: Sequence[Retrieved]) -> GateRates:
    threshold = found[0].threshold if found else None
    answerable = [r.score for r in found if is_answerable(r)]
    others = [r.score for r in found if not is_answerable(r)]
    if threshold is None:
        return GateRates(threshold=None, answerable_passed=None, unanswerable_stopped=None)
    return GateRates(
        threshold=threshold,
        answerable_passed=passing(answerable, threshold) if answerable else None,
        unanswerable_stopped=1 - passing(others, threshold) if others else None,
    )


def _bare_replies(found: Sequence[Retrieved]) -> BareReplies:
    bare = [r for r in with_gold(found) if r.golden.tag == BARE_REPLY]
    hits = [hit_at(r.articles, r.golden.gold, 1) for r in bare]
    return BareReplies(questions=len(bare), hit_at_1=sum(hits) / len(hits) if hits else None)


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

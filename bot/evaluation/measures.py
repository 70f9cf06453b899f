"""What is measured of searches, as plain numbers: rankings over the questions with gold, AUROC over all that were searched."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from bot.core.metrics import auroc, hit_at, ndcg_at, precision_at, recall_at, reciprocal_rank
from bot.evaluation.golden import Topic
from bot.evaluation.strategies import Retrieved

AUROC = "auroc"

Measure = Callable[[Sequence[str], Collection[str]], float]
RANKING: Mapping[str, Measure] = {
    "hit@1": partial(hit_at, k=1),
    **{f"recall@{k}": partial(recall_at, k=k) for k in (1, 3, 5)},
    **{f"precision@{k}": partial(precision_at, k=k) for k in (1, 3, 5)},
    **{f"ndcg@{k}": partial(ndcg_at, k=k) for k in (5, 10)},
    "mrr": reciprocal_rank,
}
MEASURES = (*RANKING, AUROC)
OF_GROUPS = ("hit@1", "recall@3", "recall@5", AUROC)  # those that a table of groups has room for


def with_gold(found: Sequence[Retrieved]) -> list[Retrieved]:
    """Return what was found for questions that some known article answers."""
    return [r for r in found if is_answerable(r) and r.golden.gold]


def is_answerable(found: Retrieved) -> bool:
    """Return whether an article answers the question."""
    return found.golden.topic is Topic.ANSWERABLE


def measured(found: Sequence[Retrieved]) -> dict[str, float]:
    """Return every measure that these searches can tell."""
    ranked = with_gold(found)
    values = {name: mean_of(measure, ranked) for name, measure in RANKING.items() if ranked}
    answerable = [r.score for r in found if is_answerable(r)]
    others = [r.score for r in found if not is_answerable(r)]
    return values | ({AUROC: auroc(answerable, others)} if answerable and others else {})


def mean_of(measure: Measure, ranked: Sequence[Retrieved]) -> float:
    """Return a measure's mean over *ranked*, which is not empty."""
    return sum(measure(r.articles, r.golden.gold) for r in ranked) / len(ranked)

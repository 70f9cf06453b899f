"""How good a ranking and a gate are: the standard measures, with binary relevance.

*found* is a ranking without repeats, best first; *gold* are the relevant ones, never empty. A ranking shorter than *k* counts as
one whose other places hold nothing relevant.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence


def precision_at(found: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of the first *k* places that are gold (Manning, Raghavan, Schütze: Introduction to Information Retrieval, §8.4)."""
    return _hits(found, gold, k) / k


def recall_at(found: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of all gold that is among the first *k* (the same, §8.3 and §8.4).

    The plain definition: with more gold than places it cannot reach 1.
    """
    return _hits(found, gold, k) / len(gold)


def hit_at(found: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 if any of the first *k* is gold, else 0; at 1 it is the precision (success@k in TREC's evaluations)."""
    return float(_hits(found, gold, k) > 0)


def ndcg_at(found: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return DCG of the first *k* over the best one possible, gains 1 and 0, discount log2(rank + 1).

    Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002, in the form of Burges et al. 2005,
    which discounts the second place too; both forms of the gain agree when it is binary.
    """
    gained = sum(_discounted(rank) for rank, one in enumerate(found[:k], start=1) if one in gold)
    return gained / sum(_discounted(rank) for rank in range(1, min(len(gold), k) + 1))


def reciprocal_rank(found: Sequence[str], gold: Collection[str]) -> float:
    """Return one over the rank of the first gold, 0 without any; its mean is the MRR (Voorhees, TREC-8, 1999)."""
    return next((1 / rank for rank, one in enumerate(found, start=1) if one in gold), 0.0)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return the chance that a random positive scores above a random negative, ties counting half; 0.5 without both kinds.

    The Mann-Whitney statistic over the number of pairs, which is the area under the ROC curve (Hanley, McNeil: Radiology 143, 1982).
    """
    if not positives or not negatives:
        return 0.5
    ordered = sorted(negatives)
    wins = sum(bisect_left(ordered, p) + bisect_right(ordered, p) for p in positives) / 2
    return wins / (len(positives) * len(negatives))


def roc(positives: Sequence[float], negatives: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Return the ROC curve's corners from (0, 0) to (1, 1): the share of negatives, then of positives, at or above each score."""
    scores = sorted({*positives, *negatives}, reverse=True)
    return ((0.0, 0.0), *((passing(negatives, s), passing(positives, s)) for s in scores))


def passing(scores: Sequence[float], threshold: float) -> float:
    """Return the share of *scores* that reach *threshold*; 0 for none at all."""
    return sum(s >= threshold for s in scores) / len(scores) if scores else 0.0


def _hits(found: Sequence[str], gold: Collection[str], k: int) -> int:
    return sum(one in gold for one in found[:k])


def _discounted(rank: int) -> float:
    return 1 / math.log2(rank + 1)

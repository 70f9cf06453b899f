"""The measures: worked examples by hand, and what must hold for every ranking."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.metrics import (
    auroc,
    hit_at,
    ndcg_at,
    passing,
    precision_at,
    recall_at,
    reciprocal_rank,
    roc,
)

ARTICLES = st.sampled_from("abcdefgh")
RANKINGS = st.lists(ARTICLES, unique=True)
GOLD = st.sets(ARTICLES, min_size=1)
PLACES = st.integers(1, 10)
SCORES = st.lists(st.integers(-10, 10).map(lambda n: n / 10))


@pytest.mark.parametrize(
    ("found", "gold", "k", "precision", "recall", "hit"),
    [
        pytest.param("a", "a", 1, 1.0, 1.0, 1.0, id="found"),
        pytest.param("ba", "a", 1, 0.0, 0.0, 0.0, id="second"),
        pytest.param("ba", "a", 3, 1 / 3, 1.0, 1.0, id="a short ranking has empty places"),
        pytest.param("ab", "abc", 1, 1.0, 1 / 3, 1.0, id="recall is plain: more gold than places"),
        pytest.param("axb", "ab", 3, 2 / 3, 1.0, 1.0, id="two of three"),
        pytest.param("", "a", 3, 0.0, 0.0, 0.0, id="nothing found"),
    ],
)
def test_precision_recall_and_hits(found, gold, k, precision, recall, hit):
    assert precision_at(found, gold, k) == pytest.approx(precision)
    assert recall_at(found, gold, k) == pytest.approx(recall)
    assert hit_at(found, gold, k) == hit


@pytest.mark.parametrize(
    ("found", "gold", "k", "ndcg"),
    [
        pytest.param("ab", "ab", 5, 1.0, id="perfect"),
        pytest.param("ab", "abcdef", 2, 1.0, id="perfect as far as it goes"),
        pytest.param("xa", "a", 5, 1 / math.log2(3), id="second place is discounted"),
        pytest.param("axb", "ab", 5, 1.5 / (1 + 1 / math.log2(3)), id="first and third"),
        pytest.param("xxa", "a", 2, 0.0, id="beyond k"),
    ],
)
def test_ndcg_by_hand(found, gold, k, ndcg):
    assert ndcg_at(found, gold, k) == pytest.approx(ndcg)


@pytest.mark.parametrize(
    ("found", "rank"), [("a", 1.0), ("xa", 0.5), ("xyza", 0.25), ("xyz", 0.0), ("", 0.0)]
)
def test_the_reciprocal_rank_is_the_first_golds(found, rank):
    assert reciprocal_rank(found, "ab") == rank


@given(RANKINGS, GOLD, PLACES)
def test_every_measure_lies_between_none_and_all(found, gold, k):
    measures = [measure(found, gold, k) for measure in (precision_at, recall_at, hit_at, ndcg_at)]

    assert all(0 <= share <= 1 + 1e-12 for share in (*measures, reciprocal_rank(found, gold)))


@given(RANKINGS, GOLD, PLACES)
def test_gold_in_front_of_everything_else_is_the_best_order(found, gold, k):
    sorted_by_gold = sorted(found, key=lambda one: one not in gold)

    assert ndcg_at(sorted_by_gold, gold, k) >= ndcg_at(found, gold, k) - 1e-12
    assert recall_at(sorted_by_gold, gold, k) >= recall_at(found, gold, k)


@given(SCORES, SCORES)
def test_auroc_is_the_area_under_the_roc_curve(positives, negatives):
    corners = roc(positives, negatives)
    area = sum((right - left) * (low + high) / 2 for (left, low), (right, high) in pairwise(corners))

    assert auroc(positives, negatives) == (pytest.approx(area) if positives and negatives else 0.5)


def test_equal_scores_count_half():
    assert auroc([0.5], [0.5]) == 0.5
    assert auroc([0.5, 0.9], [0.5, 0.1]) == pytest.approx(3.5 / 4)


def test_passing_is_the_share_at_or_above():
    assert passing([0.4, 0.5, 0.6], 0.5) == pytest.approx(2 / 3)
    assert passing([], 0.5) == 0.0

"""The order in which found passages reach the answerer: freshness decides between close matches (DESIGN §5.5)."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.core.knowledge import ArticleId, FoundPassage, RankedPassage
from bot.core.policy import RankingPolicy
from bot.core.topics import is_one_text, is_one_topic

DAY_MS = 86_400_000


def freshness(found: FoundPassage, *, now_ms: int, policy: RankingPolicy) -> float | None:
    """Return 1 for an article changed now, falling in a line to 0 at `freshness_days`.

    An evergreen article counts as fresh for ever; None when the source gives no date.
    """
    if found.evergreen:
        return 1.0
    if found.last_modified_ms is None:
        return None
    age_days = (now_ms - found.last_modified_ms) / DAY_MS
    return min(1.0, max(0.0, 1.0 - age_days / policy.freshness_days))


def rank(found: Sequence[FoundPassage], *, now_ms: int, policy: RankingPolicy) -> tuple[RankedPassage, ...]:
    """Return at most `max_passages` passages of at most `max_articles` articles, the passages of an article together.

    Freshness weighs only among close matches: articles on the best one's topic whose best cosine is within `close_margin`
    of its. A fresh article on something else never passes a better match. An undated article counts as half fresh.
    """
    articles = _by_article(found)
    if not articles:
        return ()
    close = [a for a in articles if _is_close(a[0], articles[0][0], policy)]
    close.sort(key=lambda a: (-_score(a[0], now_ms=now_ms, policy=policy), -a[0].cosine, a[0].article_id))
    chosen = (close + [a for a in articles if a not in close])[: policy.max_articles]
    if articles[0] not in chosen:
        # The evidence gate judges by the best match: freshness may put it last, never out.
        chosen[-1:] = [articles[0]]
    rivals = _rivals(chosen, policy)
    ranked = (
        RankedPassage(
            found=p,
            freshness=freshness(p, now_ms=now_ms, policy=policy),
            score=_score(p, now_ms=now_ms, policy=policy),
            rival=p.article_id in rivals,
        )
        for p in _fair_share(chosen, policy.max_passages)
    )
    return tuple(ranked)


def _is_close(found: FoundPassage, best: FoundPassage, policy: RankingPolicy) -> bool:
    if best.cosine - found.cosine > policy.close_margin:
        return False
    return is_one_topic(found.title, best.title) or is_one_text(found.passage.text, best.passage.text)


def _by_article(found: Iterable[FoundPassage]) -> list[list[FoundPassage]]:
    """Group passages by article; articles and their passages by falling cosine."""
    together = sorted(found, key=lambda p: (p.article_id, -p.cosine, p.passage.position))
    articles = [list(group) for _, group in groupby(together, key=lambda p: p.article_id)]
    return sorted(articles, key=lambda a: (-a[0].cosine, a[0].article_id))


def _score(found: FoundPassage, *, now_ms: int, policy: RankingPolicy) -> float:
    fresh = freshness(found, now_ms=now_ms, policy=policy)
    if fresh is None:
        fresh = policy.undated_freshness
    return policy.similarity_weight * found.cosine + policy.freshness_weight * fresh


def _rivals(articles: Sequence[Sequence[FoundPassage]], policy: RankingPolicy) -> frozenset[ArticleId]:
    best = max(a[0].cosine for a in articles)
    near = frozenset(a[0].article_id for a in articles if best - a[0].cosine <= policy.rival_margin)
    return near if len(near) > 1 else frozenset()


def _fair_share(articles: Sequence[Sequence[FoundPassage]], limit: int) -> list[FoundPassage]:
    """Keep *limit* passages so that no article crowds out another; articles stay together and in order."""
    quota = [0] * len(articles)
    room = limit
    while room and any(q < len(a) for q, a in zip(quota, articles, strict=True)):
        for i, article in enumerate(articles):
            if room and quota[i] < len(article):
                quota[i] += 1
                room -= 1
    return [p for q, article in zip(quota, articles, strict=True) for p in article[:q]]

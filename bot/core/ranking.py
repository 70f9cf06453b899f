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
    of its. A fresh article on something else never passes a better match. An undated article counts as half fresh. Where
    freshness decides nothing, the score is the cosine.
    """
    articles = _by_article(found)
    if not articles:
        return ()
    close = [a for a in articles if _is_close(a[0], articles[0][0], policy)]
    if len(close) > 1:
        close.sort(
            key=lambda a: (-_weighed(a[0], now_ms=now_ms, policy=policy), -a[0].cosine, a[0].article_id)
        )
    chosen = (close + [a for a in articles if a not in close])[: policy.max_articles]
    if articles[0] not in chosen:
        # The evidence gate judges by the best match: freshness may put it last, never out.
        chosen[-1:] = [articles[0]]
    rivals = _rivals(chosen, policy)
    weighed = frozenset(a[0].article_id for a in close) if len(close) > 1 else frozenset()
    ranked = (
        RankedPassage(
            found=p,
            freshness=freshness(p, now_ms=now_ms, policy=policy),
            score=_weighed(p, now_ms=now_ms, policy=policy) if p.article_id in weighed else p.cosine,
            rival=p.article_id in rivals,
        )
        for p in _shared_out(chosen, policy.max_passages)
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


def _weighed(found: FoundPassage, *, now_ms: int, policy: RankingPolicy) -> float:
    fresh = freshness(found, now_ms=now_ms, policy=policy)
    if fresh is None:
        fresh = policy.undated_freshness
    return policy.similarity_weight * found.cosine + policy.freshness_weight * fresh


def _rivals(articles: Sequence[Sequence[FoundPassage]], policy: RankingPolicy) -> frozenset[ArticleId]:
    best = max(a[0].cosine for a in articles)
    near = frozenset(a[0].article_id for a in articles if best - a[0].cosine <= policy.rival_margin)
    return near if len(near) > 1 else frozenset()


def _shared_out(articles: Sequence[Sequence[FoundPassage]], limit: int) -> list[FoundPassage]:
    """Keep *limit* passages: up to half of them of the first article, because it is the likeliest to be quoted, the rest in turn.

    Articles stay together and in order.
    """
    quota = [min(len(articles[0]), limit // 2), *(0 for _ in articles[1:])]
    for _ in range(limit - quota[0]):
        open_to_more = [i for i, article in enumerate(articles) if quota[i] < len(article)]
        if not open_to_more:
            break
        quota[min(open_to_more, key=lambda i: quota[i])] += 1
    return [p for q, article in zip(quota, articles, strict=True) for p in article[:q]]

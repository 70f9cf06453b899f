"""The order in which found passages reach the answerer (DESIGN §5.5).

Relevance first, by meaning and by words; then what the customer stated, and freshness, decide between articles on one topic.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.core.conditions import StatedValue, single_condition
from bot.core.fusion import relevance
from bot.core.knowledge import ArticleId, FoundPassage, RankedPassage
from bot.core.policy import RankingPolicy
from bot.core.topics import is_one_text, is_one_topic

DAY_MS = 86_400_000
CONTENDING = 5  # articles from the top among which a stated condition may choose

Article = list[FoundPassage]


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


def rank(
    found: Sequence[FoundPassage],
    *,
    now_ms: int,
    policy: RankingPolicy,
    named: frozenset[str] = frozenset(),
    stated: StatedValue | None = None,
) -> tuple[RankedPassage, ...]:
    """Return at most `max_passages` passages of at most `max_articles` articles, the passages of an article together.

    *named* are the terms of the conversation, for titles; *stated* is what the customer said of an amount of time. Freshness
    weighs only among close matches: articles on the most relevant one's topic whose best cosine is within `close_margin` of
    its. A fresh article on something else never passes a better match. An undated article counts as half fresh. The score of a
    passage is what its article was weighed by: with freshness where that decided, else the cosine.
    """
    articles = _by_relevance(found, named, policy)
    if not articles:
        return ()
    close = [a for a in articles if _is_close(a[0], articles[0][0], policy)]
    if len(close) > 1:
        close.sort(
            key=lambda a: (-_weighed(a[0], now_ms=now_ms, policy=policy), -a[0].cosine, a[0].article_id)
        )
    ordered = close + [a for a in articles if a not in close]
    chosen = _with_stated_first(ordered, stated)[: policy.max_articles]
    nearest = max(articles, key=lambda a: a[0].cosine)
    if nearest not in chosen:
        # The evidence gate judges by the best match: neither words nor freshness may put it out.
        chosen[-1:] = [nearest]
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


def _by_relevance(
    found: Iterable[FoundPassage], named: frozenset[str], policy: RankingPolicy
) -> list[Article]:
    """Group passages by article; articles by falling relevance, their passages by falling cosine."""
    together = sorted(found, key=lambda p: (p.article_id, -p.cosine, p.passage.position))
    articles = [list(group) for _, group in groupby(together, key=lambda p: p.article_id)]
    fits = relevance(articles, named, policy)
    return sorted(articles, key=lambda a: (-fits[a[0].article_id], -a[0].cosine, a[0].article_id))


def _is_close(found: FoundPassage, best: FoundPassage, policy: RankingPolicy) -> bool:
    if abs(best.cosine - found.cosine) > policy.close_margin:
        return False
    return is_one_topic(found.title, best.title) or is_one_text(found.passage.text, best.passage.text)


def _weighed(found: FoundPassage, *, now_ms: int, policy: RankingPolicy) -> float:
    fresh = freshness(found, now_ms=now_ms, policy=policy)
    if fresh is None:
        fresh = policy.undated_freshness
    return policy.similarity_weight * found.cosine + policy.freshness_weight * fresh


def _with_stated_first(articles: list[Article], stated: StatedValue | None) -> list[Article]:
    """Put the article first whose title says what the customer stated: "2 hours left" is not for "More Than 24 Hours"."""
    preferred = _preferred(articles[:CONTENDING], stated) if stated else None
    if preferred is None:
        return articles
    return [preferred, *(a for a in articles if a is not preferred)]


def _preferred(articles: Sequence[Article], stated: StatedValue) -> Article | None:
    """Return the article on the best one's topic that applies, else the first that does; None when nothing was decided."""
    on_topic = [articles[0], *_siblings(articles[0], articles)]
    return _applying(on_topic, stated) or next(
        (a for a in articles if _applying([a, *_siblings(a, articles)], stated) is a), None
    )


def _siblings(article: Article, articles: Sequence[Article]) -> list[Article]:
    return [a for a in articles if a is not article and is_one_topic(a[0].title, article[0].title)]


def _applying(siblings: Sequence[Article], stated: StatedValue) -> Article | None:
    """Return the article whose title fits; else, where a title excludes it, the one without a condition; else None."""
    conditions = [(a, single_condition(a[0].title)) for a in siblings]
    fitting = [a for a, c in conditions if c and c.fits(stated)]
    excluded = [a for a, c in conditions if c and c.excludes(stated)]
    general = [a for a, c in conditions if c is None]
    return next(iter(fitting or (general if excluded else [])), None)


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

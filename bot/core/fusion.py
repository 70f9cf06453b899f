"""One order out of two searches: by meaning and by words (DESIGN §5.5). Pure, and blind to the gate, which has its own score."""

from collections.abc import Sequence
from math import fsum

from bot.core.knowledge import ArticleId, FoundPassage
from bot.core.lexical import rarity_of, terms
from bot.core.policy import RankingPolicy

STRETCHED = 40  # articles; fewer and more ordered the development sets less well

Found = Sequence[FoundPassage]


def relevance(
    articles: Sequence[Found], named: frozenset[str], policy: RankingPolicy
) -> dict[ArticleId, float]:
    """Return how well each article fits, comparable within one search: 0 to 1, and up to `title_weight` more.

    The best cosines and the lexical scores are stretched to 0 to 1 over the best `STRETCHED` articles, and mixed. An article whose title
    stands among the terms *named* in the conversation gets a bonus: what it is about was said in so many words.
    """
    cosine = _stretched([max(p.cosine for p in found) for found in articles])
    lexical = _stretched([_lexical(found) for found in articles])
    titles = _named(articles, named)
    share = policy.lexical_weight
    return {
        found[0].article_id: (1 - share) * near + share * worded + policy.title_weight * title * title
        for found, near, worded, title in zip(articles, cosine, lexical, titles, strict=True)
    }


def _lexical(found: Found) -> float:
    """Return the mean of the best passage's score and the whole article's: words may stand far apart in a long one."""
    return (max(p.lexical for p in found) + found[0].article_lexical) / 2


def _stretched(values: Sequence[float]) -> list[float]:
    falling = sorted(values, reverse=True)[:STRETCHED]
    if not falling or falling[0] == falling[-1]:
        return [0.0 for _ in values]
    return [max(0.0, (value - falling[-1]) / (falling[0] - falling[-1])) for value in values]


def _named(articles: Sequence[Found], named: frozenset[str]) -> list[float]:
    """Return which share of each title was named, rare words among the found titles counting most."""
    titles = [frozenset(terms(found[0].title)) for found in articles]
    rarity = rarity_of(titles)
    weights = [fsum(rarity[term] for term in title) for title in titles]
    hits = [fsum(rarity[term] for term in title & named) for title in titles]
    return [hit / weight if weight else 0.0 for hit, weight in zip(hits, weights, strict=True)]

"""What a second look at close candidates may change: which of several topics comes first, and nothing else.

Articles on one topic keep the order that freshness and the customer's own words gave them (DESIGN §5.5): a reranker knows
neither, and would bring back the outdated winner. Nothing is dropped, and no cosine is touched.
"""

from collections.abc import Sequence
from itertools import groupby

from bot.core.knowledge import ArticleId, RankedPassage
from bot.core.topics import is_one_text, is_one_topic

LEAST_LEAD = 0.05  # relevance by which another topic must lead; Voyage's scores lie between 0 and 1

Article = tuple[RankedPassage, ...]
Topic = tuple[Article, ...]


def to_compare(ranked: Sequence[RankedPassage]) -> tuple[RankedPassage, ...]:
    """Return the passages of the rivals, in order, where they are on several topics; none where there is nothing to decide."""
    rivals = tuple(passage for passage in ranked if passage.rival)
    return rivals if len(_topics(rivals)) > 1 else ()


def compared_text(passage: RankedPassage) -> str:
    """Return what is compared with the question: the passage under its title and headings, as it was embedded."""
    return passage.found.passage.embedded_text


def reranked(ranked: Sequence[RankedPassage], relevance: Sequence[float]) -> tuple[RankedPassage, ...]:
    """Put the topic first that is most relevant by *relevance*, one score for each passage of `to_compare`.

    Only rivals change places among themselves, and only for a clear lead. The passages of an article stay together.
    """
    rivals = to_compare(ranked)
    if not rivals:
        return tuple(ranked)
    scores = {passage.found.passage.id: score for passage, score in zip(rivals, relevance, strict=True)}
    topics = _topics(rivals)
    best = {topic: max(scores[p.found.passage.id] for a in topic for p in a) for topic in topics}
    winner = max(topics, key=lambda topic: best[topic])
    if best[winner] - best[topics[0]] < LEAST_LEAD:
        return tuple(ranked)
    ordered = [winner, *(topic for topic in topics if topic is not winner)]
    return _in_places_of_rivals(ranked, [article for topic in ordered for article in topic])


def _topics(rivals: Sequence[RankedPassage]) -> tuple[Topic, ...]:
    """Group the articles of *rivals* by topic; topics, and the articles of each, in their order."""
    topics: list[list[Article]] = []
    for article in _articles(rivals):
        known = next((topic for topic in topics if _is_one_topic(topic[0], article)), None)
        if known is None:
            topics.append([article])
        else:
            known.append(article)
    return tuple(tuple(topic) for topic in topics)


def _articles(passages: Sequence[RankedPassage]) -> tuple[Article, ...]:
    """Group neighbours of one article: ranking leaves its passages together."""
    return tuple(tuple(group) for _, group in groupby(passages, key=_article_of))


def _article_of(passage: RankedPassage) -> ArticleId:
    return passage.found.article_id


def _is_one_topic(first: Article, second: Article) -> bool:
    one, other = first[0].found, second[0].found
    return is_one_topic(one.title, other.title) or is_one_text(one.passage.text, other.passage.text)


def _in_places_of_rivals(
    ranked: Sequence[RankedPassage], rivals: Sequence[Article]
) -> tuple[RankedPassage, ...]:
    """Fill the places where rivals stand, article by article; the others stay where they are."""
    coming = iter(rivals)
    placed = (next(coming) if article[0].rival else article for article in _articles(ranked))
    return tuple(passage for article in placed for passage in article)

"""The lexical half of the search: SQLite's FTS5 over the terms of passages and of whole articles.

The terms are ours (`core.lexical.terms`); FTS5 keeps where they stand and counts BM25. Its statistics are those of the
whole file: drafts and a generation that is being built weigh a little with them.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from bot.core.knowledge import Article, ArticleId, Passage, PassageId
from bot.core.lexical import Words, terms

DEPTH = 200  # matching passages that are read, best first; deeper ones cannot reach the answerer

_ADD = "INSERT INTO worded (generation, article_id, passage_id) VALUES (?, ?, ?) RETURNING number"
_PASSAGES = """
SELECT w.passage_id AS id, -bm25(passage_words) AS score FROM passage_words
JOIN worded w ON w.number = passage_words.rowid
WHERE passage_words MATCH ? AND w.generation = ? ORDER BY score DESC, w.passage_id
"""
_ARTICLES = """
SELECT w.article_id AS id, -bm25(article_words) AS score FROM article_words
JOIN worded w ON w.number = article_words.rowid
WHERE article_words MATCH ? AND w.generation = ? AND w.article_id IN (SELECT value FROM json_each(?))
"""


def write_words(
    connection: sqlite3.Connection, generation: str, article: Article, passages: Sequence[Passage]
) -> None:
    """Add the terms of an article and of its passages; they are deleted with the article."""
    texts = [article.title, *(passage.text for passage in passages)]
    _add(connection, "article_words", (generation, article.id, None), " ".join(texts))
    for passage in passages:
        _add(connection, "passage_words", (generation, article.id, passage.id), passage.embedded_text)


def passage_scores(
    connection: sqlite3.Connection,
    generation: str,
    wanted: Sequence[Words],
    *,
    allowed: Callable[[PassageId], bool],
) -> dict[PassageId, float]:
    """Return how well passages hold the words *wanted*, each match weighed, best first; those not *allowed* take no place."""
    scores: dict[PassageId, float] = {}
    for words in _asked(wanted):
        rows = connection.execute(_PASSAGES, (_any_of(words.terms), generation))
        matching = ((PassageId(id_), score) for id_, score in rows if allowed(PassageId(id_)))
        for id_, score in islice(matching, DEPTH):
            scores[id_] = scores.get(id_, 0.0) + words.weight * score
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def article_scores(
    connection: sqlite3.Connection, generation: str, wanted: Sequence[Words], articles: Iterable[ArticleId]
) -> dict[ArticleId, float]:
    """Return how well the whole *articles* hold the words *wanted*, each match weighed; one that does not is not in it."""
    scores: dict[ArticleId, float] = {}
    among = json.dumps(list(articles))
    for words in _asked(wanted):
        for id_, score in connection.execute(_ARTICLES, (_any_of(words.terms), generation, among)):
            scores[ArticleId(id_)] = scores.get(ArticleId(id_), 0.0) + words.weight * score
    return scores


def register(connection: sqlite3.Connection) -> None:
    """Make `terms` callable from SQL, for migrations that fill the tables of words."""
    connection.create_function("terms", 1, lambda text: " ".join(terms(text)), deterministic=True)


def _add(connection: sqlite3.Connection, table: str, key: tuple[str, str, str | None], text: str) -> None:
    number = connection.execute(_ADD, key).fetchone()[0]
    statement = f"INSERT INTO {table} (rowid, words) VALUES (?, ?)"  # noqa: S608 -- one of two names above
    connection.execute(statement, (number, " ".join(terms(text))))


def _asked(wanted: Sequence[Words]) -> Iterator[Words]:
    """FTS5 has no expression for no words at all."""
    return (words for words in wanted if words.terms)


def _any_of(wanted: Iterable[str]) -> str:
    """Return the FTS5 expression for any of the terms, which hold letters and digits only."""
    return " OR ".join(f'"{term}"' for term in sorted(wanted))

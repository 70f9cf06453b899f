"""The lexical half of the search: SQLite's FTS5 over the terms of passages and of whole articles.

The terms are ours (`core.lexical.terms`); FTS5 keeps where they stand and counts BM25. Its statistics are those of the
whole file: drafts and a generation that is being built weigh a little with them.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.core.knowledge import Article, ArticleId, Passage, PassageId
from bot.core.lexical import Words, terms

DEPTH = 200  # matches that are read, best first; deeper ones cannot reach the answerer

_ADD = "INSERT INTO worded (generation, article_id, passage_id) VALUES (?, ?, ?) RETURNING number"
_PASSAGES = """
SELECT w.passage_id AS id, -bm25(passage_words) AS score FROM passage_words
JOIN worded w ON w.number = passage_words.rowid
WHERE passage_words MATCH ? AND w.generation = ? ORDER BY score DESC, w.passage_id LIMIT ?
"""
_ARTICLES = """
SELECT w.article_id AS id, -bm25(article_words) AS score FROM article_words
JOIN worded w ON w.number = article_words.rowid
WHERE article_words MATCH ? AND w.generation = ? ORDER BY score DESC, w.article_id LIMIT ?
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordScores:
    """BM25 of the words asked for, best first; what does not hold them is not in it."""

    passages: Mapping[PassageId, float]
    articles: Mapping[ArticleId, float]


def write_words(
    connection: sqlite3.Connection, generation: str, article: Article, passages: Sequence[Passage]
) -> None:
    """Add the terms of an article and of its passages; they are deleted with the article."""
    texts = [article.title, *(passage.text for passage in passages)]
    _add(connection, "article_words", (generation, article.id, None), " ".join(texts))
    for passage in passages:
        _add(connection, "passage_words", (generation, article.id, passage.id), passage.embedded_text)


def scores_of(connection: sqlite3.Connection, generation: str, wanted: Sequence[Words]) -> WordScores:
    """Return how well passages and articles hold the words *wanted*, each match weighed."""
    passages = _summed(connection, _PASSAGES, generation, wanted)
    articles = _summed(connection, _ARTICLES, generation, wanted)
    return WordScores(
        passages={PassageId(id_): score for id_, score in passages.items()},
        articles={ArticleId(id_): score for id_, score in articles.items()},
    )


def register(connection: sqlite3.Connection) -> None:
    """Make `terms` callable from SQL, for migrations that fill the tables of words."""
    connection.create_function("terms", 1, lambda text: " ".join(terms(text)), deterministic=True)


def _add(connection: sqlite3.Connection, table: str, key: tuple[str, str, str | None], text: str) -> None:
    number = connection.execute(_ADD, key).fetchone()[0]
    statement = f"INSERT INTO {table} (rowid, words) VALUES (?, ?)"  # noqa: S608 -- one of two names above
    connection.execute(statement, (number, " ".join(terms(text))))


def _summed(
    connection: sqlite3.Connection, statement: str, generation: str, wanted: Sequence[Words]
) -> dict[str, float]:
    sums: dict[str, float] = {}
    for words in (one for one in wanted if one.terms):
        for id_, score in connection.execute(statement, (_any_of(words.terms), generation, DEPTH)):
            sums[id_] = sums.get(id_, 0.0) + words.weight * score
    return dict(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))


def _any_of(wanted: Iterable[str]) -> str:
    """Return the FTS5 expression for any of the terms, which hold letters and digits only."""
    return " OR ".join(f'"{term}"' for term in sorted(wanted))

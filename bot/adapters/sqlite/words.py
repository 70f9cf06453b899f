"""The lexical half of the search: SQLite's FTS5 over the terms of passages and of whole articles.

The terms are ours (`core.lexical.terms`); FTS5 keeps where they stand and counts BM25. A row has the number of its passage or of its
article's version. The statistics are those of the whole file: drafts and what other generations have otherwise weigh a little with them.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from bot.core.lexical import Words, terms

DEPTH = 200  # matching passages that are read, best first; deeper ones cannot reach the answerer

_PASSAGES = """
SELECT rowid, -bm25(passage_words) AS score FROM passage_words
WHERE passage_words MATCH ? ORDER BY score DESC, rowid
"""
# The plus keeps SQLite from asking FTS5 once for each version.
_ARTICLES = """
SELECT rowid, -bm25(article_words) AS score FROM article_words
WHERE article_words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))
"""


def write_article_words(connection: sqlite3.Connection, version: int, texts: Iterable[str]) -> None:
    """Add the terms of an article's texts; they are deleted with its version."""
    row = (version, " ".join(terms(" ".join(texts))))
    connection.execute("INSERT INTO article_words (rowid, words) VALUES (?, ?)", row)


def write_passage_words(connection: sqlite3.Connection, passage: int, text: str) -> None:
    """Add the terms of a passage; they are deleted with it."""
    row = (passage, " ".join(terms(text)))
    connection.execute("INSERT INTO passage_words (rowid, words) VALUES (?, ?)", row)


def passage_scores(
    connection: sqlite3.Connection, wanted: Sequence[Words], *, allowed: Callable[[int], bool]
) -> dict[int, float]:
    """Return how well passages hold the words *wanted*, by number, each match weighed; those not *allowed* take no place."""
    scores: dict[int, float] = {}
    for words in _asked(wanted):
        rows = connection.execute(_PASSAGES, (_any_of(words.terms),))
        matching = ((number, score) for number, score in rows if allowed(number))
        for number, score in islice(matching, DEPTH):
            scores[number] = scores.get(number, 0.0) + words.weight * score
    return scores


def article_scores(
    connection: sqlite3.Connection, wanted: Sequence[Words], versions: Iterable[int]
) -> dict[int, float]:
    """Return how well whole articles hold the words *wanted*, by version, each match weighed; one that does not is not in it."""
    scores: dict[int, float] = {}
    among = json.dumps(list(versions))
    for words in _asked(wanted):
        for version, score in connection.execute(_ARTICLES, (_any_of(words.terms), among)):
            scores[version] = scores.get(version, 0.0) + words.weight * score
    return scores


def register(connection: sqlite3.Connection) -> None:
    """Make `terms` callable from SQL, for migrations that fill the tables of words."""
    connection.create_function("terms", 1, lambda text: " ".join(terms(text)), deterministic=True)


def _asked(wanted: Sequence[Words]) -> Iterator[Words]:
    """FTS5 has no expression for no words at all."""
    return (words for words in wanted if words.terms)


def _any_of(wanted: Iterable[str]) -> str:
    """Return the FTS5 expression for any of the terms, which hold letters and digits only."""
    return " OR ".join(f'"{term}"' for term in sorted(wanted))

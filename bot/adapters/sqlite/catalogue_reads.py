"""Reads the live generation as a list: every article of any status, its whole text, and which ones hold some words."""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from bot.adapters.sqlite.knowledge_rows import to_article
from bot.adapters.sqlite.standings import standings
from bot.core.content import (
    Decision,
    DecisionKind,
    ListedArticle,
    PairKey,
    holds_word,
    replacements,
    words_sought,
)
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import Article, ArticleId

_LIVE = "SELECT id FROM generations WHERE state = 'live'"
_LISTED = """
SELECT m.article_id, m.added_ms, v.written_ms, v.title, v.url, v.category, v.tags, v.locale, v.last_modified_ms, v.evergreen
FROM members m JOIN versions v ON v.number = m.version WHERE m.generation = ? ORDER BY m.article_id
"""
_WHOLE = """
SELECT v.* FROM members m JOIN versions v ON v.number = m.version WHERE m.generation = ? AND m.article_id = ?
"""
# In this order: else SQLite may ask FTS5 once for each passage.
_HOLDING = """
SELECT DISTINCT m.article_id FROM passage_words w CROSS JOIN passages p ON p.number = w.rowid
CROSS JOIN members m ON m.version = p.version WHERE passage_words MATCH ? AND m.generation = ?
"""
_DECISIONS = "SELECT key, kind, loser, winner, who, at_ms FROM article_decisions ORDER BY at_ms DESC, key"


def live_generation(connection: sqlite3.Connection) -> str | None:
    row = connection.execute(_LIVE).fetchone()
    return None if row is None else str(row["id"])


def listed_articles(connection: sqlite3.Connection) -> tuple[ListedArticle, ...]:
    generation = live_generation(connection)
    if generation is None:
        return ()
    known = standings(connection, generation)
    in_force, replaced = statuses_in_force(known), replacements(known)
    return tuple(
        ListedArticle(
            id=ArticleId(row["article_id"]),
            title=row["title"],
            url=row["url"],
            category=row["category"],
            tags=tuple(json.loads(row["tags"])),
            locale=row["locale"],
            status=in_force[ArticleId(row["article_id"])],
            superseded_by=replaced.get(ArticleId(row["article_id"])),
            last_modified_ms=row["last_modified_ms"],
            added_ms=row["added_ms"],
            changed_ms=row["written_ms"],
            evergreen=bool(row["evergreen"]),
        )
        for row in connection.execute(_LISTED, (generation,))
    )


def whole_article(connection: sqlite3.Connection, article: ArticleId) -> Article | None:
    generation = live_generation(connection)
    row = connection.execute(_WHOLE, (generation, article)).fetchone()
    return None if row is None else to_article(row)


def found_articles(connection: sqlite3.Connection, text: str, *, limit: int) -> tuple[ArticleId, ...]:
    generation = live_generation(connection)
    sought = words_sought(text)
    if generation is None or not sought:
        return ()
    articles = connection.execute(_LISTED, (generation,)).fetchall()
    found = [_holding(connection, generation, word, articles) for word in sought]
    return tuple(sorted(frozenset.intersection(*found)))[:limit]


def decisions_of(connection: sqlite3.Connection) -> tuple[Decision, ...]:
    return tuple(_to_decision(row) for row in connection.execute(_DECISIONS))


def _holding(
    connection: sqlite3.Connection, generation: str, word: str, articles: Sequence[sqlite3.Row]
) -> frozenset[ArticleId]:
    """Return the articles with a passage, a title, a tag or an id that has a word which begins like *word*."""
    in_text = connection.execute(_HOLDING, (f'"{word}" *', generation))
    named = (row["article_id"] for row in articles if holds_word(word, _names(row)))
    return frozenset(ArticleId(one) for one in (*(row["article_id"] for row in in_text), *named))


def _names(row: sqlite3.Row) -> Iterable[str]:
    return (row["article_id"], row["title"], *json.loads(row["tags"]))


def _to_decision(row: sqlite3.Row) -> Decision:
    return Decision(
        key=PairKey(row["key"]),
        kind=DecisionKind(row["kind"]),
        loser=ArticleId(row["loser"]),
        winner=ArticleId(row["winner"]),
        who=row["who"],
        at_ms=row["at_ms"],
    )

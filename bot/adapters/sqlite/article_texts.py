"""Reads an article of the live generation as customers may see it."""

import sqlite3

from bot.adapters.sqlite.knowledge_rows import to_passage, to_standings
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import ArticleId, ArticleStatus, ArticleText

# With those that supersede it, because only they decide whether it is still in force.
_STANDINGS = """
SELECT id, status, supersedes FROM articles
WHERE generation = ? AND (id = ? OR EXISTS (SELECT 1 FROM json_each(supersedes) WHERE value = ?))
"""
_ARTICLE = "SELECT title, url, locale, last_modified_ms FROM articles WHERE generation = ? AND id = ?"
_PASSAGES = """
SELECT id, article_id, position, headings, text, embedded_text FROM passages
WHERE generation = ? AND article_id = ? ORDER BY position
"""


def article_text(connection: sqlite3.Connection, article: ArticleId) -> ArticleText | None:
    """Return an active article; None when there is none of this id that customers may read."""
    live = connection.execute("SELECT id FROM generations WHERE state = 'live'").fetchone()
    if live is None:
        return None
    standings = to_standings(connection.execute(_STANDINGS, (live["id"], article, article)))
    if statuses_in_force(standings).get(article) is not ArticleStatus.ACTIVE:
        return None
    row = connection.execute(_ARTICLE, (live["id"], article)).fetchone()
    passages = connection.execute(_PASSAGES, (live["id"], article))
    return ArticleText(
        id=article,
        title=row["title"],
        url=row["url"],
        locale=row["locale"],
        last_modified_ms=row["last_modified_ms"],
        passages=tuple(to_passage(one) for one in passages),
    )

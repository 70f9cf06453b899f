"""Reads an article of the live generation as customers may see it."""

import sqlite3

from bot.adapters.sqlite.knowledge_rows import to_passage
from bot.adapters.sqlite.standings import standings_about
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import ArticleId, ArticleStatus, ArticleText

_ARTICLE = """
SELECT v.number, v.title, v.url, v.locale, v.last_modified_ms FROM members m JOIN versions v ON v.number = m.version
WHERE m.generation = ? AND m.article_id = ?
"""
_PASSAGES = """
SELECT p.id, v.id AS article_id, p.position, p.headings, p.text, p.embedded_text
FROM passages p JOIN versions v ON v.number = p.version WHERE p.version = ? ORDER BY p.position
"""


def article_text(connection: sqlite3.Connection, article: ArticleId) -> ArticleText | None:
    """Return an active article; None when there is none of this id that customers may read."""
    live = connection.execute("SELECT id FROM generations WHERE state = 'live'").fetchone()
    if live is None:
        return None
    statuses = statuses_in_force(standings_about(connection, live["id"], article))
    if statuses.get(article) is not ArticleStatus.ACTIVE:
        return None
    row = connection.execute(_ARTICLE, (live["id"], article)).fetchone()
    passages = connection.execute(_PASSAGES, (row["number"],))
    return ArticleText(
        id=article,
        title=row["title"],
        url=row["url"],
        locale=row["locale"],
        last_modified_ms=row["last_modified_ms"],
        passages=tuple(to_passage(one) for one in passages),
    )

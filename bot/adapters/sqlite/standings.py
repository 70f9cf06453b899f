"""What the articles of a generation say of themselves and of older ones, with what people decided."""

import json
import sqlite3
from collections.abc import Iterable

from bot.core.indexing import Standing, with_decisions
from bot.core.knowledge import ArticleId, ArticleStatus

_MEMBERS = """
SELECT m.article_id AS id, m.retired, v.status, v.supersedes FROM members m JOIN versions v ON v.number = m.version
WHERE m.generation = :generation
"""
# With those that supersede it, because only they decide whether it is still in force.
_ABOUT_ONE = f"""{_MEMBERS} AND (
    m.article_id = :article OR EXISTS (SELECT 1 FROM json_each(v.supersedes) WHERE value = :article)
    OR m.article_id IN (SELECT winner FROM article_decisions WHERE loser = :article)
)
"""  # noqa: S608 -- the text above
_DECIDED = "SELECT loser, winner FROM article_decisions WHERE kind = 'superseded' ORDER BY key"


def standings(connection: sqlite3.Connection, generation: str) -> tuple[Standing, ...]:
    """Return the standing of every article of a generation, retired ones among them; `statuses_in_force` takes them."""
    return _decided(connection, connection.execute(_MEMBERS, {"generation": generation}))


def standings_about(
    connection: sqlite3.Connection, generation: str, article: ArticleId
) -> tuple[Standing, ...]:
    """Return only those that decide on the status of one article."""
    about = {"generation": generation, "article": article}
    return _decided(connection, connection.execute(_ABOUT_ONE, about))


def _decided(connection: sqlite3.Connection, rows: Iterable[sqlite3.Row]) -> tuple[Standing, ...]:
    decided = [(ArticleId(loser), ArticleId(winner)) for loser, winner in connection.execute(_DECIDED)]
    return with_decisions(map(_to_standing, rows), decided)


def _to_standing(row: sqlite3.Row) -> Standing:
    return Standing(
        id=ArticleId(row["id"]),
        status=ArticleStatus.RETIRED if row["retired"] else ArticleStatus(row["status"]),
        supersedes=tuple(ArticleId(one) for one in json.loads(row["supersedes"])),
    )

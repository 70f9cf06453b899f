"""Articles of a generation that is being built: a member costs one row, and its text is written once for all generations."""

import json
import sqlite3
from collections.abc import Sequence

from bot.adapters.sqlite.generations import require_build
from bot.adapters.sqlite.knowledge_rows import INSERT_PASSAGE, INSERT_VERSION, from_article, from_passage
from bot.adapters.sqlite.words import write_article_words, write_passage_words
from bot.core.indexing import passage_digest
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Passage
from bot.errors import RetrievalUnavailable

_NAMED = "SELECT value FROM json_each(?)"
_CARRY = f"""
INSERT OR REPLACE INTO members
SELECT b.id, m.article_id, m.version, m.retired, m.added_ms FROM generations b
JOIN generations g ON g.state = 'live' JOIN members m ON m.generation = g.id
WHERE b.id = ? AND m.article_id IN ({_NAMED}) AND (m.retired OR g.fingerprint = b.fingerprint)
"""  # noqa: S608 -- the text above
_RETIRE = f"UPDATE members SET retired = 1 WHERE generation = ? AND article_id IN ({_NAMED})"  # noqa: S608
_CARRY_RETIRED = f"""
INSERT OR IGNORE INTO members
SELECT ?, m.article_id, m.version, 1, m.added_ms FROM generations g JOIN members m ON m.generation = g.id
WHERE g.state = 'live' AND m.article_id IN ({_NAMED})
"""  # noqa: S608 -- the text above
_LEAVE_OUT = f"DELETE FROM members WHERE generation = ? AND article_id IN ({_NAMED})"  # noqa: S608
_LIVE = """
SELECT m.added_ms, v.digest, v.written_ms FROM generations g JOIN members m ON m.generation = g.id
JOIN versions v ON v.number = m.version WHERE g.state = 'live' AND m.article_id = ?
"""
_WITHOUT_VECTOR = f"""
SELECT count(*) FROM ({_NAMED}) WHERE NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.fingerprint = ? AND v.digest = value
)
"""  # noqa: S608 -- the text above


def digests_of(connection: sqlite3.Connection, generation: str) -> dict[ArticleId, str]:
    """Return the digest of each article that is not retired."""
    rows = connection.execute(
        "SELECT m.article_id, v.digest FROM members m JOIN versions v ON v.number = m.version"
        " WHERE m.generation = ? AND m.retired = 0",
        (generation,),
    )
    return {ArticleId(article): str(digest) for article, digest in rows}


def retired_of(connection: sqlite3.Connection, generation: str) -> frozenset[ArticleId]:
    rows = connection.execute(
        "SELECT article_id FROM members WHERE generation = ? AND retired = 1", (generation,)
    )
    return frozenset(ArticleId(row["article_id"]) for row in rows)


def carry_over(connection: sqlite3.Connection, token: int, build: str, articles: Sequence[ArticleId]) -> None:
    require_build(connection, token, build)
    connection.execute(_CARRY, (build, json.dumps(list(articles))))


def retire_articles(
    connection: sqlite3.Connection, token: int, build: str, articles: Sequence[ArticleId]
) -> None:
    require_build(connection, token, build)
    named = (build, json.dumps(list(articles)))
    connection.execute(_RETIRE, named)
    connection.execute(_CARRY_RETIRED, named)


def leave_out(connection: sqlite3.Connection, token: int, build: str, articles: Sequence[ArticleId]) -> None:
    require_build(connection, token, build)
    connection.execute(_LEAVE_OUT, (build, json.dumps(list(articles))))


def replace_article(  # noqa: PLR0913 -- the port's own arguments
    connection: sqlite3.Connection,
    token: int,
    build: str,
    article: Article,
    digest: str,
    passages: Sequence[Passage],
    *,
    at_ms: int,
) -> None:
    fingerprint = require_build(connection, token, build)
    _require_vectors(connection, fingerprint, article, passages)
    live = connection.execute(_LIVE, (article.id,)).fetchone()
    version = _version(connection, fingerprint, article.id, digest)
    if version is None:
        written_ms = live["written_ms"] if live is not None and live["digest"] == digest else at_ms
        row = from_article(fingerprint, article, digest, written_ms=written_ms)
        version = _write(connection, row, article, passages)
    added_ms = at_ms if live is None else live["added_ms"]
    is_retired = article.status is ArticleStatus.RETIRED
    connection.execute(
        "INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?, ?)",
        (build, article.id, version, int(is_retired), added_ms),
    )


def _require_vectors(
    connection: sqlite3.Connection, fingerprint: str, article: Article, passages: Sequence[Passage]
) -> None:
    digests = json.dumps(sorted({passage_digest(one.embedded_text) for one in passages}))
    (missing,) = connection.execute(_WITHOUT_VECTOR, (digests, fingerprint)).fetchone()
    if missing:
        raise RetrievalUnavailable(f"article {article.id}: {missing} of its texts have no vector; sync again")


def _version(connection: sqlite3.Connection, fingerprint: str, article: ArticleId, digest: str) -> int | None:
    row = connection.execute(
        "SELECT number FROM versions WHERE fingerprint = ? AND id = ? AND digest = ?",
        (fingerprint, article, digest),
    ).fetchone()
    return None if row is None else int(row["number"])


def _write(
    connection: sqlite3.Connection,
    row: tuple[str | int | None, ...],
    article: Article,
    passages: Sequence[Passage],
) -> int:
    """Write an article's text and words as a new version, and return its number."""
    version = int(connection.execute(INSERT_VERSION, row).fetchone()["number"])
    write_article_words(connection, version, [article.title, *(one.text for one in passages)])
    for one in passages:
        number = connection.execute(INSERT_PASSAGE, from_passage(version, one)).fetchone()["number"]
        write_passage_words(connection, number, one.embedded_text)
    return version

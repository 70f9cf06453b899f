"""What kb_sync writes into the SQLite file: generations, articles with their passages, vectors, runs, calibrations."""

import json
import sqlite3
from collections.abc import Mapping, Sequence

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge_rows import (
    INSERT_ARTICLE,
    INSERT_PASSAGE,
    from_article,
    from_calibration,
    from_passage,
    from_run,
)
from bot.adapters.sqlite.matrix import STORED, to_bytes, to_vector
from bot.adapters.sqlite.words import write_words
from bot.core.indexing import generation_id
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Calibration, Passage, Vector
from bot.core.vectors import checked_vectors
from bot.errors import StoreUnavailable
from bot.sync_ports import RunRecord

Passages = Sequence[tuple[Passage, Vector]]

_RETIRE = "UPDATE articles SET status = ? WHERE generation = ? AND id IN (SELECT value FROM json_each(?))"
_KNOWN = (
    "SELECT digest, vector FROM vectors WHERE fingerprint = ? AND digest IN (SELECT value FROM json_each(?))"
)


class SqliteKnowledgeWriter:
    """Writes one transaction a call, and blocks. Changes of the live generation are seen by searches at once.

    Which article supersedes which is kept as the articles state it and worked out when the index is read, so that it never
    depends on the order of writing. RetrievalUnavailable, and nothing stored, when vectors are not unit vectors of one size.
    """

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def open_generation(self, fingerprint: str, *, at_ms: int) -> str:
        return self._database.write_now(lambda connection: _open(connection, fingerprint, at_ms))

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        return self._database.read_now(lambda connection: _digests(connection, generation))

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        wanted = json.dumps(list(digests))
        rows = self._database.read_now(
            lambda connection: connection.execute(_KNOWN, (fingerprint, wanted)).fetchall()
        )
        return {row["digest"]: to_vector(row["vector"]) for row in rows}

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        _require_unit_vectors(tuple(vectors.values()), dimension=None)
        rows = [(fingerprint, digest, to_bytes(vector)) for digest, vector in vectors.items()]
        self._database.write_now(
            lambda connection: connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        )

    def replace_article(self, generation: str, article: Article, digest: str, passages: Passages) -> None:
        def write(connection: sqlite3.Connection) -> None:
            _require_generation(connection, generation)
            _replace(connection, generation, article, digest, passages)
            _announce(connection, generation)

        self._database.write_now(write)

    def retire_articles(self, generation: str, articles: Sequence[ArticleId]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            _require_generation(connection, generation)
            connection.execute(_RETIRE, (ArticleStatus.RETIRED, generation, json.dumps(list(articles))))
            _announce(connection, generation)

        self._database.write_now(write)

    def publish(self, generation: str, run: RunRecord) -> None:
        self._database.write_now(lambda connection: _publish(connection, generation, run))

    def record_run(self, run: RunRecord) -> None:
        self._database.write_now(lambda connection: _record(connection, run))

    def store_calibration(self, calibration: Calibration) -> None:
        row = from_calibration(calibration)
        self._database.write_now(
            lambda connection: connection.execute("INSERT OR REPLACE INTO calibrations VALUES (?, ?)", row)
        )


def _open(connection: sqlite3.Connection, fingerprint: str, at_ms: int) -> str:
    found = connection.execute(
        "SELECT id FROM generations WHERE fingerprint = ? AND state <> 'old'", (fingerprint,)
    ).fetchone()
    if found is not None:
        return str(found["id"])
    generation = generation_id(fingerprint, at_ms=at_ms)
    connection.execute(
        "INSERT INTO generations (id, fingerprint, state, created_ms) VALUES (?, ?, 'building', ?)",
        (generation, fingerprint, at_ms),
    )
    return generation


def _digests(connection: sqlite3.Connection, generation: str) -> dict[ArticleId, str]:
    rows = connection.execute(
        "SELECT id, digest FROM articles WHERE generation = ? AND status <> ?",
        (generation, ArticleStatus.RETIRED),
    )
    return {ArticleId(row["id"]): str(row["digest"]) for row in rows}


def _replace(
    connection: sqlite3.Connection, generation: str, article: Article, digest: str, passages: Passages
) -> None:
    _require_unit_vectors([vector for _, vector in passages], dimension=_dimension(connection, generation))
    key = (generation, article.id)
    connection.execute("DELETE FROM articles WHERE generation = ? AND id = ?", key)  # its passages go with it
    connection.execute(INSERT_ARTICLE, from_article(generation, article, digest))
    connection.executemany(
        INSERT_PASSAGE, [from_passage(generation, one, vector) for one, vector in passages]
    )
    write_words(connection, generation, article, [passage for passage, _ in passages])


def _publish(connection: sqlite3.Connection, generation: str, run: RunRecord) -> None:
    if _require_generation(connection, generation) != "live":
        connection.execute("DELETE FROM generations WHERE id <> ?", (generation,))  # with all that is in them
        connection.execute("UPDATE generations SET state = 'live' WHERE id = ?", (generation,))
        _announce(connection, generation)
    connection.execute("UPDATE generations SET published_ms = ? WHERE id = ?", (run.ended_ms, generation))
    _record(connection, run)


def _record(connection: sqlite3.Connection, run: RunRecord) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO sync_runs (id, started_ms, document) VALUES (?, ?, ?)", from_run(run)
    )


def _announce(connection: sqlite3.Connection, generation: str) -> None:
    """Tell every process that searches to load again, if the generation is the live one."""
    connection.execute(
        "UPDATE kb_state SET revision = revision + 1"
        " WHERE EXISTS (SELECT 1 FROM generations WHERE id = ? AND state = 'live')",
        (generation,),
    )


def _require_generation(connection: sqlite3.Connection, generation: str) -> str:
    """Return the generation's state; StoreUnavailable when it is gone."""
    row = connection.execute("SELECT state FROM generations WHERE id = ?", (generation,)).fetchone()
    if row is None:
        raise StoreUnavailable(f"generation {generation} is gone: another sync published its own; sync again")
    return str(row["state"])


def _dimension(connection: sqlite3.Connection, generation: str) -> int | None:
    row = connection.execute(
        "SELECT length(vector) AS size FROM passages WHERE generation = ? LIMIT 1", (generation,)
    ).fetchone()
    return None if row is None else int(row["size"]) // STORED.itemsize


def _require_unit_vectors(vectors: Sequence[Vector], *, dimension: int | None) -> None:
    """Raise RetrievalUnavailable unless all are unit vectors of *dimension*, or of the first one's when it is None."""
    if vectors:
        checked_vectors(vectors, count=len(vectors), dimension=dimension or len(vectors[0]))

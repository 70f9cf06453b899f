"""Reads the live generation into memory, in one read transaction: what was published together is seen together."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from bot.adapters.sqlite.knowledge_rows import to_standings
from bot.adapters.sqlite.matrix import STORED, Floats, PassageMatrix, grouped
from bot.core.indexing import Contents, statuses_in_force
from bot.core.knowledge import ArticleStatus, PassageId
from bot.errors import RetrievalUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The index as of one revision. The matrix is empty when the vectors are of another model."""

    revision: int
    generation: str | None
    articles: int
    contents: Contents
    matrix: PassageMatrix = field(default_factory=PassageMatrix)


def revision_of(connection: sqlite3.Connection) -> int:
    """Return the number that grows with each change of the live generation."""
    revision: int = connection.execute("SELECT revision FROM kb_state").fetchone()[0]
    return revision


def load(connection: sqlite3.Connection, *, fingerprint: str) -> Loaded:
    """Return the live generation; RetrievalUnavailable when a stored vector is damaged."""
    live = connection.execute("SELECT id, fingerprint FROM generations WHERE state = 'live'").fetchone()
    if live is None:
        building = (
            connection.execute("SELECT 1 FROM generations WHERE state = 'building'").fetchone() is not None
        )
        contents = Contents(live_fingerprint=None, building=building)
        return Loaded(revision=revision_of(connection), generation=None, articles=0, contents=contents)
    places, articles = _places(connection, live["id"])
    searchable = sum(status is ArticleStatus.ACTIVE for status, _ in places.values())
    return Loaded(
        revision=revision_of(connection),
        generation=live["id"],
        articles=articles,
        contents=Contents(
            live_fingerprint=live["fingerprint"], building=False, passages=len(places), searchable=searchable
        ),
        matrix=_matrix(connection, live["id"], places)
        if live["fingerprint"] == fingerprint
        else PassageMatrix(),
    )


def last_success_ms(connection: sqlite3.Connection) -> int | None:
    """Return when the last sync that ended without an error ended; None when there was none.

    Every turn asks, and runs are kept for ever: they are read from the newest on, and no further than needed.
    """
    found = connection.execute(
        """
        SELECT json_extract(document, '$.ended_ms') AS ended_ms FROM sync_runs
        WHERE json_extract(document, '$.error') = '' AND ended_ms IS NOT NULL ORDER BY rowid DESC LIMIT 1
        """
    ).fetchone()
    return None if found is None else int(found["ended_ms"])


def _places(
    connection: sqlite3.Connection, generation: str
) -> tuple[dict[PassageId, tuple[ArticleStatus, str]], int]:
    """Return each passage's status and locale, and the number of articles; retired ones do not count."""
    articles = connection.execute(
        "SELECT id, status, supersedes, locale FROM articles WHERE generation = ?", (generation,)
    ).fetchall()
    in_force = statuses_in_force(to_standings(articles))
    places = {
        row["id"]: (in_force[row["id"]], str(row["locale"]))
        for row in articles
        if in_force[row["id"]] is not ArticleStatus.RETIRED
    }
    passages = connection.execute("SELECT id, article_id FROM passages WHERE generation = ?", (generation,))
    return {PassageId(one): places[article] for one, article in passages if article in places}, len(places)


def _matrix(
    connection: sqlite3.Connection, generation: str, places: dict[PassageId, tuple[ArticleStatus, str]]
) -> PassageMatrix:
    ids, groups = grouped(places)
    stored = connection.execute("SELECT id, vector FROM passages WHERE generation = ?", (generation,))
    rows = _rows(ids, ((PassageId(one), vector) for one, vector in stored))
    row_of = {one: row for row, one in enumerate(ids)}
    return PassageMatrix(ids=ids, row_of=row_of, rows=rows, groups=groups)


def _rows(ids: tuple[PassageId, ...], stored: Iterable[tuple[PassageId, bytes]]) -> Floats:
    row_of = {one: row for row, one in enumerate(ids)}
    rows: Floats = np.empty((0, 0), dtype=np.float32)
    for one, vector in stored:
        row = row_of.get(one)
        if row is None:
            continue
        if not rows.size:
            rows = np.full((len(ids), len(vector) // STORED.itemsize), np.nan, dtype=np.float32)
        if len(vector) != rows.shape[1] * STORED.itemsize:
            raise RetrievalUnavailable(
                f"passage {one}: its stored vector is damaged; sync again into a new file"
            )
        rows[row] = np.frombuffer(vector, dtype=STORED)
    if not np.isfinite(rows).all():
        raise RetrievalUnavailable(
            "a stored vector has numbers that are not finite; sync again into a new file"
        )
    return rows

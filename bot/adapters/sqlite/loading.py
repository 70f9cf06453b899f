"""Reads a generation into memory, in one read transaction: what was published together is seen together."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.adapters.sqlite.matrix import STORED, Floats, PassageMatrix, Place, groups_of
from bot.adapters.sqlite.standings import standings
from bot.core.indexing import Contents, statuses_in_force
from bot.core.knowledge import ArticleId, ArticleStatus, PassageId
from bot.errors import RetrievalUnavailable

_LOCALES = """
SELECT m.article_id, v.locale FROM members m JOIN versions v ON v.number = m.version
WHERE m.generation = ? AND m.retired = 0
"""
_PASSAGES = """
SELECT p.id, p.number, p.digest, m.article_id FROM members m JOIN passages p ON p.version = m.version
WHERE m.generation = ? AND m.retired = 0
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The index as of one revision. The matrix is empty when the vectors are of another model."""

    revision: int
    generation: str | None
    articles: int
    contents: Contents
    matrix: PassageMatrix = field(default_factory=PassageMatrix)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncTimes:
    """When the last good sync ended, and how often one is due; None when there was none, or nobody said."""

    last_ms: int | None
    every_s: int | None


def revision_of(connection: sqlite3.Connection) -> int:
    """Return the number that grows with each change of what is searched."""
    revision: int = connection.execute("SELECT revision FROM kb_state").fetchone()[0]
    return revision


def sync_times(connection: sqlite3.Connection) -> SyncTimes:
    row = connection.execute("SELECT done_ms, interval_s FROM kb_state").fetchone()
    return SyncTimes(last_ms=row["done_ms"], every_s=row["interval_s"])


def load(connection: sqlite3.Connection, *, fingerprint: str) -> Loaded:
    """Return the live generation; RetrievalUnavailable when a stored vector is damaged."""
    live = connection.execute("SELECT id, fingerprint FROM generations WHERE state = 'live'").fetchone()
    if live is None:
        building = (
            connection.execute("SELECT 1 FROM generations WHERE state = 'building'").fetchone() is not None
        )
        contents = Contents(live_fingerprint=None, building=building)
        return Loaded(revision=revision_of(connection), generation=None, articles=0, contents=contents)
    places, articles = places_of(connection, live["id"])
    return Loaded(
        revision=revision_of(connection),
        generation=live["id"],
        articles=articles,
        contents=Contents(
            live_fingerprint=live["fingerprint"],
            building=False,
            passages=len(places),
            searchable=sum(place.status is ArticleStatus.ACTIVE for place in places),
        ),
        matrix=matrix_of(connection, fingerprint, places)
        if live["fingerprint"] == fingerprint
        else PassageMatrix(),
    )


def places_of(connection: sqlite3.Connection, generation: str) -> tuple[tuple[Place, ...], int]:
    """Return the generation's passages in the order of a matrix, and the number of its articles; retired ones do not count."""
    in_force = statuses_in_force(standings(connection, generation))
    locales = {ArticleId(one): str(locale) for one, locale in connection.execute(_LOCALES, (generation,))}
    rows = connection.execute(_PASSAGES, (generation,))
    places = (
        Place(in_force[article], locales[article], PassageId(one), number, digest, ArticleId(article))
        for one, number, digest, article in rows
    )
    return tuple(sorted(places)), len(locales)


def matrix_of(connection: sqlite3.Connection, fingerprint: str, places: Sequence[Place]) -> PassageMatrix:
    """Return the vectors of *places*, which are sorted; RetrievalUnavailable unless each has a sound one."""
    stored = connection.execute("SELECT digest, vector FROM vectors WHERE fingerprint = ?", (fingerprint,))
    rows = _rows(places, stored)
    if len(rows) != len(places) or not np.isfinite(rows).all():
        raise RetrievalUnavailable("a stored vector is lost or damaged; sync again into a new file")
    row_of = {place.number: row for row, place in enumerate(places)}
    return PassageMatrix(places=tuple(places), row_of=row_of, rows=rows, groups=groups_of(places))


def _rows(places: Sequence[Place], stored: Iterable[tuple[str, bytes]]) -> Floats:
    """Return one row a place, not numbers where none is stored. All vectors are read in the order of the file, which is faster than to look each up."""
    rows_of: defaultdict[str, list[int]] = defaultdict(list)
    for row, place in enumerate(places):
        rows_of[place.digest].append(row)
    rows: Floats = np.empty((0, 0), dtype=np.float32)
    for digest, vector in stored:
        if digest not in rows_of:
            continue
        if not rows.size:
            rows = np.full((len(places), len(vector) // STORED.itemsize), np.nan, dtype=np.float32)
        if len(vector) != rows.shape[1] * STORED.itemsize:
            raise RetrievalUnavailable("a stored vector is damaged; sync again into a new file")
        for row in rows_of[digest]:
            rows[row] = np.frombuffer(vector, dtype=STORED)
    return rows

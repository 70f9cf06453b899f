"""What a generation is asked before it goes live, by the same scan as a customer's search."""

import sqlite3
from collections.abc import Sequence

import numpy as np

from bot.adapters.sqlite.loading import matrix_of, places_of
from bot.adapters.sqlite.matrix import DECIMALS, PassageMatrix
from bot.core.indexing import evenly_spread
from bot.core.knowledge import ArticleId, ArticleStatus, PassageId, Vector
from bot.core.vectors import checked_query
from bot.errors import StoreUnavailable
from bot.sync_ports import Near


def nearest(
    connection: sqlite3.Connection, generation: str, vectors: Sequence[Vector], *, limit: int
) -> tuple[Near, ...]:
    row = connection.execute(
        "SELECT fingerprint FROM generations WHERE id = ? AND state <> 'old'", (generation,)
    ).fetchone()
    if row is None:
        raise StoreUnavailable(f"generation {generation} is gone; sync again")
    places, _ = places_of(connection, generation)
    matrix = matrix_of(connection, row["fingerprint"], places)
    articles = _ActiveArticles(matrix)
    return tuple(articles.nearest(vector, limit) for vector in vectors)


def sample_of(
    connection: sqlite3.Connection, generation: str, *, limit: int
) -> tuple[tuple[PassageId, ArticleId, str], ...]:
    """Return some passages of active articles with their articles and text digests."""
    places, _ = places_of(connection, generation)
    active = sorted(
        (place.article, place.passage, place.digest)
        for place in places
        if place.status is ArticleStatus.ACTIVE
    )
    return tuple((passage, article, digest) for article, passage, digest in evenly_spread(active, limit))


class _ActiveArticles:
    """The active rows of a matrix by their article."""

    def __init__(self, matrix: PassageMatrix) -> None:
        self._matrix = matrix
        self._groups = matrix.groups_of(frozenset({ArticleStatus.ACTIVE}))
        rows = [row for group in self._groups for row in range(group.start, group.stop)]
        self._ids = sorted({matrix.places[row].article for row in rows})
        place_of = {article: place for place, article in enumerate(self._ids)}
        self._article_of_row = np.array([place_of[matrix.places[row].article] for row in rows], dtype=np.intp)

    def nearest(self, vector: Vector, limit: int) -> Near:
        if not self._ids:
            return ()
        query = np.asarray(checked_query(vector, dimension=self._matrix.rows.shape[1]), dtype=np.float32)
        products = [self._matrix.rows[group.start : group.stop] @ query for group in self._groups]
        best = np.full(len(self._ids), -np.inf, dtype=np.float32)
        np.maximum.at(best, self._article_of_row, np.concatenate(products))
        rounded = [round(float(cosine), DECIMALS) for cosine in best]
        falling = sorted(zip(self._ids, rounded, strict=True), key=lambda pair: (-pair[1], pair[0]))
        return tuple(falling[:limit])

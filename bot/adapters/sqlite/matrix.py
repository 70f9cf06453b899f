"""The live passages' vectors as one contiguous matrix. Rows of one status and locale lie together.

So a filter chooses slices, and the product runs over exactly the passages that may be found, without a copy.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.core.knowledge import ArticleStatus, PassageId, Vector
from bot.core.vectors import checked_query

STORED = np.dtype("<f4")
DECIMALS = 6  # as many as float32 carries; equal vectors must score equal for the id to break the tie

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows of one status and locale."""

    status: ArticleStatus
    locale: str
    start: int
    stop: int

    @property
    def size(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A row that was found, and the facts that its group knows."""

    passage: PassageId
    cosine: float
    group: Group


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageMatrix:
    """Passage ids and vectors, row by row, and the groups that cover the rows in order."""

    ids: tuple[PassageId, ...] = ()
    row_of: Mapping[PassageId, int] = field(default_factory=dict)
    rows: Floats = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32))
    groups: tuple[Group, ...] = ()

    def groups_of(self, statuses: frozenset[ArticleStatus]) -> tuple[Group, ...]:
        return tuple(group for group in self.groups if group.status in statuses)

    def nearest(self, vector: Vector, groups: Sequence[Group], limit: int) -> list[Hit]:
        """Return the rows of *groups* with the greatest product with *vector*, greatest first, ties by passage id."""
        query = np.asarray(checked_query(vector, dimension=self.rows.shape[1]), dtype=np.float32)
        hits = [hit for group in groups for hit in self._best(group, query, limit)]
        return sorted(hits, key=lambda hit: (-hit.cosine, hit.passage))[:limit]

    def best(self, vector: Vector, groups: Sequence[Group], count: int) -> tuple[float, ...]:
        """Return the *count* greatest products of *vector* with rows of *groups*, falling."""
        return tuple(hit.cosine for hit in self.nearest(vector, groups, count))

    def holds(self, passage: PassageId, groups: Sequence[Group]) -> bool:
        """Return whether *passage* lies in one of *groups*."""
        row = self.row_of.get(passage)
        return row is not None and _group_of(row, groups) is not None

    def hits(self, vector: Vector, groups: Sequence[Group], passages: Iterable[PassageId]) -> list[Hit]:
        """Return those of *passages* that lie in *groups*, with their products with *vector*."""
        query = np.asarray(checked_query(vector, dimension=self.rows.shape[1]), dtype=np.float32)
        placed = (
            (one, row, _group_of(row, groups))
            for one in passages
            if (row := self.row_of.get(one)) is not None
        )
        return [
            Hit(passage=one, cosine=round(float(self.rows[row] @ query), DECIMALS), group=group)
            for one, row, group in placed
            if group is not None
        ]

    def _best(self, group: Group, query: Floats, limit: int) -> list[Hit]:
        scores = self.rows[group.start : group.stop] @ query
        rows = _greatest(scores, limit)
        cosines: list[float] = scores[rows].tolist()
        return [
            Hit(passage=self.ids[group.start + row], cosine=round(cosine, DECIMALS), group=group)
            for row, cosine in zip(rows.tolist(), cosines, strict=True)
        ]


def grouped(
    places: Mapping[PassageId, tuple[ArticleStatus, str]],
) -> tuple[tuple[PassageId, ...], tuple[Group, ...]]:
    """Return the passage ids in row order and their groups, from each passage's status and locale."""
    ids = tuple(sorted(places, key=lambda one: (*places[one], one)))
    starts = [row for row, one in enumerate(ids) if row == 0 or places[one] != places[ids[row - 1]]]
    stops = [*starts[1:], len(ids)]
    groups = (_group(places[ids[start]], start, stop) for start, stop in zip(starts, stops, strict=False))
    return ids, tuple(groups)


def to_bytes(vector: Vector) -> bytes:
    return np.asarray(vector, dtype=STORED).tobytes()


def to_vector(stored: bytes) -> Vector:
    return tuple(float(number) for number in np.frombuffer(stored, dtype=STORED).tolist())


def _group_of(row: int, groups: Sequence[Group]) -> Group | None:
    return next((group for group in groups if group.start <= row < group.stop), None)


def _group(place: tuple[ArticleStatus, str], start: int, stop: int) -> Group:
    return Group(status=place[0], locale=place[1], start=start, stop=stop)


def _greatest(scores: Floats, limit: int) -> NDArray[np.intp]:
    """Return the rows of the *limit* greatest scores and of all that tie with the last, in no order."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    last = np.partition(scores, -limit)[-limit]
    return np.flatnonzero(scores >= last - 10.0**-DECIMALS)

"""The live passages' vectors as one contiguous matrix. Rows of one status and locale lie together.

So a filter chooses slices, and the product runs over exactly the passages that may be found, without a copy.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.core.knowledge import ArticleId, ArticleStatus, PassageId, Vector
from bot.core.vectors import checked_query

STORED = np.dtype("<f4")
DECIMALS = 6  # as many as float32 carries; equal vectors must score equal for the id to break the tie

Floats = NDArray[np.float32]


class Place(NamedTuple):
    """A passage and where its row belongs; places sort as the rows lie. `number` is the passage's own in the file."""

    status: ArticleStatus
    locale: str
    passage: PassageId
    number: int
    digest: str
    article: ArticleId


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
    number: int
    cosine: float
    group: Group


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageMatrix:
    """Places and vectors, row by row, the row of each passage's number, and the groups that cover the rows in order."""

    places: tuple[Place, ...] = ()
    row_of: Mapping[int, int] = field(default_factory=dict)
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

    def holds(self, number: int, groups: Sequence[Group]) -> bool:
        """Return whether the passage of this number lies in one of *groups*."""
        row = self.row_of.get(number)
        return row is not None and _group_of(row, groups) is not None

    def passage(self, number: int) -> PassageId:
        """Return the id of the passage of this number."""
        return self.places[self.row_of[number]].passage

    def hits(self, vector: Vector, groups: Sequence[Group], numbers: Iterable[int]) -> list[Hit]:
        """Return the passages of these numbers that lie in *groups*, with their products with *vector*."""
        query = np.asarray(checked_query(vector, dimension=self.rows.shape[1]), dtype=np.float32)
        placed = (
            (row, _group_of(row, groups)) for one in numbers if (row := self.row_of.get(one)) is not None
        )
        return [
            self._hit(row, float(self.rows[row] @ query), group) for row, group in placed if group is not None
        ]

    def _best(self, group: Group, query: Floats, limit: int) -> list[Hit]:
        scores = self.rows[group.start : group.stop] @ query
        rows = _greatest(scores, limit)
        cosines: list[float] = scores[rows].tolist()
        return [
            self._hit(group.start + row, cosine, group)
            for row, cosine in zip(rows.tolist(), cosines, strict=True)
        ]

    def _hit(self, row: int, cosine: float, group: Group) -> Hit:
        place = self.places[row]
        return Hit(passage=place.passage, number=place.number, cosine=round(cosine, DECIMALS), group=group)


def groups_of(places: Sequence[Place]) -> tuple[Group, ...]:
    """Return the groups of *places*, which are sorted."""
    starts = [row for row, one in enumerate(places) if row == 0 or one[:2] != places[row - 1][:2]]
    stops = [*starts[1:], len(places)]
    return tuple(
        Group(status=places[start].status, locale=places[start].locale, start=start, stop=stop)
        for start, stop in zip(starts, stops, strict=False)
    )


def to_bytes(vector: Vector) -> bytes:
    return np.asarray(vector, dtype=STORED).tobytes()


def to_vector(stored: bytes) -> Vector:
    return tuple(float(number) for number in np.frombuffer(stored, dtype=STORED).tolist())


def _group_of(row: int, groups: Sequence[Group]) -> Group | None:
    return next((group for group in groups if group.start <= row < group.stop), None)


def _greatest(scores: Floats, limit: int) -> NDArray[np.intp]:
    """Return the rows of the *limit* greatest scores and of all that tie with the last, in no order."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    last = np.partition(scores, -limit)[-limit]
    return np.flatnonzero(scores >= last - 10.0**-DECIMALS)

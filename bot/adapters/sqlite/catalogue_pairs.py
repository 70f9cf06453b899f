"""Passages of active articles that lie close, in slices: between two of them a customer's search gets its turn on the thread."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.adapters.sqlite.knowledge_rows import to_passage
from bot.adapters.sqlite.loading import load
from bot.adapters.sqlite.matrix import DECIMALS, Floats, PassageMatrix
from bot.core.content import ComparedPassage, NearPair
from bot.core.knowledge import ArticleStatus

# Products in one slice, a few milliseconds: more would keep searches waiting, fewer cost more on the way to the thread.
AT_ONCE = 100_000

_TEXTS = """
SELECT p.number, p.id, v.id AS article_id, p.position, p.headings, p.text, p.embedded_text, v.title, v.url, v.last_modified_ms,
    v.number AS version
FROM passages p JOIN versions v ON v.number = p.version WHERE p.number IN (SELECT value FROM json_each(?))
"""
_BODIES = "SELECT number, body FROM versions WHERE number IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Rows from *start* to *stop* against all from *start* to *end*: every pair once."""

    start: int
    stop: int
    end: int


@dataclass(frozen=True, slots=True)
class Nearest:
    """The pairs of rows that are nearest so far, the nearest first, with their cosines."""

    left: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    right: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    cosines: Floats = field(default_factory=lambda: np.empty(0, dtype=np.float32))


def active_matrix(connection: sqlite3.Connection) -> PassageMatrix:
    """Return the live generation's vectors, whichever model embedded them: only their nearness to each other counts."""
    row = connection.execute("SELECT fingerprint FROM generations WHERE state = 'live'").fetchone()
    return PassageMatrix() if row is None else load(connection, fingerprint=row["fingerprint"]).matrix


def slices_of(matrix: PassageMatrix) -> Iterator[Slice]:
    """Cut the work to be done: within each language the rows of active articles, a few at a time."""
    for group in matrix.groups_of(frozenset({ArticleStatus.ACTIVE})):
        start = group.start
        while start < group.stop:
            stop = min(group.stop, start + max(1, AT_ONCE // (group.stop - start)))
            yield Slice(start=start, stop=stop, end=group.stop)
            start = stop


def articles_of(matrix: PassageMatrix) -> NDArray[np.intp]:
    """Return a number for each row, the same for rows of one article."""
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(place.article, len(numbers)) for place in matrix.places], dtype=np.intp
    )


def with_slice(
    nearest: Nearest,
    matrix: PassageMatrix,
    articles: NDArray[np.intp],
    some: Slice,
    *,
    least: float,
    limit: int,
) -> Nearest:
    """Add the pairs of a slice that are near, and keep at most *limit* of all."""
    products = matrix.rows[some.start : some.stop] @ matrix.rows[some.start : some.end].T
    left, right = np.nonzero(products >= least - 10.0**-DECIMALS)
    cosines = np.round(products[left, right], DECIMALS)
    left, right = left + some.start, right + some.start
    wanted = (left < right) & (articles[left] != articles[right]) & (cosines >= np.float32(least))
    return _kept(
        Nearest(
            np.concatenate((nearest.left, left[wanted])),
            np.concatenate((nearest.right, right[wanted])),
            np.concatenate((nearest.cosines, cosines[wanted])),
        ),
        limit,
    )


def read_pairs(
    connection: sqlite3.Connection, matrix: PassageMatrix, nearest: Nearest
) -> tuple[NearPair, ...]:
    """Return the pairs with their texts; a passage that is gone meanwhile leaves no pair."""
    rows = {int(row) for row in (*nearest.left, *nearest.right)}
    numbers = {row: matrix.places[row].number for row in rows}
    texts = _texts(connection, tuple(numbers.values()))
    together = zip(nearest.left.tolist(), nearest.right.tolist(), nearest.cosines.tolist(), strict=True)
    pairs = (
        _pair(texts[numbers[left]], texts[numbers[right]], cosine)
        for left, right, cosine in together
        if numbers[left] in texts and numbers[right] in texts
    )
    return tuple(sorted(pairs, key=lambda pair: (-pair.cosine, pair.left.passage.id, pair.right.passage.id)))


def _kept(nearest: Nearest, limit: int) -> Nearest:
    if len(nearest.cosines) <= limit:
        return nearest
    # The rows lie by passage id, so that ties are cut alike each time.
    order = np.lexsort((nearest.right, nearest.left, -nearest.cosines))[:limit]
    return Nearest(nearest.left[order], nearest.right[order], nearest.cosines[order])


def _pair(one: ComparedPassage, other: ComparedPassage, cosine: float) -> NearPair:
    left, right = sorted((one, other), key=lambda side: side.article_id)
    return NearPair(left=left, right=right, cosine=round(cosine, DECIMALS))


def _texts(connection: sqlite3.Connection, numbers: tuple[int, ...]) -> Mapping[int, ComparedPassage]:
    rows = connection.execute(_TEXTS, (json.dumps(numbers),)).fetchall()
    versions = json.dumps(sorted({row["version"] for row in rows}))
    bodies = {row["number"]: str(row["body"]) for row in connection.execute(_BODIES, (versions,))}
    return {
        row["number"]: ComparedPassage(
            passage=to_passage(row),
            title=row["title"],
            body=bodies[row["version"]],
            url=row["url"],
            last_modified_ms=row["last_modified_ms"],
        )
        for row in rows
    }

"""Passages of active articles that lie close, in slices: between two of them a customer's search gets its turn on the thread."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.adapters.sqlite.knowledge_rows import to_passage
from bot.adapters.sqlite.loading import places_of
from bot.adapters.sqlite.matrix import DECIMALS, Floats, PassageMatrix, Place
from bot.core.content import ComparedPassage, NearPair
from bot.core.knowledge import ArticleStatus

# Products in one slice, a few milliseconds: more would keep searches waiting, fewer cost more on the way to the thread.
AT_ONCE = 100_000
READ_AT_ONCE = 250  # passages with their articles

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


def live_places(connection: sqlite3.Connection) -> tuple[str, tuple[Place, ...]]:
    """Return the live generation's fingerprint, whichever model that is, and where its passages belong; none without one."""
    row = connection.execute("SELECT id, fingerprint FROM generations WHERE state = 'live'").fetchone()
    return ("", ()) if row is None else (row["fingerprint"], places_of(connection, row["id"])[0])


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


def numbers_of(matrix: PassageMatrix, nearest: Nearest) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of the passages that are in any pair, as many at once as are to be read at once."""
    rows = sorted({*nearest.left.tolist(), *nearest.right.tolist()})
    numbers = [matrix.places[row].number for row in rows]
    for start in range(0, len(numbers), READ_AT_ONCE):
        yield tuple(numbers[start : start + READ_AT_ONCE])


def read_texts(connection: sqlite3.Connection, numbers: Sequence[int]) -> Mapping[int, ComparedPassage]:
    """Return passages by their numbers; one that is gone meanwhile is left out."""
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


def pairs_of(
    matrix: PassageMatrix, nearest: Nearest, texts: Mapping[int, ComparedPassage]
) -> tuple[NearPair, ...]:
    """Return the pairs whose texts are both there, in the order of the port."""
    together = zip(nearest.left.tolist(), nearest.right.tolist(), nearest.cosines.tolist(), strict=True)
    found = (
        (matrix.places[left].number, matrix.places[right].number, cosine) for left, right, cosine in together
    )
    pairs = (
        _pair(texts[one], texts[other], cosine)
        for one, other, cosine in found
        if {one, other} <= texts.keys()
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

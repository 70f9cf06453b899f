"""Passages of active articles that lie close, out of the vectors of the live generation. It is slow, and runs on a thread of its own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

AT_ONCE = 512  # rows against all others in one product
DECIMALS = 6
Pair = tuple[int, int, float]


def near_rows(rows: Sequence[Mapping[str, Any]], *, least: float, limit: int) -> tuple[Pair, ...]:
    """Return the nearest pairs of rows of one locale and two articles, by their places in *rows*, at most *limit*."""
    found: list[Pair] = []
    for locale in sorted({row["locale"] for row in rows}):
        places = [place for place, row in enumerate(rows) if row["locale"] == locale]
        found += _near(rows, places, least=least)
    return tuple(sorted(found, key=lambda pair: (-pair[2], *_ids(rows, pair)))[:limit])


def _near(rows: Sequence[Mapping[str, Any]], places: Sequence[int], *, least: float) -> Iterable[Pair]:
    matrix = np.asarray([rows[place]["vector"] for place in places], dtype=np.float32)
    articles = [rows[place]["article_id"] for place in places]
    for start in range(0, len(places), AT_ONCE):
        cosines = np.round(matrix[start : start + AT_ONCE] @ matrix.T, DECIMALS)
        for row, column in np.argwhere(cosines >= np.float32(least)):
            one, other = int(row) + start, int(column)
            if one < other and articles[one] != articles[other]:
                yield places[one], places[other], round(float(cosines[row, column]), DECIMALS)


def _ids(rows: Sequence[Mapping[str, Any]], pair: Pair) -> tuple[str, str]:
    left, right = sorted((rows[pair[0]], rows[pair[1]]), key=lambda row: str(row["article_id"]))
    return str(left["_id"]), str(right["_id"])

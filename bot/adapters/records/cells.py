"""What comes out of a database, as cells that can be told and kept: bounded, and nothing that a JSON document could not hold. Pure."""

import json
import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

from bot.core.records import Cell

MOST_ROWS = 50
LONGEST_CELL = 500  # characters
MOST_CHARACTERS = 30_000


def shown(found: Sequence[Sequence[object]]) -> tuple[tuple[Cell, ...], ...]:
    """Return the first rows, as many as may be shown."""
    return tuple(_bounded(tuple(map(to_cell, row)) for row in found[:MOST_ROWS]))


def _bounded(rows: Iterable[tuple[Cell, ...]]) -> Iterable[tuple[Cell, ...]]:
    left = MOST_CHARACTERS
    for row in rows:
        left -= sum(len(str(cell)) for cell in row)
        if left < 0:
            return
        yield row


def to_cell(value: object) -> Cell:
    """Return a value of a database as a cell."""
    match value:
        case None | bool() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case str():
            return _short(value)
        case _:
            return _short(_text(value))


def _text(value: object) -> str:
    match value:
        case Decimal() if value.is_finite():
            return format(value, "f")
        case datetime() | date() | time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return "(binary)"
        case dict() | list() | tuple():
            return json.dumps(value, default=str, ensure_ascii=False)
        case _:
            return str(value)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"

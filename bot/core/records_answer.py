"""An answer made from rows: whether a model's words about them hold, and the table that is shown where they do not. Pure.

Every figure of the words must stand in the rows, or be how many there are, and every row must be told: nothing may be added to what
was found, and nothing of it passed over.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from bot.core.facts import (
    CURRENCIES,
    Figure,
    emails_in,
    figures_in,
    figures_known_from,
    links_in,
    measures_in,
    numbers_in,
    placed_figures,
    without_step_numbers,
)
from bot.core.hidden import HIDING, hidden_in, internal_in, markup_in, reveals
from bot.core.markdown import sentences_of
from bot.core.promises import promises_person
from bot.core.records import Cell, Rows
from bot.core.rules import Rules, is_refusal_echo

NOTHING = "–"  # noqa: RUF001 - what an empty cell shows
YES, NO = "✓", "✗"
_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?"
)
_MARKS = re.compile(r"([\\`*_\[\]<>|~#!])")


def found_nothing(rows: Rows) -> bool:
    """Whether a statement found nothing at all; so did one that sums up no rows."""
    return all(cell is None for row in rows.rows for cell in row)


def unfounded(text: str, rows: Rows, rules: Rules, *, secrets: Sequence[str] = ()) -> str | None:
    """Return what of a model's words the rows do not hold, or what no answer may; None when they can be shown."""
    if not text.strip():
        return "nothing was written"
    if reveals(text, secrets) or hidden_in(text) or markup_in(text) or internal_in(text):
        return "it holds what no customer may see"
    if is_refusal_echo(text, rules) or any(map(promises_person, sentences_of(text))):
        return "it says that nothing was found, or promises a person"
    known = _Known(rows=rows)
    strange = (links_in(text) - links_in(known.text)) | (emails_in(text) - emails_in(known.text))
    if strange:
        return ", ".join(sorted(strange))
    if not all(_is_told(row, text) for row in rows.rows):
        return "it passes over a row"
    return next(_unknown_figures(without_step_numbers(text), known), None)


def table_of(rows: Rows) -> str:
    """Return the rows as a Markdown table."""
    head = [_escaped(column.replace("_", " ").strip().capitalize()) for column in rows.columns]
    lines = [head, ["---"] * len(head), *([_shown(cell) for cell in row] for row in rows.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def is_cut(rows: Rows) -> bool:
    """Whether only the first of what there is were read."""
    return rows.total is not None and rows.total > len(rows.rows)


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What rows state: their figures with their units, their numbers alone, and all of their words."""

    rows: Rows

    @cached_property
    def cells(self) -> tuple[str, ...]:
        return tuple(_plain(cell) for row in self.rows.rows for cell in row if cell is not None)

    @cached_property
    def text(self) -> str:
        return "\n".join((*(column.replace("_", " ") for column in self.rows.columns), *self.cells))

    @cached_property
    def counts(self) -> frozenset[str]:
        return frozenset(str(count) for count in (len(self.rows.rows), self.rows.total) if count is not None)

    @cached_property
    def figures(self) -> frozenset[str]:
        stated = frozenset(fact for cell in self.cells for fact in figures_known_from(cell))
        return stated | self.counts | frozenset(form for cell in self.cells for form in _said_of_date(cell))

    @cached_property
    def numbers(self) -> frozenset[str]:
        alone = (numbers_in(cell) for cell in self.cells if not _ISO.fullmatch(cell))
        return self.counts.union(*alone)


def _unknown_figures(text: str, known: _Known) -> Iterator[str]:
    words, figures = placed_figures(text)
    measures = {(figure.start, figure.end) for figure in measures_in(text)[1]}
    for figure in figures:
        if figure.fact in known.figures:
            continue
        # A column's number gets its unit from the column's name: "90" of "minutes" is "90 minutes".
        is_measure = (figure.start, figure.end) in measures and _has_its_currency(figure, known)
        if not is_measure or not numbers_in(words[figure.start : figure.end]) <= known.numbers:
            yield figure.fact


def _has_its_currency(figure: Figure, known: _Known) -> bool:
    forms = next((forms for sign, forms in CURRENCIES.items() if figure.fact.startswith(sign)), None)
    return forms is None or re.search(rf"(?<!\w)(?:{forms})(?!\w)", known.text.casefold()) is not None


def _said_of_date(cell: str) -> Iterator[str]:
    """Yield every way in which the facts of a text can state this date and time; in no other way is one a date."""
    read = _ISO.fullmatch(cell)
    if read is None:
        return
    year, month, day = (int(part) for part in read.group(1, 2, 3))
    yield from _days(cell)
    yield from (f"{year}", f"month {month}: {year}")
    if read[4]:
        yield f"{int(read[4])}:{read[5]}"
        yyyy, mm, dd, hh = read.group(1, 2, 3, 4)
        # A day and the hour behind it look like a phone number.
        for digits in (yyyy + mm + dd, dd + mm + yyyy, mm + dd + yyyy):
            yield f"phone {digits}{hh}"
    try:
        yield f"weekday {date(year, month, day).isoweekday()}"
    except ValueError:  # no day of any month
        return


def _days(cell: str) -> Iterator[str]:
    """Yield every way in which the facts of a text can state the day of this date."""
    read = _ISO.fullmatch(cell)
    if read is None:
        return
    year, month, day = (int(part) for part in read.group(1, 2, 3))
    yield f"month {month}: {day}"
    for of_year in (year, year % 100):
        yield from (f"{day}/{month}/{of_year}", f"{month}/{day}/{of_year}", f"{of_year}/{month}/{day}")


def _is_told(row: Sequence[Cell], text: str) -> bool:
    """Whether words state anything of a row."""
    cells = [_plain(cell) for cell in row if cell is not None]
    return not cells or any(_is_stated(cell, text) for cell in cells)


def _is_stated(cell: str, text: str) -> bool:
    if cell.casefold() in text.casefold():
        return True
    if _ISO.fullmatch(cell):
        return not figures_in(text).isdisjoint(_days(cell))
    return not numbers_in(cell).isdisjoint(numbers_in(text) | figures_known_from(text))


def _plain(cell: Cell) -> str:
    return str(cell)


def _shown(cell: Cell) -> str:
    if cell is None:
        return NOTHING
    if isinstance(cell, bool):
        return YES if cell else NO
    read = _ISO.fullmatch(str(cell))
    if read and read[4]:
        year, month, day, hour, minute = read.group(1, 2, 3, 4, 5)
        zone = f" {read[6]}" if read[6] else ""
        return f"{year}-{month}-{day} {hour}:{minute}{zone.replace('Z', 'UTC').replace('+00:00', 'UTC')}"
    return _escaped(str(cell)) or NOTHING


def _escaped(text: str) -> str:
    """Return *text* on one line, with nothing in it that Markdown would take for a mark."""
    visible = "".join(char for char in text if char not in HIDING)
    return _MARKS.sub(r"\\\1", " ".join(visible.split()))

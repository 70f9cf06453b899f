"""The text of a CSV or TSV export to records. What cannot be read becomes a problem with its line. Pure but for the reader's limit."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

from kb_sync.sources.export_records import Record
from kb_sync.sources.source import Problem

_LONGEST_CELL = 16_000_000
_SPREADSHEETS_CELL = 32_767  # Excel cuts what is longer without a word
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_BODIES = ("body", "text")
_AGAIN = "export it again"
_SAID = {
    "unexpected end of data": "ends within a quoted cell",
    "field larger than": f"has a cell of more than {_LONGEST_CELL:,} characters",
    "expected after": "has text after a cell's closing quotation mark",
}

Row = tuple[int, list[str]]


def table_to_records(text: str, name: str, delimiter: str) -> Iterator[Record | Problem]:
    """Yield the record of each row below the header; a problem with the header ends it."""
    problem = _separation_problem(text, name, delimiter)
    if problem is not None:
        yield problem
        return
    rows = _rows(text, name, delimiter)
    first = next(rows, None)
    if first is None or isinstance(first, Problem):
        yield from () if first is None else (first,)
        return
    header = [cell.strip().lower() for cell in first[1]]
    problem = _header_problem(header, f"{name}:{first[0]}")
    if problem is not None:
        yield problem
        return
    for row in rows:
        yield row if isinstance(row, Problem) else _record(header, row, name)


def _rows(text: str, name: str, delimiter: str) -> Iterator[Row | Problem]:
    """Yield rows that are not blank with the line where each begins; a row that cannot be read is the last."""
    before = csv.field_size_limit(_LONGEST_CELL)  # the limit is the whole process's
    line = 1
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as exc:
        said = next((said for sign, said in _SAID.items() if sign in str(exc)), f"cannot be read ({exc})")
        yield Problem(origin=f"{name}:{line}", problem=said, remedy=_AGAIN)
    finally:
        csv.field_size_limit(before)


def _header_problem(header: Sequence[str], origin: str) -> Problem | None:
    twice = [cell for cell, count in Counter(header).items() if cell and count > 1]
    if twice:
        return Problem(
            origin=origin, problem=f"its header names {twice[0]} twice", remedy="rename one of the columns"
        )
    if "id" not in header:
        return Problem(
            origin=origin,
            problem="its header names no id",
            remedy="let the first line name the columns: id, title, body, …",
        )
    if not any(name in header for name in _BODIES):
        return Problem(
            origin=origin, problem="its header names no body", remedy="name the column of the texts `body`"
        )
    return None


def _separation_problem(text: str, name: str, delimiter: str) -> Problem | None:
    """Return a problem when the first line names an id only if its cells are separated by something else."""
    lines = enumerate(text.splitlines(), start=1)
    number, line = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    found = [sign for sign in _DELIMITERS if "id" in (cell.strip(' "').lower() for cell in line.split(sign))]
    if not found or delimiter in found:
        return None
    return Problem(
        origin=f"{name}:{number}",
        problem=f"its cells are separated by {_DELIMITERS[found[0]]}",
        remedy=f"separate them by {_DELIMITERS[delimiter]}",
    )


def _record(header: Sequence[str], row: Row, name: str) -> Record | Problem:
    line, cells = row
    origin = f"{name}:{line}"
    if len(cells) != len(header):
        said = f"has {len(cells)} cells, and its header names {len(header)}"
        return Problem(origin=origin, problem=said, remedy="quote cells that hold separators or line breaks")
    for field, cell in zip(header, cells, strict=True):
        if len(cell) == _SPREADSHEETS_CELL:
            said = f"its {field} is {len(cell):,} characters long, where a spreadsheet cuts a cell off"
            return Problem(origin=origin, problem=said, remedy="export it as JSONL")
    fields = {field: cell for field, cell in zip(header, cells, strict=True) if field and cell.strip()}
    return Record(origin=origin, fields=fields)

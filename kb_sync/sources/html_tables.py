"""Rows and cells of an HTML table as a table of Markdown; a table that only places things on the page is none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bs4 import Tag

_WIDEST = 64  # columns
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What a cell holds, and over how many columns and rows it stretches."""

    text: str
    columns: int = 1
    rows: int = 1


def table_of(rows: Sequence[Sequence[Cell]]) -> str:
    """Return the table with its first row as the heading, because Markdown has no table without one."""
    lines = _lines(rows)
    if not lines:
        return ""
    width = max(len(line) for line in lines)
    table = [f"| {' | '.join(_escaped([*line, *[''] * (width - len(line))]))} |" for line in lines]
    table.insert(1, "|---" * width + "|")
    return "\n".join(table)


def _escaped(texts: Sequence[str]) -> Iterator[str]:
    return (_PIPE.sub(r"\|", text) for text in texts)


def inner_table_of(rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table within a cell as text."""
    return "; ".join(", ".join(text for text in line if text) for line in _lines(rows))


def _lines(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Put each cell into its columns, one that stretches over rows into each; rows without text are left out."""
    lines: list[list[str]] = []
    reaching: dict[int, Cell] = {}  # cells from above by column, and how many rows they still reach down
    for row in rows:
        line: list[str] = []
        below: dict[int, Cell] = {}
        for cell in _placed(row, reaching):
            if cell.rows > 1:
                rest = Cell(text=cell.text, columns=cell.columns, rows=cell.rows - 1)
                below[len(line)] = rest
            line.extend([cell.text, *[""] * (cell.columns - 1)])
        reaching = below
        if any(line) and any(
            cell.text for cell in row
        ):  # a row that only reaches down from above says nothing new
            lines.append(line)
    return lines


def _placed(row: Sequence[Cell], reaching: dict[int, Cell]) -> Iterator[Cell]:
    """Yield the row's cells with those that reach down into it from above."""
    column = 0
    own = list(reversed(row))
    while column < _WIDEST and (own or any(at >= column for at in reaching)):
        cell = reaching.get(column) or (own.pop() if own else Cell(text=""))
        columns = min(cell.columns, _WIDEST - column)
        yield Cell(text=cell.text, columns=columns, rows=cell.rows)
        column += columns


def open_layouts(root: Tag) -> None:
    """Turn tables of one column, and those that say they are layout, into plain blocks."""
    for table in root.find_all("table"):
        rows = list(_own(table, "tr"))
        widths = [len(list(_own(row, "td", "th"))) for row in rows]
        has_heading = any(cell.name == "th" for row in rows for cell in _own(row, "th"))
        if table.get("role") in {"presentation", "none"} or (max(widths, default=0) <= 1 and not has_heading):
            for part in (table, *_own(table, "thead", "tbody", "tfoot"), *rows):
                part.name = "div"
            for row in rows:
                for cell in _own(row, "td", "th"):
                    cell.name = "div"


def _own(tag: Tag, *names: str) -> Iterator[Tag]:
    """Yield the elements of these names that belong to *tag* and not to a table within it, in their order."""
    waiting = [child for child in reversed(tag.contents) if isinstance(child, Tag)]
    while waiting:
        found = waiting.pop()
        if found.name in names:
            yield found
        if found.name not in {"table", "td", "th"}:
            waiting.extend(child for child in reversed(found.contents) if isinstance(child, Tag))

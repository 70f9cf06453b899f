"""A question about the customer's own records: how it is to be answered, what was asked of the database, and what came back. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

# Dates and times are ISO text; decimals are text too, which keeps their digits.
Cell = str | int | float | bool | None


class Route(StrEnum):
    """Where the answer to a question about records is looked for."""

    ARTICLES = "articles"
    RECORDS = "records"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a question is to be answered; `sql` is one SELECT where the records are asked, None for articles alone."""

    route: Route
    sql: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a view, as the planner is told of it; `type` is the database's own word."""

    name: str
    type: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What may be asked of: the rows of one customer, whoever asks."""

    name: str
    description: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsSchema:
    """All that may stand in a statement: declared views and the names of allowed functions. `dialect` is sqlglot's name of it."""

    dialect: str
    views: tuple[View, ...]
    functions: frozenset[str] = frozenset()
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What a statement found. `total` is how many there are where only the first were read; None where these are all."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One attempt, as the evidence keeps it: `error` is what the parser or the database said, `rows` how many were found."""

    sql: str
    ms: float
    error: str | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsSeen:
    """What a turn did with the customer's records; `route` is what the last plan chose, None where none was made."""

    statements: tuple[Statement, ...] = ()
    route: Route | None = None
    model: str | None = None
    prompt_digest: str | None = None


def described(schema: RecordsSchema) -> str:
    """Return what a planner is told of the records: the dialect, the views and what they hold, and what may stand in a statement."""
    views = (
        "\n".join((f"View {view.name}: {view.description}", *map(_column, view.columns)))
        for view in schema.views
    )
    functions = ", ".join(sorted(schema.functions)) or "none"
    parts = (f"Dialect: {schema.dialect}", *views, f"Functions that may be used: {functions}", schema.notes)
    return "\n\n".join(part for part in parts if part.strip())


def _column(column: Column) -> str:
    return f"- {column.name} ({column.type}): {column.description}".rstrip(": ")


def failed_statement(statements: Iterable[Statement]) -> Statement | None:
    """Return the newest statement that was rejected; None when none was."""
    return next((one for one in reversed(tuple(statements)) if one.error is not None), None)

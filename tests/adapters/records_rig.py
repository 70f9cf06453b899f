"""The sample's records of one customer among others, in either database, with or without the parser's wall."""

import sqlite3
from collections.abc import Mapping
from datetime import date
from functools import cache

from bot.adapters.records.description import load_description
from bot.core.customers import Subject
from bot.core.records import RecordsSchema
from bot.sample import records as sample

TODAY = date(2026, 11, 30)
SUBJECT = Subject(sample.DEMO_CUSTOMER)
OTHER = "customer-1002"

DESCRIPTION = load_description(sample.DESCRIPTION)
SCHEMAS: Mapping[str, RecordsSchema] = {
    dialect: DESCRIPTION.schema(dialect) for dialect in ("postgres", "sqlite")
}
_TABLES = {"lessons": "lesson", "packages": "package", "payments": "payment"}


def no_wall(sql: str, _schema: RecordsSchema) -> str:
    """Let whatever comes through, as if the parser had been fooled."""
    return sql


def columns_of(view: str) -> tuple[str, ...]:
    """Return the names of a view's columns."""
    (found,) = (one for one in SCHEMAS["sqlite"].views if one.name == view)
    return tuple(column.name for column in found.columns)


def rows_of(subject: str, view: str, today: date = TODAY) -> list[dict[str, object]]:
    """Return a customer's rows by a plain filter."""
    rows = sample.rows_around(today)[_TABLES[view]]
    return [
        dict(zip(columns_of(view), (cell for cell in row if cell != subject), strict=True))
        for row in rows
        if subject in row
    ]


@cache
def numbers_of_others() -> frozenset[str]:
    """Return what stands in other customers' rows alone: the numbers of their lessons and receipts."""
    return frozenset(
        str(row[name])
        for subject in sample.CUSTOMERS
        if subject != SUBJECT
        for view, name in (("lessons", "number"), ("payments", "receipt"))
        for row in rows_of(subject, view)
    )


def planted_sqlite() -> sqlite3.Connection:
    """Return an SQLite database that holds all customers' rows."""
    connection = sqlite3.connect(":memory:")
    for name, rows in sample.rows_around(TODAY).items():
        connection.execute(sample.TABLES[name])
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - our own tables
    connection.commit()
    return connection

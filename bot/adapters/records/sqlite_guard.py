"""SQLite's own wall: what a connection may touch, how long it may work, how large a thing may grow."""

import sqlite3
import time

from bot.core.records import RecordsSchema

_LARGEST = 1_000_000  # bytes of a text, and of a row
_STEPS = 2_000  # of SQLite's own machine between two looks at the clock
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 20_000),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 10),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
)
_OPERATORS = frozenset(
    {"like", "current_date", "current_time", "current_timestamp"}
)  # they are functions to it


def bounded(connection: sqlite3.Connection, deadline_s: float) -> None:
    """End what works past *deadline_s* of the monotonic clock, and write nothing."""
    connection.execute("PRAGMA query_only = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
    connection.set_progress_handler(lambda: time.monotonic() > deadline_s, _STEPS)


def guarded(copies: sqlite3.Connection, schema: RecordsSchema, deadline_s: float) -> None:
    """Let *copies* be read, and nothing else be done with the connection from here on."""
    copies.commit()
    bounded(copies, deadline_s)
    for limit, most in _LIMITS:
        copies.setlimit(limit, most)
    views = frozenset(view.name for view in schema.views)
    functions = schema.functions | _OPERATORS

    def authorized(action: int, first: str | None, second: str | None, *_where: str | None) -> int:
        match action:
            case sqlite3.SQLITE_SELECT:
                return sqlite3.SQLITE_OK
            case sqlite3.SQLITE_READ if first in views:
                return sqlite3.SQLITE_OK
            case sqlite3.SQLITE_FUNCTION if (second or "").lower() in functions:
                return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    copies.set_authorizer(authorized)

"""The tables of the file, as an ordered list of migrations; `PRAGMA user_version` counts those applied."""

import sqlite3
from collections.abc import Iterator, Sequence

from bot.adapters.sqlite.customer_tables import ATTACHMENTS, CUSTOMERS, RATINGS
from bot.adapters.sqlite.desk_tables import DESK
from bot.adapters.sqlite.erasure_tables import ERASURE
from bot.adapters.sqlite.knowledge_tables import GENERATIONS
from bot.adapters.sqlite.revision_tables import REVISIONS
from bot.adapters.sqlite.slack_tables import SLACK
from bot.adapters.sqlite.tables import NOTES, SPENDING, TABLES, WORDS

MIGRATIONS: tuple[str, ...] = (
    TABLES, NOTES, SPENDING, WORDS, DESK, CUSTOMERS, RATINGS, ATTACHMENTS, ERASURE, GENERATIONS, SLACK,
    REVISIONS,
)  # fmt: skip
VERSION = len(MIGRATIONS)


def version_of(connection: sqlite3.Connection) -> int:
    """Return how many migrations the file has had; 0 for a new one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> tuple[int, int]:
    """Apply what is missing; return the versions before and after.

    All in one transaction, so that nobody who opens a new file while it is made sees one of an older version. The version is
    read again under the lock, so that two processes that start at once apply each migration once.
    """
    before = version_of(connection)
    if before < len(migrations):
        _apply_missing(connection, migrations)
    return before, version_of(connection)


def _apply_missing(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for migration in migrations[version_of(connection) :]:
            for statement in _statements(migration):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations):d}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _statements(script: str) -> Iterator[str]:
    """Cut *script* into statements; `executescript` would commit before it runs, and lose the lock."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""

"""Records of an SQLite database: one customer's rows are copied into memory, and a statement sees nothing but the copies."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from bot.adapters.records.cells import MOST_ROWS, shown
from bot.adapters.records.description import DescribedView, Description
from bot.adapters.records.limits import Limits, Wall
from bot.adapters.records.sqlite_guard import bounded, guarded
from bot.adapters.records.wall import allowed
from bot.core.customers import Subject
from bot.core.records import RecordsSchema, Rows
from bot.errors import Misconfigured, RecordsUnavailable, StatementRejected

Source = Callable[[], sqlite3.Connection]
Result = TypeVar("Result")


def read_only(file: Path) -> sqlite3.Connection:
    """Open a database that is there already, for reading alone."""
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


class SqliteRecords:
    """Asks a source that is opened anew for every question, on threads of its own."""

    def __init__(
        self,
        source: Source,
        description: Description,
        threads: ThreadPoolExecutor,
        *,
        wall: Wall = allowed,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._source = source
        self._description = description
        self._threads = threads
        self._wall = wall
        self._limits = limits
        self._schema = description.schema("sqlite")

    @property
    def schema(self) -> RecordsSchema:
        """Return what may be asked of."""
        return self._schema

    async def query(self, sql: str, *, subject: Subject) -> Rows:
        """Return what one SELECT finds among the copies of the customer's rows."""
        written = self._wall(sql, self._schema)
        return await self._threaded(partial(self._asked, written, subject))

    async def ping(self) -> None:
        """Raise RecordsUnavailable unless the source can be read."""
        await self._threaded(self._verified)

    async def verify(self) -> None:
        """Raise Misconfigured unless every view can be selected and has its columns; RecordsUnavailable."""
        await self._threaded(self._verified)

    async def _threaded(self, work: Callable[[], Result]) -> Result:
        try:
            async with asyncio.timeout(self._limits.patience_s):
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except TimeoutError as exc:
            raise RecordsUnavailable("the records did not answer in time") from exc

    def _asked(self, written: str, subject: Subject) -> Rows:
        deadline_s = time.monotonic() + self._limits.statement_s
        with closing(sqlite3.connect(":memory:")) as copies:
            self._copy(copies, subject, deadline_s)
            guarded(copies, self._schema, deadline_s)
            try:
                return _read(copies, written)
            except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as exc:
                raise _said(exc) from exc

    def _copy(self, copies: sqlite3.Connection, subject: Subject, deadline_s: float) -> None:
        try:
            with closing(self._source()) as source:
                bounded(source, deadline_s)
                left = self._limits.copied_rows
                for view in self._description.views:
                    left -= _copied(source, copies, view, subject=subject, most=left)
        except (sqlite3.Error, MemoryError) as exc:
            raise RecordsUnavailable(f"the records cannot be read: {exc}") from exc

    def _verified(self) -> None:
        try:
            with closing(self._source()) as source:
                bounded(source, time.monotonic() + self._limits.statement_s)
                source.execute("SELECT count(*) FROM sqlite_master").fetchone()
                for view in self._description.views:
                    _require_columns(source, view)
        except sqlite3.Error as exc:
            raise RecordsUnavailable(f"the records cannot be read: {exc}") from exc


def _require_columns(source: sqlite3.Connection, view: DescribedView) -> None:
    try:
        found = source.execute(view.select, {"customer": ""})
    except sqlite3.OperationalError as exc:
        raise Misconfigured(
            f"the SELECT of the view {view.view.name} fails ({exc}); correct it in RECORDS_DESCRIPTION"
        ) from exc
    _places(found, view)


def _places(found: sqlite3.Cursor, view: DescribedView) -> Sequence[int]:
    """Return where each declared column stands among those that were selected."""
    names = [column[0] for column in found.description]
    missing = [column.name for column in view.view.columns if column.name not in names]
    if missing:
        raise Misconfigured(
            f"the SELECT of the view {view.view.name} has no column {missing[0]}; add it in RECORDS_DESCRIPTION"
        )
    return [names.index(column.name) for column in view.view.columns]


def _copied(
    source: sqlite3.Connection,
    copies: sqlite3.Connection,
    view: DescribedView,
    *,
    subject: Subject,
    most: int,
) -> int:
    """Copy the rows of one view; half of a customer's rows would make a wrong answer, so too many are none."""
    found = source.execute(view.select, {"customer": subject})
    try:
        places = _places(found, view)
    except Misconfigured as exc:
        raise RecordsUnavailable(str(exc)) from exc
    rows = found.fetchmany(most + 1)
    if len(rows) > most:
        raise RecordsUnavailable("the customer has more records than can be looked through")
    columns = ", ".join(f'"{column.name}" {column.type}' for column in view.view.columns)
    copies.execute(f'CREATE TABLE "{view.view.name}" ({columns})')
    marks = ", ".join("?" * len(places))
    copies.executemany(
        f'INSERT INTO "{view.view.name}" VALUES ({marks})',  # noqa: S608 - plain names, checked when they were read
        ([row[place] for place in places] for row in rows),
    )
    return len(rows)


def _read(copies: sqlite3.Connection, written: str) -> Rows:
    cursor = copies.execute(written)
    if cursor.description is None:
        raise StatementRejected("the statement is not one that returns rows")
    found = cursor.fetchmany(MOST_ROWS + 1)
    rows = shown(found)
    return Rows(
        columns=tuple(column[0] for column in cursor.description),
        rows=rows,
        total=None if len(rows) == len(found) else _counted(copies, written),
    )


def _counted(copies: sqlite3.Connection, written: str) -> int:
    count: int = copies.execute(f"SELECT count(*) FROM (\n{written}\n)").fetchone()[0]  # noqa: S608 - the same statement
    return count


def _said(exc: Exception) -> Exception:
    """A statement that took too long says nothing of whether it is right."""
    if isinstance(exc, MemoryError) or getattr(exc, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return RecordsUnavailable("the statement took too long")
    return StatementRejected(str(exc))


@asynccontextmanager
async def opened_sqlite(
    source: Source,
    description: Description,
    *,
    wall: Wall = allowed,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> AsyncIterator[SqliteRecords]:
    """Open records whose threads end with it, though one that still works is not waited for."""
    threads = ThreadPoolExecutor(limits.at_once, thread_name_prefix="records")
    try:
        yield SqliteRecords(source, description, threads, wall=wall, limits=limits)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)

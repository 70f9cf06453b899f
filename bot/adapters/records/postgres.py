"""Records of a PostgreSQL database: one connection and one read-only transaction for each question, rolled back in the end.

The database itself refuses other customers' rows and writes; see `postgres_ddl`.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import psycopg
from psycopg import AsyncConnection, IsolationLevel, sql
from psycopg.types.string import TextLoader

from bot.adapters.records.cells import MOST_ROWS, shown
from bot.adapters.records.description import Description
from bot.adapters.records.limits import Limits, Wall
from bot.adapters.records.postgres_ddl import SCHEMA
from bot.adapters.records.postgres_fit import require_fit
from bot.adapters.records.wall import allowed
from bot.core.customers import Subject
from bot.core.records import RecordsSchema, Rows
from bot.errors import Misconfigured, RecordsUnavailable, StatementRejected

Result = TypeVar("Result")
_FAREWELL_S = 1.0
# Classes of errors that say nothing of whether a statement is right: connection, resources, intervention, system, a serialization.
_NOT_ITS_FAULT = ("08", "53", "57", "58", "XX", "40", "55", "F0")


class PostgresRecords:
    """Asks as a role that may read the declared views and nothing else; whether it is so is looked at before the first question."""

    def __init__(
        self,
        address: str,
        description: Description,
        *,
        wall: Wall = allowed,
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._address = address
        self._description = description
        self._wall = wall
        self._limits = limits
        self._schema = description.schema("postgres")
        self._turn = asyncio.Semaphore(limits.at_once)
        self._is_fit = False
        self._working: set[asyncio.Task[object]] = set()

    @property
    def schema(self) -> RecordsSchema:
        """Return what may be asked of."""
        return self._schema

    async def query(self, sql: str, *, subject: Subject) -> Rows:
        """Return what one SELECT finds among the customer's rows."""
        return await self._within(self._asked(self._wall(sql, self._schema), subject))

    async def ping(self) -> None:
        """Raise RecordsUnavailable unless the database answers, and is as it must be or was so before."""
        await self._within(self._pinged())

    async def verify(self) -> None:
        """Raise Misconfigured unless views and role are as `records ddl` makes them; RecordsUnavailable when it is down."""
        self._is_fit = False
        await self._within(self._verified())

    async def _within(self, work: Coroutine[None, None, Result]) -> Result:
        """Wait no longer than we have patience, even for a connection that does not hear that we gave up."""
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._ended)
        try:
            await asyncio.wait({task}, timeout=self._limits.patience_s)
        finally:
            if not task.done():
                task.cancel()  # the driver tells the server first, and waits for what it says
                asyncio.get_running_loop().call_later(_FAREWELL_S, task.cancel)
        if not task.done():
            raise RecordsUnavailable("the records' database does not answer in time")
        return task.result()

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be waiting for it any more

    async def _asked(self, written: str, subject: Subject) -> Rows:
        async with self._opened() as connection:
            await self._require_fit(connection)
            await connection.execute("SELECT candor.enter(%s::text)", [subject])
            with _its_own_words():
                return await _read(connection, written)

    async def _pinged(self) -> None:
        async with self._opened() as connection:
            await self._require_fit(connection)

    async def _verified(self) -> None:
        async with self._opened() as connection:
            await require_fit(connection, self._schema)
        self._is_fit = True

    async def _require_fit(self, connection: AsyncConnection) -> None:
        """Look whether it is as it must be, once: a database that was down at the start was not looked at."""
        if self._is_fit:
            return
        try:
            await require_fit(connection, self._schema)
        except Misconfigured as exc:
            raise RecordsUnavailable(str(exc)) from exc
        self._is_fit = True

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection in a transaction that can only read. Closing it ends the transaction, whatever became of it."""
        try:
            async with self._turn:
                connection = await self._connected()
                try:
                    await self._bound(connection)
                    yield connection
                finally:
                    await connection.close()
        except psycopg.Error as exc:
            raise RecordsUnavailable(f"the records' database does not answer: {_first_line(exc)}") from exc

    async def _connected(self) -> AsyncConnection:
        connection = await AsyncConnection.connect(
            self._address, connect_timeout=self._limits.connect_s, application_name="candor"
        )
        await connection.set_read_only(True)
        await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)  # rows and their count agree
        connection.adapters.register_loader("interval", TextLoader)  # months are not a number of days
        return connection

    async def _bound(self, connection: AsyncConnection) -> None:
        milliseconds = str(int(self._limits.statement_s * 1000))
        settings = {
            "statement_timeout": milliseconds,
            "lock_timeout": milliseconds,
            "idle_in_transaction_session_timeout": str(int(self._limits.patience_s * 2000)),
            "search_path": f"{SCHEMA}, pg_temp",
            "TimeZone": self._description.timezone,
            "standard_conforming_strings": "on",
            "IntervalStyle": "postgres",
        }
        calls = sql.SQL(", ").join(sql.SQL("pg_catalog.set_config(%s, %s, true)") for _ in settings)
        await connection.execute(
            sql.SQL("SELECT {}").format(calls), [part for pair in settings.items() for part in pair]
        )


async def _read(connection: AsyncConnection, written: str) -> Rows:
    """Read through a cursor of the server's, which takes one statement that reads and no other, and sends no row too many."""
    async with connection.cursor(name="records") as cursor:
        await cursor.execute(written.encode())
        found = await cursor.fetchmany(MOST_ROWS + 1)
        columns = tuple(column.name for column in cursor.description or ())
    rows = shown(found)
    total = None if len(rows) == len(found) else await _counted(connection, written)
    return Rows(columns=columns, rows=rows, total=total)


async def _counted(connection: AsyncConnection, written: str) -> int:
    # prepared, because that takes a single statement
    counting = await connection.execute(
        f"SELECT count(*) FROM (\n{written}\n) AS counted".encode(),  # noqa: S608 - the statement that was just run
        prepare=True,
    )
    (count,) = await counting.fetchone() or (0,)
    return int(count)


@contextmanager
def _its_own_words() -> Iterator[None]:
    """Tell a statement that is wrong, in the database's words, from a database that is down."""
    try:
        yield
    except psycopg.Error as exc:
        if _is_outage(exc):
            raise
        raise StatementRejected(_words(exc)) from exc
    except UnicodeError as exc:
        raise StatementRejected("the statement holds what is no text") from exc


def _is_outage(exc: psycopg.Error) -> bool:
    if exc.sqlstate is None:
        return isinstance(exc, psycopg.OperationalError | psycopg.InterfaceError)
    return exc.sqlstate.startswith(_NOT_ITS_FAULT)


def _words(exc: psycopg.Error) -> str:
    said = [exc.diag.message_primary or _first_line(exc), exc.diag.message_detail, exc.diag.message_hint]
    return ". ".join(part.rstrip(".") for part in said if part)


def _first_line(exc: Exception) -> str:
    return (str(exc) or type(exc).__name__).split("\n", 1)[0]

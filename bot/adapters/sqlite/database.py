"""One SQLite file: a thread and connection for writes, another for reads, one transaction per call.

The event loop never waits for the disk. A write takes its lock at the start, because a transaction that reads first and
writes later fails at once when another process committed in between (SQLITE_BUSY_SNAPSHOT, FAULTS §5.2).
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

from bot.adapters.sqlite import opening
from bot.adapters.sqlite.failures import translated
from bot.errors import StoreUnavailable

T = TypeVar("T")
Given = ParamSpec("Given")
Work = Callable[[sqlite3.Connection], T]


class SqliteDatabase:
    """An open database file. Rows are sqlite3.Row."""

    def __init__(self, path: Path, *, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._first = deque[Callable[[], None]]()
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite-write")
        self._read_thread = ThreadPoolExecutor(1, thread_name_prefix="sqlite-read")

    @classmethod
    def open(cls, path: Path) -> "SqliteDatabase":
        """Open *path*, creating it when there is none.

        Misconfigured when it cannot be written, is damaged, or has another schema version; it is left as it was.
        """
        writer = opening.open_writer(path)
        with translated(path):
            reader = opening.connect(path)
            reader.execute("PRAGMA query_only = ON")
        return cls(path, writer=writer, reader=reader)

    def close(self) -> None:
        """Finish what was begun and close the file; later calls raise StoreUnavailable."""
        self._write_thread.shutdown(wait=True)
        self._read_thread.shutdown(wait=True)
        self._reader.close()
        self._writer.close()

    async def write(self, work: Work[T]) -> T:
        """Run *work* as one write transaction; an exception undoes all of it.

        A caller that is cancelled does not learn whether the write happened.
        """
        return await asyncio.wrap_future(self._begin_write(work))

    async def write_first(self, work: Work[T]) -> T:
        """Do what `write` does before all that waits to be written: for what somebody outside waits for, and not for long."""
        return await asyncio.wrap_future(self._begin_first(work))

    async def read(self, work: Work[T]) -> T:
        """Run *work* on one consistent state of the file; it cannot write."""
        return await asyncio.wrap_future(self._begin_read(work))

    async def maintain(self, work: Work[T]) -> T:
        """Run *work* on the writing connection outside of any transaction; what it does is not undone."""
        return await asyncio.wrap_future(self._begin_maintenance(work))

    def write_now(self, work: Work[T]) -> T:
        """Do what `write` does, and block; for jobs without an event loop."""
        return self._begin_write(work).result()

    def read_now(self, work: Work[T]) -> T:
        """Do what `read` does, and block; for jobs without an event loop."""
        return self._begin_read(work).result()

    def _begin_write(self, work: Work[T]) -> Future[T]:
        return self._on(self._write_thread, self._write_in_turn, work)

    def _begin_first(self, work: Work[T]) -> Future[T]:
        future = Future[T]()
        self._first.append(lambda: self._settle(future, work))
        self._on(self._write_thread, self._write_what_is_first)
        return future

    def _begin_read(self, work: Work[T]) -> Future[T]:
        return self._on(self._read_thread, self._transact, self._reader, "BEGIN", work)

    def _begin_maintenance(self, work: Work[T]) -> Future[T]:
        return self._on(self._write_thread, self._outside, self._writer, work)

    def _on(
        self, thread: ThreadPoolExecutor, run: Callable[Given, T], *given: Given.args, **named: Given.kwargs
    ) -> Future[T]:
        try:
            return thread.submit(run, *given, **named)
        except RuntimeError as exc:
            raise StoreUnavailable(f"{self.path}: it is closed because the process stops.") from exc

    def _write_in_turn(self, work: Work[T]) -> T:
        self._write_what_is_first()
        return self._transact(self._writer, "BEGIN IMMEDIATE", work)

    def _write_what_is_first(self) -> None:
        """Only the thread that writes takes from there."""
        while self._first:
            self._first.popleft()()

    def _settle(self, future: Future[T], work: Work[T]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(self._transact(self._writer, "BEGIN IMMEDIATE", work))
        except Exception as failure:  # noqa: BLE001 - as an executor does: whoever waits for it gets it
            future.set_exception(failure)

    def _outside(self, connection: sqlite3.Connection, work: Work[T]) -> T:
        with translated(self.path):
            return work(connection)

    def _transact(self, connection: sqlite3.Connection, begin: str, work: Work[T]) -> T:
        with translated(self.path):
            connection.execute(begin)
            try:
                result = work(connection)
                connection.execute("COMMIT")
            finally:
                # A full disk makes SQLite roll back by itself; a failed COMMIT leaves the transaction open.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        return result

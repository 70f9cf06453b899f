"""The real database, whose transactions run where they are asked for: a schedule repeats exactly, and waits for no thread."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from bot.adapters.sqlite.database import SqliteDatabase

T = TypeVar("T")


class InlineDatabase(SqliteDatabase):
    """One thread does everything."""

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self._transact(self._writer, "BEGIN IMMEDIATE", work)

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self.read_now(work)

    def read_now(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return self._transact(self._reader, "BEGIN", work)

"""Customers' own records, as a Protocol. Types that cross it are core types or builtins."""

from typing import Protocol

from bot.core.customers import Subject
from bot.core.records import RecordsSchema, Rows


class Records(Protocol):
    """One customer's rows of a database that can only be read."""

    @property
    def schema(self) -> RecordsSchema:
        """Return what may be asked of."""
        ...

    async def query(self, sql: str, *, subject: Subject) -> Rows:
        """Return what one SELECT finds among the rows of *subject*.

        StatementRejected, with the parser's or the database's own words; RecordsUnavailable when the database is down or too slow.
        """
        ...

    async def ping(self) -> None:
        """Raise RecordsUnavailable unless the database answers."""
        ...

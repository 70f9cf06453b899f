"""What every database of records does: one customer's rows, in the same words, or an error that says which kind it is."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import pytest

from bot.adapters.records.limits import Limits, Wall
from bot.adapters.records.postgres import PostgresRecords
from bot.adapters.records.sqlite import opened_sqlite
from bot.adapters.records.wall import allowed
from bot.core.customers import Subject
from bot.core.records import Cell, Rows
from bot.errors import RecordsUnavailable, StatementRejected
from bot.records_ports import Records
from tests.adapters.records_rig import (
    DESCRIPTION,
    OTHER,
    SUBJECT,
    TODAY,
    columns_of,
    no_wall,
    planted_sqlite,
    rows_of,
)
from tests.adapters.test_records_wall import EVERYDAY, POSTGRES, SQLITE
from tests.vendors.postgres_server import PostgresServer, sample_records

# Work that no machine ends in time, made of allowed pieces alone.
ENDLESS = (
    "SELECT count(*) FROM lessons a, lessons b, lessons c, lessons d, lessons e, lessons f "
    "WHERE a.minutes + b.minutes + c.minutes + d.minutes + e.minutes + f.minutes < 0"
)
UNHURRIED = Limits(connect_s=20, statement_s=30.0, patience_s=60.0)
IMPATIENT = Limits(connect_s=20, statement_s=0.2, patience_s=60.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """One of the databases, with the sample's rows in it."""

    kind: str
    address: str = ""

    def opened(
        self, limits: Limits = UNHURRIED, wall: Wall = allowed
    ) -> AbstractAsyncContextManager[Records]:
        return (
            _postgres(self.address, limits, wall)
            if self.address
            else opened_sqlite(planted_sqlite, DESCRIPTION, limits=limits, wall=wall)
        )

    async def found(self, sql: str, subject: str = SUBJECT) -> Rows:
        async with self.opened() as records:
            return await records.query(sql, subject=Subject(subject))


@asynccontextmanager
async def _postgres(address: str, limits: Limits, wall: Wall) -> AsyncIterator[Records]:
    yield PostgresRecords(address, DESCRIPTION, limits=limits, wall=wall)


@pytest.fixture(scope="module")
def _planted(postgres: PostgresServer) -> Iterator[str]:
    with sample_records(postgres, TODAY, "contract") as address:
        yield address


@pytest.fixture(params=["postgres", "sqlite"])
def database(request: pytest.FixtureRequest) -> Database:
    if request.param == "sqlite":
        return Database(kind="sqlite")
    return Database(kind="postgres", address=request.getfixturevalue("_planted"))


async def test_how_many_counts_the_customers_own_rows(database: Database):
    found = await database.found("SELECT COUNT(*) AS how_many FROM lessons")

    assert found == Rows(columns=("how_many",), rows=((len(rows_of(SUBJECT, "lessons")),),))


async def test_the_next_ten_come_in_their_order_with_their_dates(database: Database):
    found = await database.found(
        f"SELECT starts_on, tutor FROM lessons WHERE starts_on >= '{TODAY}' ORDER BY starts_on LIMIT 10"  # noqa: S608
    )

    booked = [row for row in rows_of(SUBJECT, "lessons") if row["status"] == "booked"]
    assert found.rows == tuple((row["starts_on"], row["tutor"]) for row in booked[:10])


async def test_all_columns_come_as_they_were_declared(database: Database):
    for view in ("lessons", "packages", "payments"):
        found = await database.found(f"SELECT * FROM {view}")  # noqa: S608 - a view's name

        assert found.columns == columns_of(view)
        assert len(found.rows) == len(rows_of(SUBJECT, view))


async def test_of_more_rows_than_the_cap_the_first_come_and_their_number(database: Database):
    found = await database.found("SELECT number FROM lessons ORDER BY number", OTHER)

    assert (len(found.rows), found.total) == (50, 64)


async def test_what_is_written_anew_finds_what_was_asked(database: Database):
    all_of_them = (*EVERYDAY, *{"postgres": POSTGRES, "sqlite": SQLITE}[database.kind])
    asked = [sql for sql in all_of_them if "now" not in sql]
    as_it_came = [await _told(database, sql, no_wall) for sql in asked]

    assert [await _told(database, sql, allowed) for sql in asked] == as_it_came


async def _told(database: Database, sql: str, wall: Wall) -> tuple[tuple[Cell, ...], ...] | str:
    """Return the rows, or what the database says; in an order of their own where the statement names none."""
    try:
        async with database.opened(wall=wall) as records:
            found = await records.query(sql.removesuffix(";"), subject=SUBJECT)
    except StatementRejected as refused:
        return str(refused)
    return tuple(sorted(found.rows, key=str))


async def test_at_the_cap_there_is_no_other_number(database: Database):
    found = await database.found("SELECT number FROM lessons ORDER BY number LIMIT 50", OTHER)

    assert (len(found.rows), found.total) == (50, None)


@pytest.mark.parametrize("subject", ["customer-1005", "nobody", "' OR '1'='1", "%", "customer-1002' --"])
async def test_who_has_nothing_finds_nothing(database: Database, subject: str):
    assert (await database.found("SELECT * FROM lessons", subject)).rows == ()


async def test_without_an_id_nothing_is_asked(database: Database):
    if database.kind == "postgres":
        with pytest.raises(RecordsUnavailable, match="a customer has an id"):
            await database.found("SELECT * FROM lessons", "")
    else:
        assert (await database.found("SELECT * FROM lessons", "")).rows == ()


async def test_naming_another_customer_finds_nothing(database: Database):
    found = await database.found(f"SELECT number FROM lessons WHERE number = '{OTHER}' OR tutor = '{OTHER}'")  # noqa: S608

    assert found.rows == ()
    with pytest.raises(StatementRejected, match="no column student"):
        await database.found(f"SELECT number FROM lessons WHERE student = '{OTHER}'")  # noqa: S608


async def test_money_keeps_its_digits(database: Database):
    found = await database.found("SELECT amount_eur FROM payments ORDER BY receipt LIMIT 1")

    assert str(found.rows[0][0]).startswith("200")
    assert database.kind == "sqlite" or found.rows == (("200.00",),)


async def test_what_is_wrong_comes_in_the_databases_own_words(database: Database):
    said = {
        "postgres": r"^operator does not exist: date >= text\. No operator matches",
        "sqlite": r"misuse of aggregate",
    }
    wrong = {
        "postgres": "SELECT * FROM lessons WHERE starts_on >= CURRENT_DATE::text",
        "sqlite": "SELECT number FROM lessons WHERE COUNT(*) > 1",
    }

    with pytest.raises(StatementRejected, match=said[database.kind]):
        await database.found(wrong[database.kind])


async def test_half_a_letter_is_refused(database: Database):
    with pytest.raises(StatementRejected):
        await database.found("SELECT number FROM lessons WHERE tutor = '\ud800'")


async def test_what_takes_too_long_is_no_mistake_and_does_not_stay(database: Database):
    async with database.opened(IMPATIENT) as records:
        with pytest.raises(RecordsUnavailable):
            await records.query(ENDLESS, subject=SUBJECT)
    async with database.opened() as records:
        assert (await records.query("SELECT number FROM lessons LIMIT 1", subject=SUBJECT)).rows


async def test_we_do_not_wait_for_a_database_that_keeps_no_time(database: Database):
    hasty = Limits(connect_s=20, statement_s=1.0, patience_s=0.3)

    async with database.opened(hasty) as records:
        with pytest.raises(RecordsUnavailable):
            await records.query(ENDLESS, subject=SUBJECT)


async def test_many_at_once_see_their_own_rows_alone(database: Database):
    async with database.opened() as records:
        asked = [
            records.query("SELECT count(*) FROM lessons", subject=Subject(subject))
            for subject in (SUBJECT, OTHER, "customer-1003", "customer-1005") * 3
        ]
        counts = [found.rows[0][0] for found in await asyncio.gather(*asked)]

    assert counts == [36, 64, 4, 0] * 3


async def test_a_database_that_is_as_described_answers(database: Database):
    async with database.opened() as records:
        await records.ping()
        assert records.schema.dialect == database.kind
        assert [view.name for view in records.schema.views] == ["lessons", "packages", "payments"]

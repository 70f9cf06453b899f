"""SQLite by itself, with the parser's wall taken away: there is nothing to be seen but copies of the customer's own rows."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.records.description import Description
from bot.adapters.records.limits import Limits
from bot.adapters.records.sqlite import opened_sqlite, read_only
from bot.core.records import Rows
from bot.errors import Misconfigured, RecordsUnavailable, StatementRejected
from tests.adapters.hostile_statements import HOSTILE
from tests.adapters.records_rig import DESCRIPTION, SUBJECT, no_wall, numbers_of_others, planted_sqlite

LIMITS = Limits(statement_s=0.15, patience_s=30.0)
UNHURRIED = Limits(statement_s=30.0, patience_s=60.0)
RECURSIVE = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
MANY = "SELECT count(*) FROM lessons a, lessons b, lessons c, lessons d, lessons e, lessons f, lessons g, lessons h"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with all customers' rows."""
    with closing(planted_sqlite()) as planted, closing(sqlite3.connect(tmp_path / "parlato.db")) as kept:
        planted.backup(kept)
    return tmp_path / "parlato.db"


async def asked(file: Path, *statements: str, limits: Limits = UNHURRIED) -> list[Rows | Exception]:
    """Return what each statement finds, or how it is refused."""
    found: list[Rows | Exception] = []
    async with opened_sqlite(lambda: read_only(file), DESCRIPTION, wall=no_wall, limits=limits) as records:
        for sql in statements:
            try:
                found.append(await records.query(sql, subject=SUBJECT))
            except (StatementRejected, RecordsUnavailable) as refused:
                found.append(refused)
    return found


async def test_nothing_hostile_reads_another_customers_row_or_leaves_a_trace(file):
    before = file.read_bytes()
    tried = await asked(file, *HOSTILE, limits=LIMITS)

    cells = [str(cell) for found in tried if isinstance(found, Rows) for row in found.rows for cell in row]
    assert not [number for number in numbers_of_others() for cell in cells if number in cell]
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM lesson", "no such table: lesson"),
        ("SELECT * FROM sqlite_master", "prohibited"),
        ("PRAGMA query_only = OFF", "not authorized"),
        ("ATTACH DATABASE ':memory:' AS other", "not authorized"),
        ("DELETE FROM lessons", "not authorized"),
        ("CREATE TABLE evil (a)", "not authorized"),
        ("SELECT load_extension('evil')", "not authorized"),
        ("SELECT randomblob(10) FROM lessons", "not authorized"),
        ("SELECT number FROM lessons; SELECT 1", "one statement at a time"),
        (RECURSIVE, "not authorized"),
        ("BEGIN", "not authorized"),
        ("-- nothing", "not one that returns rows"),
    ],
)
async def test_sqlite_says_why_it_refuses(file, sql, said):
    (refused,) = await asked(file, sql)

    assert isinstance(refused, StatementRejected)
    assert said in str(refused)


async def test_work_without_end_is_ended(file):
    (ended,) = await asked(file, MANY, limits=LIMITS)

    assert isinstance(ended, RecordsUnavailable)
    assert "too long" in str(ended)


async def test_a_text_does_not_grow_without_end(file):
    doubled = "number"
    for _ in range(16):
        doubled = f"({doubled} || {doubled})"

    (refused,) = await asked(file, f"SELECT length({doubled}) FROM lessons")  # noqa: S608
    assert isinstance(refused, StatementRejected)


async def test_half_of_a_customers_rows_is_never_taken_for_all(file):
    (refused,) = await asked(file, "SELECT count(*) FROM lessons", limits=replace(UNHURRIED, copied_rows=20))

    assert isinstance(refused, RecordsUnavailable)
    assert "more records than" in str(refused)


async def test_a_file_that_is_gone_is_an_outage_and_is_not_made(tmp_path):
    (gone,) = await asked(tmp_path / "gone.db", "SELECT number FROM lessons")

    assert isinstance(gone, RecordsUnavailable)
    async with opened_sqlite(lambda: read_only(tmp_path / "gone.db"), DESCRIPTION) as records:
        with pytest.raises(RecordsUnavailable, match="cannot be read"):
            await records.ping()
    assert list(tmp_path.iterdir()) == []


def _with(select: str) -> Description:
    """Return the sample's description with another SELECT of its first view."""
    first, *others = DESCRIPTION.views
    return replace(DESCRIPTION, views=(replace(first, select=select), *others))


@pytest.mark.parametrize(
    ("select", "said"),
    [
        ("SELECT * FROM gone WHERE student = :customer", "no such table: gone"),
        ("SELECT number FROM lesson WHERE student = :customer", "has no column language"),
    ],
)
async def test_a_view_that_cannot_be_selected_is_named(file, select, said):
    async with opened_sqlite(lambda: read_only(file), _with(select)) as records:
        with pytest.raises(Misconfigured, match=said):
            await records.verify()
        with pytest.raises(RecordsUnavailable, match=said):
            await records.query("SELECT number FROM lessons", subject=SUBJECT)

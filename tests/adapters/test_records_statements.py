"""Statements made of allowed and forbidden pieces: whatever comes through finds the customer's own rows, as a plain filter does."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.adapters.records.limits import Limits
from bot.adapters.records.postgres import PostgresRecords
from bot.adapters.records.sqlite import opened_sqlite
from bot.adapters.records.wall import allowed
from bot.core.records import Cell, Rows
from bot.errors import RecordsUnavailable, StatementRejected
from bot.records_ports import Records
from tests.adapters.hostile_statements import HOSTILE
from tests.adapters.records_rig import (
    DESCRIPTION,
    OTHER,
    SCHEMAS,
    SUBJECT,
    TODAY,
    numbers_of_others,
    planted_sqlite,
    rows_of,
)
from tests.vendors.postgres_server import PostgresServer, sample_records

LIMITS = Limits(connect_s=20, statement_s=2.0, patience_s=60.0)
Row = Mapping[str, object]
Test = Callable[[Row], bool]
# Conditions in SQL, and what they mean.
CONDITIONS: Mapping[str, Test] = {
    "minutes > 45": lambda row: int(str(row["minutes"])) > 45,
    "status = 'booked'": lambda row: row["status"] == "booked",
    "status <> 'booked'": lambda row: row["status"] != "booked",
    "language IN ('Spanish', 'Italian')": lambda row: row["language"] in {"Spanish", "Italian"},
    "tutor LIKE 'L%'": lambda row: str(row["tutor"]).startswith("L"),
    "price_credits BETWEEN 12 AND 20": lambda row: 12 <= int(str(row["price_credits"])) <= 20,
    f"starts_on >= '{TODAY}'": lambda row: str(row["starts_on"]) >= TODAY.isoformat(),
    "NOT (kind = 'trial')": lambda row: row["kind"] != "trial",
    f"number <> '{OTHER}'": lambda _row: True,
    "1 = 1": lambda _row: True,
    "number IS NULL": lambda _row: False,
}
COLUMNS = ("number", "language", "tutor", "starts_on", "minutes", "price_credits", "status")
FORBIDDEN = (
    f"student = '{OTHER}'",
    f"number IN (SELECT number FROM lesson WHERE student = '{OTHER}')",  # noqa: S608
    f"set_config('candor.customer', '{OTHER}', true) IS NOT NULL",
    "pg_sleep(60) IS NULL",
    "randomblob(1000000) IS NULL",
    "EXISTS (SELECT 1 FROM pg_catalog.pg_class)",
    "1 = 1; DELETE FROM lesson",
    "1 = 1 UNION SELECT number FROM lesson",
    "1 = 1) OR (1 = 1",
    "1 = 1 /* */ -- ",
    "'\\' = '",
    "tutor ~ '(a+)+$'",
    "ctid IS NOT NULL",
    "rowid > 0",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A statement over one view, and the same in Python."""

    columns: tuple[str, ...]
    conditions: tuple[str, ...]
    joiner: str
    limit: int

    @property
    def sql(self) -> str:
        where = f" {self.joiner} ".join(self.conditions) or "1 = 1"
        chosen = ", ".join(self.columns)
        return f"SELECT {chosen} FROM lessons WHERE {where} ORDER BY number LIMIT {self.limit}"  # noqa: S608

    def expected(self) -> tuple[tuple[object, ...], ...]:
        tests = [CONDITIONS[one] for one in self.conditions]
        together = all if self.joiner == "AND" or not tests else any
        rows = [row for row in rows_of(SUBJECT, "lessons") if together(test(row) for test in tests)]
        return tuple(tuple(row[name] for name in self.columns) for row in rows[: self.limit])


QUESTIONS = st.builds(
    Question,
    columns=st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4, unique=True).map(tuple),
    conditions=st.lists(st.sampled_from(sorted(CONDITIONS)), max_size=3).map(tuple),
    joiner=st.sampled_from(["AND", "OR"]),
    limit=st.integers(1, 50),
)
PIECES = st.lists(
    st.sampled_from(sorted(CONDITIONS)) | st.sampled_from(FORBIDDEN), min_size=1, max_size=3
).flatmap(lambda some: st.sampled_from([" AND ", " OR ", " AND NOT "]).map(lambda word: word.join(some)))
HEADS = st.sampled_from(
    [
        "SELECT number FROM lessons WHERE ",
        "SELECT * FROM lessons AS l WHERE ",
        "SELECT count(*), max(number) FROM lessons WHERE ",
        "WITH lessons AS (SELECT * FROM lesson) SELECT * FROM lessons WHERE ",
        "WITH own AS (SELECT * FROM lessons) SELECT * FROM own WHERE ",
        "SELECT number FROM lesson WHERE ",
        "SELECT number FROM (SELECT * FROM lessons) AS inner_ones WHERE ",
        "SELECT a.number FROM lessons AS a, payments AS lessons WHERE a.",
        'SELECT "number" FROM "lessons" WHERE ',
        "SELECT number /* ",
        "DELETE FROM lessons WHERE ",
    ]
)
MIXED = st.one_of(
    st.builds("".join, st.tuples(HEADS, PIECES)),
    st.tuples(st.sampled_from(HOSTILE), st.sampled_from(HOSTILE)).map(" ".join),
    st.sampled_from(HOSTILE).flatmap(lambda sql: st.integers(0, len(sql)).map(lambda end: sql[:end])),
)

WORDS = [
    "SELECT",
    "FROM",
    "lessons",
    "payments",
    "lesson",
    "number",
    "tutor",
    ",",
    "(",
    ")",
    "*",
    "WHERE",
    "AND",
    "NOT",
    "=",
    "'a'",
    "1",
    "AS",
    "l",
    "WITH",
    "IN",
    "EXISTS",
    "count",
    "max",
    "JOIN",
    "ON",
    "USING",
    "UNION",
    "ORDER",
    "BY",
    "LIMIT",
    "CASE",
    "WHEN",
    "THEN",
    "END",
    "OVER",
    "::",
    "text",
    ".",
    '"',
    "[",
    "]",
    ";",
    "--",
    "/*",
    "*/",
    "$$",
    "E''",
    'U&"a"',
    "pg_sleep",
    "INTERVAL",
    "LATERAL",
    "VALUES",
    "ROW",
    "ARRAY",
    "INTO",
    "ANY",
    "now()",
    "current_user",
    "@",
    "#",
    "~",
    "?",
    ":",
    "->",
    "TIME",
    "ZONE",
    "COLLATE",
    "ONLY",
]
JUMBLED = st.lists(st.sampled_from(WORDS), max_size=25).map(lambda some: " ".join(["SELECT number", *some]))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One loop for all examples."""
    with asyncio.Runner() as found:
        yield found


@pytest.fixture(scope="module", params=["postgres", "sqlite"])
def records(
    request: pytest.FixtureRequest, postgres: PostgresServer, runner: asyncio.Runner
) -> Iterator[Records]:
    if request.param == "postgres":
        with sample_records(postgres, TODAY, "statements") as address:
            yield PostgresRecords(address, DESCRIPTION, limits=LIMITS)
        return
    opened = opened_sqlite(planted_sqlite, DESCRIPTION, limits=LIMITS)
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


def plain(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[object, ...], ...]:
    return tuple(tuple(row) for row in rows)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=QUESTIONS)
def test_an_allowed_statement_finds_what_a_filter_finds(records, runner, question):
    found: Rows = runner.run(records.query(question.sql, subject=SUBJECT))

    assert (found.columns, plain(found.rows)) == (question.columns, question.expected())


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sql=MIXED)
@example("SELECT number FROM lessons WHERE 1 = 1 /* */ -- ")
def test_whatever_comes_through_holds_nothing_of_others(records, runner, sql):
    try:
        found: Rows = runner.run(records.query(sql, subject=SUBJECT))
    except (StatementRejected, RecordsUnavailable):
        return

    cells = {str(cell) for row in found.rows for cell in row}
    assert not cells & numbers_of_others()
    assert OTHER not in cells


@settings(max_examples=250)
@given(sql=MIXED | JUMBLED | st.text(max_size=200), dialect=st.sampled_from(sorted(SCHEMAS)))
def test_what_comes_through_comes_through_again_unchanged(sql, dialect):
    """Nothing but a refusal is raised, and a second parser's reading is the first one's."""
    try:
        written = allowed(sql, SCHEMAS[dialect])
    except StatementRejected:
        return

    assert allowed(written, SCHEMAS[dialect]) == written

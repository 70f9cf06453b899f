"""PostgreSQL by itself, with the parser's wall taken away: it refuses other customers' rows and writes, whatever it is told."""

import asyncio
from collections.abc import Iterator
from hashlib import sha256

import psycopg
import pytest

from bot.adapters.records.limits import Limits
from bot.adapters.records.postgres import PostgresRecords
from bot.adapters.records.postgres_ddl import READER
from bot.core.records import Rows
from bot.errors import RecordsUnavailable, StatementRejected
from tests.adapters.hostile_statements import SMALL
from tests.adapters.records_rig import DESCRIPTION, OTHER, SUBJECT, TODAY, no_wall, numbers_of_others
from tests.vendors.postgres_server import PostgresServer, sample_records, silent_front
from tests.waiting import wait_until

LIMITS = Limits(connect_s=20, statement_s=0.15, patience_s=30.0)
UNHURRIED = Limits(connect_s=20, statement_s=30.0, patience_s=60.0)
EVERYTHING = """
SELECT string_agg(x, ' ' ORDER BY x) FROM (
  SELECT l::text AS x FROM lesson l UNION ALL SELECT p::text FROM package p UNION ALL SELECT p::text FROM payment p
  UNION ALL SELECT relname::text FROM pg_class WHERE relname NOT LIKE 'pg_toast%' UNION ALL SELECT proname::text FROM pg_proc
  UNION ALL SELECT rolname::text FROM pg_roles UNION ALL SELECT oid::text FROM pg_largeobject_metadata) AS everything
"""


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> Iterator[str]:
    with sample_records(postgres, TODAY, "alone") as found:
        yield found


def unguarded(address: str, limits: Limits = UNHURRIED) -> PostgresRecords:
    return PostgresRecords(address, DESCRIPTION, wall=no_wall, limits=limits)


def everything(postgres: PostgresServer) -> str:
    """Return a digest of all rows, tables, functions, roles and large objects."""
    with psycopg.connect(postgres.address("alone")) as connection:
        (found,) = connection.execute(EVERYTHING.encode()).fetchone() or ("",)
    return sha256(found.encode()).hexdigest()


async def attempted(records: PostgresRecords, sql: str) -> Rows | None:
    """Return what a statement finds; None when it is refused or cut off."""
    try:
        return await records.query(sql, subject=SUBJECT)
    except (StatementRejected, RecordsUnavailable):
        return None


def leaked(found: Rows | None) -> set[str]:
    cells = [str(cell) for row in found.rows for cell in row] if found else []
    return {number for number in numbers_of_others() for cell in cells if number in cell}


async def test_nothing_hostile_reads_another_customers_row_or_leaves_a_trace(address, postgres):
    records, before = unguarded(address), everything(postgres)
    tried = await asyncio.gather(*(attempted(records, sql) for sql in SMALL))

    assert {sql: leaked(found) for sql, found in zip(SMALL, tried, strict=True) if leaked(found)} == {}
    assert everything(postgres) == before


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM public.lesson", "permission denied for table lesson"),
        ("SELECT * FROM candor.seal", "permission denied for table seal"),
        (f"SELECT candor.sealed('{OTHER}')", "permission denied for function sealed"),
        (f"SELECT candor.enter('{OTHER}')", "a customer was entered already in this transaction"),
        (
            f"SELECT pg_advisory_unlock_all(), candor.enter('{OTHER}')",
            "a customer was entered already in this transaction",
        ),
        ("SELECT * FROM lessons FOR UPDATE", "permission denied"),
        ("SELECT lo_creat(-1)", "read-only transaction"),
        ("DELETE FROM lessons RETURNING *", "syntax error"),
        ("WITH x AS (DELETE FROM lessons RETURNING 1) SELECT * FROM x", "data-modifying statements"),
        ("COMMIT", "syntax error"),
        ("SELECT 1; SELECT 2", "cannot insert multiple commands"),
        ("SELECT set_config('transaction_read_only', 'off', false)", "read-write mode"),
        ("SELECT set_config('role', 'postgres', false)", "permission denied to set role"),
    ],
)
async def test_postgres_says_why_it_refuses(address, sql, said):
    with pytest.raises(StatementRejected, match=said):
        await unguarded(address).query(sql, subject=SUBJECT)


@pytest.mark.parametrize(
    "forged",
    [
        f"'{OTHER}'",
        f"repeat('0', 64) || ' {OTHER}'",
        f"left(current_setting('candor.customer'), 65) || '{OTHER}'",
        "''",
    ],
)
async def test_a_setting_without_its_seal_shows_nothing(address, forged):
    """The setting can be set by any statement; the views ask for its seal."""
    forging = (
        f"WITH forged AS MATERIALIZED (SELECT set_config('candor.customer', {forged}, true)) "  # noqa: S608
        "SELECT number FROM forged, LATERAL (SELECT number FROM lessons OFFSET 0) AS l WHERE forged.set_config IS NOT NULL"
    )

    assert leaked(await attempted(unguarded(address), forging)) == set()
    dynamic = (
        f"SELECT set_config('candor.customer', {forged}, true), "  # noqa: S608
        "query_to_xml('SELECT number FROM candor.lessons', true, true, '')"
    )
    with pytest.raises(StatementRejected, match="no customer was entered in this transaction"):
        await unguarded(address).query(dynamic, subject=SUBJECT)


async def test_a_seal_holds_for_one_transaction(address):
    records = unguarded(address)
    seen = await records.query("SELECT current_setting('candor.customer')", subject=SUBJECT)
    replayed = f"set_config('candor.customer', '{seen.rows[0][0]}', true)"

    with pytest.raises(StatementRejected, match="no customer was entered"):
        await records.query(
            f"SELECT {replayed}, query_to_xml('SELECT 1 FROM candor.lessons', true, true, '')",  # noqa: S608
            subject=OTHER,
        )


async def test_work_without_end_is_ended_by_the_server(address):
    with pytest.raises(RecordsUnavailable, match="statement timeout"):
        await unguarded(address, LIMITS).query("SELECT pg_sleep(60)", subject=SUBJECT)


async def test_a_statement_that_lifts_its_limit_is_ended_by_us(address):
    hasty = Limits(connect_s=20, statement_s=30.0, patience_s=0.5)

    with pytest.raises(RecordsUnavailable):
        await unguarded(address, hasty).query("SELECT pg_sleep(60)", subject=SUBJECT)


async def test_a_broken_connection_is_an_outage_and_the_next_question_is_answered(address):
    records = unguarded(address)
    with pytest.raises(RecordsUnavailable):
        await records.query("SELECT pg_terminate_backend(pg_backend_pid())", subject=SUBJECT)

    assert (await records.query("SELECT number FROM lessons LIMIT 1", subject=SUBJECT)).rows


async def test_a_database_that_falls_silent_is_an_outage_and_is_left_alone(address, postgres):
    """No answer comes through any more, not even to being told that nobody waits."""
    hasty = Limits(connect_s=20, statement_s=30.0, patience_s=1.0)
    async with silent_front(postgres, b"candor.enter") as port:
        records = unguarded(
            f"postgresql://{READER}@127.0.0.1:{port}/alone?sslmode=disable&gssencmode=disable", hasty
        )
        with pytest.raises(RecordsUnavailable, match="in time"):
            await records.query("SELECT 1", subject=SUBJECT)
        await wait_until(lambda: not records._working, deadline_s=20)


async def test_whoever_stops_waiting_stops_the_work(address):
    records = unguarded(address)
    asking = asyncio.create_task(records.query("SELECT pg_sleep(60)", subject=SUBJECT))
    await wait_until(lambda: bool(records._working))
    asking.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asking
    await wait_until(lambda: not records._working, deadline_s=20)


async def test_a_database_that_is_not_there_is_an_outage(tmp_path):
    nowhere = PostgresRecords(f"postgresql://reader@/shop?host={tmp_path}", DESCRIPTION)

    for work in (nowhere.ping, nowhere.verify):
        with pytest.raises(RecordsUnavailable):
            await work()

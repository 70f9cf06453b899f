"""A PostgreSQL that is not as `records ddl` makes it is named at the start, with what to do about it."""

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest

from bot.adapters.records.limits import Limits
from bot.adapters.records.postgres import PostgresRecords
from bot.adapters.records.postgres_ddl import ddl
from bot.core.records import Column
from bot.errors import Misconfigured, RecordsUnavailable
from tests.adapters.records_rig import DESCRIPTION, SUBJECT, TODAY
from tests.vendors.postgres_server import PostgresServer, sample_records

DATABASE = "fit"
LIMITS = Limits(connect_s=20, statement_s=30.0, patience_s=60.0)
BARRIER = 'ALTER VIEW candor."lessons" SET (security_barrier = {})'
UNSCOPED = 'DROP VIEW candor."payments"; CREATE VIEW candor."payments" WITH (security_barrier) AS SELECT * FROM payment'


@pytest.fixture(scope="module")
def address(postgres: PostgresServer) -> Iterator[str]:
    with sample_records(postgres, TODAY, DATABASE) as found:
        yield found


def opened(address: str) -> PostgresRecords:
    return PostgresRecords(address, DESCRIPTION, limits=LIMITS)


@pytest.mark.parametrize(
    ("broken", "mended", "said"),
    [
        ("ALTER ROLE candor_reader CREATEDB", "ALTER ROLE candor_reader NOCREATEDB", "may do more than read"),
        (
            "GRANT pg_read_all_data TO candor_reader",
            "REVOKE pg_read_all_data FROM candor_reader",
            "is a member of pg_read_all_data",
        ),
        (
            "GRANT INSERT ON lesson TO candor_reader",
            "REVOKE INSERT ON lesson FROM candor_reader",
            "may write .*lesson",
        ),
        (
            "GRANT UPDATE (status) ON lesson TO candor_reader",
            "REVOKE UPDATE (status) ON lesson FROM candor_reader",
            "may write .*lesson",
        ),
        ("GRANT SELECT ON payment TO PUBLIC", "REVOKE SELECT ON payment FROM PUBLIC", "may read .*payment"),
        (
            "GRANT SELECT (receipt) ON payment TO candor_reader",
            "REVOKE SELECT (receipt) ON payment FROM candor_reader",
            "may read .*payment",
        ),
        (
            "GRANT CREATE ON SCHEMA public TO PUBLIC",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            "may create tables in the schema public",
        ),
        (BARRIER.format("false"), BARRIER.format("true"), "lessons is no security_barrier view"),
        (UNSCOPED, None, "payments is no security_barrier view of one customer's rows"),
        ('DROP VIEW candor."lessons"', None, "there is no view candor.lessons"),
        ('REVOKE SELECT ON candor."lessons" FROM candor_reader', None, "may not read candor.lessons"),
        (
            "ALTER FUNCTION candor.customer() SECURITY INVOKER",
            "ALTER FUNCTION candor.customer() SECURITY DEFINER",
            "candor.enter and candor.customer are not as they must be",
        ),
        (
            "GRANT EXECUTE ON FUNCTION candor.sealed(text) TO PUBLIC",
            "REVOKE EXECUTE ON FUNCTION candor.sealed(text) FROM PUBLIC",
            "are not as they must be",
        ),
    ],
)
async def test_what_is_wrong_is_named(postgres, address, broken, mended, said):
    postgres.run(broken, database=DATABASE)
    try:
        with pytest.raises(Misconfigured, match=f"RECORDS_URL: .*{said}"):
            await opened(address).verify()
        with pytest.raises(RecordsUnavailable, match=said):
            await opened(address).query("SELECT number FROM lessons", subject=SUBJECT)
    finally:
        postgres.run(mended or ddl(DESCRIPTION), database=DATABASE)
    await opened(address).verify()


async def test_a_superuser_is_no_reader(postgres, address):
    with pytest.raises(Misconfigured, match=r"may do more than read .* records ddl"):
        await opened(postgres.address(DATABASE)).verify()


async def test_a_column_that_the_database_does_not_have_is_named(address):
    first, *others = DESCRIPTION.views
    more = replace(first.view, columns=(*first.view.columns, Column(name="mood", type="text")))
    described = replace(DESCRIPTION, views=(replace(first, view=more), *others))

    with pytest.raises(Misconfigured, match=r"candor\.lessons has no column mood"):
        await PostgresRecords(address, described, limits=LIMITS).verify()


async def test_running_it_again_changes_nothing(postgres, address):
    secret = "SELECT secret FROM candor.seal"  # noqa: S105 - a statement
    with psycopg.connect(postgres.address(DATABASE)) as connection:
        before = connection.execute(secret).fetchall()
        connection.execute(ddl(DESCRIPTION).encode())
        assert connection.execute(secret).fetchall() == before

    await opened(address).verify()


async def test_it_is_looked_at_once_and_again_when_told(postgres, address):
    records = opened(address)
    await records.ping()
    postgres.run("GRANT SELECT ON payment TO candor_reader", database=DATABASE)
    try:
        await records.ping()
        with pytest.raises(Misconfigured, match="may read"):
            await records.verify()
    finally:
        postgres.run("REVOKE SELECT ON payment FROM candor_reader", database=DATABASE)


async def test_a_role_of_another_name_can_be_let_in(postgres, address):
    postgres.run(ddl(DESCRIPTION, "second_reader"), database=DATABASE)

    await opened(postgres.address(DATABASE, "second_reader")).verify()
    postgres.run("DROP OWNED BY second_reader", "DROP ROLE second_reader", database=DATABASE)

"""Which records the settings open, and what is said when they cannot be."""

import sqlite3
from contextlib import closing

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.core.customers import Subject
from bot.errors import Misconfigured, RecordsUnavailable
from bot.records_wiring import check_records, opened_records, records_named
from bot.sample.records import DEMO_CUSTOMER, DESCRIPTION
from bot.settings import Settings
from tests.adapters.records_rig import TODAY, planted_sqlite
from tests.vendors.postgres_server import PostgresServer, sample_records

SUBJECT = Subject(DEMO_CUSTOMER)


@pytest.fixture
def file(tmp_path):
    with closing(planted_sqlite()) as planted, closing(sqlite3.connect(tmp_path / "parlato.db")) as kept:
        planted.backup(kept)
    return tmp_path / "parlato.db"


def at(address: object, **more: object) -> Settings:
    return Settings(records_url=address, records_description=DESCRIPTION, **more)


async def test_without_an_address_there_are_none():
    async with opened_records(Settings()) as records:
        assert records is None
    with pytest.raises(Misconfigured, match="RECORDS_URL is not set"):
        await check_records(Settings())
    assert records_named(Settings()) == "none (RECORDS_URL is not set)"


async def test_the_sample_has_lessons_to_come_whatever_day_it_is():
    settings = Settings(records_url="sample")

    async with opened_records(settings) as records:
        assert records is not None
        found = await records.query(
            "SELECT starts_on FROM lessons WHERE starts_on > CURRENT_DATE ORDER BY starts_on", subject=SUBJECT
        )
    assert len(found.rows) >= 13
    assert "does not exist" in records_named(settings)


async def test_an_sqlite_file_is_read(file):
    settings = at(f"sqlite:{file}")

    async with opened_records(settings) as records:
        assert records is not None
        assert (await records.query("SELECT count(*) FROM lessons", subject=SUBJECT)).rows == ((36,),)
    assert await check_records(settings) == "SQLite in parlato.db: lessons, packages, payments"


async def test_a_file_that_is_not_there_is_named_and_not_made(tmp_path):
    with pytest.raises(Misconfigured, match=r"RECORDS_URL: there is no file .*gone\.db"):
        await check_records(at(f"sqlite:{tmp_path / 'gone.db'}"))
    assert list(tmp_path.iterdir()) == []


async def test_sqlite_keeps_no_other_time_than_utc(file, tmp_path):
    local = tmp_path / "records.toml"
    local.write_text(DESCRIPTION.read_text().replace('timezone = "UTC"', 'timezone = "Europe/Madrid"'))

    with pytest.raises(Misconfigured, match="in UTC only"):
        await check_records(Settings(records_url=f"sqlite:{file}", records_description=local))


async def test_postgres_is_asked_as_its_description_says(postgres: PostgresServer):
    with sample_records(postgres, TODAY, "wired") as address:
        settings = at(SecretStr(address))
        async with opened_records(settings) as records:
            assert records is not None
            assert records.schema.dialect == "postgres"
        said = await check_records(settings)

    assert said == "PostgreSQL as records.toml describes it: lessons, packages, payments"


async def test_a_role_that_may_do_more_stops_the_start(postgres: PostgresServer):
    with pytest.raises(Misconfigured, match="may do more than read"):
        async with opened_records(at(SecretStr(postgres.address()))):
            pass


async def test_a_database_that_is_down_at_the_start_is_asked_again_at_every_question(tmp_path):
    settings = at(SecretStr(f"postgresql://reader@/shop?host={tmp_path}"))
    with capture_logs() as logs:
        async with opened_records(settings) as records:
            assert records is not None
            with pytest.raises(RecordsUnavailable):
                await records.query("SELECT count(*) FROM lessons", subject=SUBJECT)

    assert [line["event"] for line in logs] == ["records_unreachable"]
    with pytest.raises(RecordsUnavailable, match="does not answer"):
        await check_records(settings)

"""Opens the records that the settings choose: a PostgreSQL or SQLite database of the operator's, or the sample's rows."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from pydantic import SecretStr

from bot.adapters.system_clock import SystemClock
from bot.errors import Misconfigured, RecordsUnavailable
from bot.ports import Clock
from bot.records_ports import Records
from bot.sample import records as sample
from bot.setting_values import SAMPLE, SQLITE
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.records.description import Description
    from bot.adapters.records.postgres import PostgresRecords
    from bot.adapters.records.sqlite import Source, SqliteRecords

log = structlog.get_logger()


@asynccontextmanager
async def opened_records(settings: Settings) -> AsyncIterator[Records | None]:
    """Open the records; None when none are chosen. A database that is down is asked again at every question.

    Misconfigured when it is not as its description says, or when it lets us do more than read it.
    """
    if settings.records_url is None:
        yield None
        return
    async with _opened(settings) as records:
        try:
            await records.verify()
        except RecordsUnavailable as exc:
            log.warning("records_unreachable", problem=str(exc))
        yield records


async def check_records(settings: Settings) -> str:
    """Say what is read and that it can be; Misconfigured, RecordsUnavailable."""
    if settings.records_url is None:
        raise Misconfigured("RECORDS_URL is not set; set it to the address of the records")
    async with _opened(settings) as records:
        await records.verify()
        views = ", ".join(view.name for view in records.schema.views)
    return f"{records_named(settings)}: {views}"


def records_named(settings: Settings) -> str:
    """Say which records are read."""
    match settings.records_url:
        case None:
            return "none (RECORDS_URL is not set)"
        case SecretStr():
            return f"PostgreSQL as {_described(settings).name} describes it"
        case url if url == SAMPLE:
            return "the sample's, of a business that does not exist"
        case url:
            return f"SQLite in {Path(url.removeprefix(SQLITE)).name}"


def description_of(settings: Settings) -> "Description":
    """Read the description; the sample's where no other is named. Misconfigured."""
    from bot.adapters.records.description import load_description  # noqa: PLC0415 - none where no records are

    return load_description(_described(settings))


def _described(settings: Settings) -> Path:
    return settings.records_description or sample.DESCRIPTION


@asynccontextmanager
async def _opened(settings: Settings) -> "AsyncIterator[PostgresRecords | SqliteRecords]":
    description = description_of(settings)
    if isinstance(settings.records_url, SecretStr):
        from bot.adapters.records.postgres import PostgresRecords  # noqa: PLC0415 - the driver takes its time

        yield PostgresRecords(settings.records_url.get_secret_value(), description)
        return
    from bot.adapters.records.sqlite import opened_sqlite  # noqa: PLC0415

    _require_utc(description)
    async with opened_sqlite(_source(str(settings.records_url)), description) as records:
        yield records


def _source(address: str) -> "Source":
    if address == SAMPLE:
        return lambda: sample_database(SystemClock())
    from bot.adapters.records.sqlite import read_only  # noqa: PLC0415

    file = Path(address.removeprefix(SQLITE)).expanduser().resolve()
    if not file.is_file():
        raise Misconfigured(f"RECORDS_URL: there is no file {file}; name the SQLite database of the records")
    return lambda: read_only(file)


def _require_utc(description: "Description") -> None:
    if description.timezone != "UTC":
        raise Misconfigured(
            "RECORDS_DESCRIPTION: SQLite knows what time it is in UTC only; set timezone to UTC, or leave it out"
        )


def sample_database(clock: Clock) -> sqlite3.Connection:
    """Make the sample's rows anew, around the day that it is: lessons that are to come are always to come."""
    connection = sqlite3.connect(":memory:")
    today = datetime.fromtimestamp(clock.now_ms() / 1000, UTC).date()
    for name, rows in sample.rows_around(today).items():
        connection.execute(sample.TABLES[name])
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - our own tables
    connection.commit()
    return connection

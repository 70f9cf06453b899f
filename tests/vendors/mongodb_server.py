"""A MongoDB server on this machine: `nx-27017`, which speaks the wire protocol over SQLite, in a process of its own.

What it is trusted for stands in the README: single documents, unique indexes, sorting. It knows no transactions and no vector search.
"""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.indexes import COLLECTIONS, create_indexes
from bot.adapters.mongo.opening import Driver, MongoAccess, opened_database
from tests.vendors.deployment import real_deployment

UNHURRIED_S = 30.0  # where a test is not about deadlines: a busy machine is no failure


@dataclass(slots=True, kw_only=True)
class MongoServer:
    """A running server; every database has a file of its own below `directory`. `deployed` is the address of one that is not ours."""

    port: int = 0
    directory: Path = Path()
    process: subprocess.Popen[bytes] | None = None
    deployed: str = ""
    indexed: set[Driver] = field(default_factory=set)

    @property
    def uri(self) -> str:
        return self.deployed or f"mongodb://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@contextmanager
def mongodb_server(directory: Path) -> Iterator[MongoServer]:
    """Start a server on a free port, and kill it in the end."""
    port = _free_port()
    command = [sys.executable, "-c", "from nx_27017.nx_27017 import main; main()"]
    process = subprocess.Popen(
        [
            *command,
            f"--data-dir={directory}",
            f"--port={port}",
            f"--log-file={directory / 'server.log'}",
            f"--pid-file={directory / 'server.pid'}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server = MongoServer(port=port, directory=directory, process=process)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def mongodb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MongoServer]:
    """One server for all tests."""
    if (deployed := real_deployment()) is not None:
        yield MongoServer(deployed=deployed)
        return
    with mongodb_server(tmp_path_factory.mktemp("mongodb")) as server:
        asyncio.run(listening(server))
        yield server


@asynccontextmanager
async def emptied_database(server: MongoServer, driver: Driver) -> AsyncIterator[MongoDatabase]:
    """Open the database that all tests of a driver share, because its indexes take long to make, and leave it empty."""
    access = MongoAccess(uri=server.uri, database=f"candor_test_{driver}", driver=driver)
    async with opened_database(access, operation_s=UNHURRIED_S) as database:
        if driver not in server.indexed:
            await create_indexes(database)
            await _empty(database, COLLECTIONS)
            server.indexed.add(driver)
        noting = _Noting(database._database)
        yield MongoDatabase(noting, operation_s=UNHURRIED_S)
        await _empty(database, noting.asked_for)


class _Noting:
    """A driver's database that notes which of its collections are asked for: to empty all of them takes longer than most tests."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.asked_for: set[str] = set()

    def __getitem__(self, collection: str) -> Any:
        self.asked_for.add(collection)
        return self._database[collection]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


async def _empty(database: MongoDatabase, collections: Iterable[str]) -> None:
    for collection in collections:
        await database.delete(collection, {})


async def listening(server: MongoServer) -> None:
    """Wait until the server takes connections."""
    async with asyncio.timeout(20):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            except OSError:
                await asyncio.sleep(0.02)
                continue
            writer.close()
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

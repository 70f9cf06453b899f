"""Any history of one conversation over SQLite (FAULTS H1-H4, H8-H10)."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.core.outbox import EVERYTHING
from tests.protocol.inline import InlineDatabase
from tests.protocol.machine import Protocol, run_machine
from tests.protocol.promises import Record, sqlite_record
from tests.protocol.world import HeldSqlite, World, a_world
from tests.sqlite_file import new_file

FAST = Path("/dev/shm")  # noqa: S108 - the disk is none of these promises; where there is memory to write to, it is used


class OnFile(NamedTuple):
    """One process, and its own view of the file."""

    world: World
    database: InlineDatabase


class SqliteProtocol(Protocol[OnFile]):
    """On a file of its own."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(dir=FAST if FAST.is_dir() else None)
        self._file = new_file(Path(self._folder.name) / "candor.db")
        super().__init__()

    def _started(self) -> OnFile:
        database = InlineDatabase.open(self._file)
        store = HeldSqlite(database, told=EVERYTHING)
        world = a_world(store, SqliteDeskStore(database), clock=self._clock, post=self._post)
        return OnFile(world, database)

    def _ended(self, process: OnFile) -> None:
        process.database.close()

    def _cleared(self) -> None:
        self._folder.cleanup()

    def _record(self) -> Record:
        return sqlite_record(self._processes[0].database)


@pytest.mark.timeout(300)  # a busy machine, or the shrinking of a failure
def test_no_history_of_one_conversation_breaks_a_promise():
    """FAULTS H1, H2, H3, H4, H8, H9, H10; R-H1, R-H2, R-H3, R-H4, R-H5, R-H9, R-H10, R-H11, R-S20."""
    run_machine(SqliteProtocol, examples=500)


@pytest.mark.soak
def test_no_history_of_many_breaks_a_promise():
    run_machine(SqliteProtocol, examples=5_000)

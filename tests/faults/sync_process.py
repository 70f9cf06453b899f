"""What a child process runs to sync: the real job over the real file, with a switch at each call and statement of its writer."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.adapters.system_clock import SystemClock
from bot.core.knowledge import Article
from bot.errors import CandorError
from kb_sync.job import KnowledgeSync, SyncSetup
from kb_sync.locking import Lease
from kb_sync.progress import NoProgress
from tests.faults.moments import Moment, die
from tests.kb_sync.folders import ListSource

DATABASE = "candor.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOrder:
    """What one process syncs, who it says it is, and where it dies, or waits until somebody writes to the pipe `go`."""

    folder: Path
    articles: tuple[Article, ...]
    holder: str = "a process"
    lease_s: float = 600.0
    chunker: str = "test"
    dies_at: Moment | None = None
    waits_at: Moment | None = None

    @property
    def embedded(self) -> Path:
        """A line for each text that was given to the embedder as a passage."""
        return self.folder / "embedded"

    @property
    def waiting(self) -> Path:
        """There once the process waits."""
        return self.folder / "waiting"

    @property
    def go(self) -> Path:
        return self.folder / "go"


class CostlyEmbedder(HashEmbedder):
    """Writes down what it is asked to embed before it does, because that is when it costs."""

    def __init__(self, file: Path, reached: Callable[[str], None], *, chunker: str) -> None:
        super().__init__(dimension=64, chunker=chunker)
        self._file = file
        self._reached = reached

    async def embed_passages(self, texts):
        with self._file.open("a") as file:
            file.writelines(f"{text!r}\n" for text in texts)
        vectors = await super().embed_passages(texts)
        self._reached("after embed_passages")
        return vectors


class SyncSwitch:
    """Counts what happens; at its moment the process dies or waits."""

    def __init__(self, order: SyncOrder) -> None:
        self._order = order
        self._call = ""
        self._counts = {order.dies_at: 0, order.waits_at: 0}

    def reached(self, name: str) -> None:
        if self._is(self._order.dies_at, name):
            die()
        if self._is(self._order.waits_at, name):
            self._order.waiting.touch()
            self._order.go.read_bytes()  # a pipe: this blocks the whole process, as a stopped one is blocked

    def call(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def watched(*arguments: object, **named: object) -> object:
            self._call = name
            self.reached(f"before {name}")
            result = real(*arguments, **named)
            self.reached(f"after {name}")
            return result

        return watched

    def statement(self, sql: str) -> None:
        """Called by SQLite before each statement, on the thread that writes."""
        self.reached(f"{self._call}: {' '.join(sql.split())}")

    def _is(self, moment: Moment | None, name: str) -> bool:
        if moment is None or not name.startswith(moment.name):
            return False
        self._counts[moment] += 1
        return self._counts[moment] == moment.nth


class WatchedWriter:
    """A knowledge writer that tells the switch of each call."""

    def __init__(self, writer: SqliteKnowledgeWriter, switch: SyncSwitch) -> None:
        self._writer = writer
        self._switch = switch

    def __getattr__(self, name: str):
        return self._switch.call(name, getattr(self._writer, name))


def run(order: SyncOrder) -> None:
    """Sync, and exit as the command line does: 0 when all was done, 1 when it was refused or failed."""
    with closing(SqliteDatabase.open(order.folder / DATABASE)) as database:
        switch = SyncSwitch(order)
        database._writer.set_trace_callback(switch.statement)
        job = _job(order, database, switch)
        try:
            report = asyncio.run(job.run(ListSource(list(order.articles)), progress=NoProgress()))
        except CandorError:
            sys.exit(1)
    sys.exit(report.outcome.exit_code)


def _job(order: SyncOrder, database: SqliteDatabase, switch: SyncSwitch) -> KnowledgeSync:
    embedder = CostlyEmbedder(order.embedded, switch.reached, chunker=order.chunker)
    return KnowledgeSync(
        embedder=embedder,
        index=SqlitePassageIndex(database, fingerprint=str(embedder.fingerprint)),
        writer=WatchedWriter(SqliteKnowledgeWriter(database), switch),
        clock=SystemClock(),
        setup=SyncSetup(lease=Lease(holder=f"{order.holder} ({os.getpid()})", length_s=order.lease_s)),
    )

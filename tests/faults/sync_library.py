"""A library in two editions, the processes that sync it, and a reader who must see one edition or the other."""

import os
import signal
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.core.knowledge import Article, ArticleId, SearchQuery
from bot.errors import IndexNotReady
from bot.sync_ports import RunRecord, SyncLock
from tests.faults.processes import ENDS_WITHIN_S, FORKING
from tests.faults.sync_process import DATABASE, SyncOrder, run
from tests.kb_sync.folders import an_article
from tests.waiting import wait_until

Text = dict[ArticleId, str]


def edition(number: int, *, changing: int) -> tuple[Article, ...]:
    """Return an edition: so many articles differ in each, ten never change, five are new in each, three are gone in the next."""
    kept = [an_article(n, body=f"In edition {number}, choose day {n}.") for n in range(changing)]
    same = [an_article(n, body=f"Always choose day {n}.") for n in range(changing, changing + 10)]
    first = 10_000 * number
    own = [an_article(n, body=f"Only in edition {number}: day {n}.") for n in range(first, first + 5)]
    return (*kept, *same, *(own if number > 1 else own[:3]))


def texts(articles: Sequence[Article]) -> Text:
    return {one.id: one.body for one in articles}


class SyncProcess:
    """One process that syncs."""

    def __init__(self, order: SyncOrder) -> None:
        self._order = order
        self._process = FORKING.Process(target=run, args=(order,), daemon=True)
        self._process.start()

    @property
    def has_ended(self) -> bool:
        return self._process.exitcode is not None

    async def exit_code(self) -> int:
        await wait_until(lambda: self.has_ended, deadline_s=ENDS_WITHIN_S)
        assert self._process.exitcode is not None
        return self._process.exitcode

    async def waits(self) -> None:
        """Wait until it is at the moment where it waits."""
        await wait_until(lambda: self._order.waiting.exists() or self.has_ended, deadline_s=ENDS_WITHIN_S)
        assert not self.has_ended

    def let_go(self) -> None:
        """Let it go on."""
        self._order.go.write_bytes(b"go")

    def signal(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)


@dataclass(slots=True, kw_only=True)
class Library:
    """A folder with the database file. Close it to end what still runs."""

    folder: Path
    _started: list[SyncProcess] = field(default_factory=list)

    def start(self, articles: Sequence[Article], **fields) -> SyncProcess:
        """Sync *articles* in a process of its own."""
        order = SyncOrder(folder=self.folder, articles=tuple(articles), **fields)
        order.waiting.unlink(missing_ok=True)
        if not order.go.exists():
            os.mkfifo(order.go)
        process = SyncProcess(order)
        self._started.append(process)
        return process

    async def sync(self, articles: Sequence[Article], **fields) -> int:
        return await self.start(articles, **fields).exit_code()

    def embedded(self) -> list[str]:
        """Return every text that was embedded as a passage, as often as it was."""
        file = self.folder / "embedded"
        return file.read_text().splitlines() if file.exists() else []

    async def seen(self, *, chunker: str = "test") -> Text:
        """Return what a customer's search finds, all of it."""
        embedder = HashEmbedder(dimension=64, chunker=chunker)
        (vector,) = await embedder.embed_queries(["day"])
        with closing(SqliteDatabase.open(self.folder / DATABASE)) as database:
            index = SqlitePassageIndex(database, fingerprint=str(embedder.fingerprint))
            found = await index.search(SearchQuery(vector=vector, locales=(), limit=10_000))
        return {one.article_id: one.passage.text for one in found.passages}

    async def seen_while(self, process: SyncProcess) -> list[Text]:
        """Look again and again until the process has ended; return the different things that were seen."""
        seen: list[Text] = []

        async def ended() -> bool:
            has_ended = process.has_ended
            now = await self.seen()
            if now not in seen:
                seen.append(now)
            return has_ended

        await wait_until(ended, deadline_s=ENDS_WITHIN_S, every_s=0.05)
        return seen

    async def is_searched(self, *, chunker: str) -> bool:
        try:
            return bool(await self.seen(chunker=chunker))
        except IndexNotReady:
            return False

    def runs(self) -> tuple[RunRecord, ...]:
        with closing(SqliteDatabase.open(self.folder / DATABASE)) as database:
            return SqliteKnowledgeWriter(database).runs(limit=100)

    def lock(self) -> SyncLock | None:
        with closing(SqliteDatabase.open(self.folder / DATABASE)) as database:
            return SqliteKnowledgeWriter(database).lock()

    def close(self) -> None:
        for process in self._started:
            if not process.has_ended:
                process.signal(signal.SIGKILL)

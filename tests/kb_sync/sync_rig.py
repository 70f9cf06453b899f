"""A knowledge base in memory, and what syncs into it."""

import asyncio
from collections.abc import Sequence

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.core.knowledge import Article, SearchQuery
from bot.errors import CandorError, RetrievalUnavailable
from bot.sync_ports import GenerationCheck, GenerationState, RunRecord
from kb_sync.change import Allowed
from kb_sync.job import KnowledgeSync, SyncSetup
from kb_sync.locking import Lease
from kb_sync.progress import NoProgress, Progress
from kb_sync.questions import Question
from kb_sync.report import SyncReport
from kb_sync.rollback import RolledBack, roll_back
from kb_sync.sources.source import Source
from tests.kb_sync.folders import ListSource, an_article


class FailingEmbedder(HashEmbedder):
    """Fails once so many texts were embedded; its calls take some at a time."""

    def __init__(self, texts: int) -> None:
        super().__init__()
        self.left = texts

    def _embed(self, texts):
        self.left -= len(texts)
        if self.left < 0:
            raise RetrievalUnavailable("the model is gone")
        return super()._embed(texts)


async def for_ever(_seconds: float) -> None:
    """Sleep until cancelled, so that a lease is never renewed."""
    await asyncio.Event().wait()


class SyncRig:
    """Syncs lists of articles; each `use` of an embedder is another installation on the same knowledge base."""

    def __init__(self, *, golden: Sequence[Question] = (), interval_s: int | None = None) -> None:
        self.writer = MemoryKnowledgeWriter()
        self.clock = ManualClock()
        self.setup = SyncSetup(
            lease=Lease(holder="this machine", sleep=for_ever), golden=tuple(golden), interval_s=interval_s
        )
        self.use(HashEmbedder())

    def use(self, embedder: HashEmbedder) -> None:
        """Sync and search with *embedder* from now on."""
        self.embedder = embedder
        self.index = MemoryPassageIndex(self.writer, fingerprint=str(embedder.fingerprint))
        self.job = KnowledgeSync(
            embedder=embedder, index=self.index, writer=self.writer, clock=self.clock, setup=self.setup
        )

    async def sync(self, *articles: Article, **allowed) -> SyncReport:
        """Sync these articles; what is *allowed* is what the command line may allow."""
        return await self.sync_from(ListSource(list(articles)), **allowed)

    async def sync_from(self, source: Source, *, progress: Progress | None = None, **allowed) -> SyncReport:
        self.clock.advance(1_000)
        return await self.job.run(source, Allowed(**allowed), progress=progress or NoProgress())

    async def refused(self, *articles: Article, **allowed) -> CandorError:
        """Sync these articles, which must be refused, and return the refusal."""
        try:
            await self.sync(*articles, **allowed)
        except CandorError as exc:
            return exc
        raise AssertionError("nothing was refused")

    async def roll_back(self) -> RolledBack:
        self.clock.advance(1_000)
        return await roll_back(
            self.writer, self.clock, self.setup.lease, fingerprint=str(self.embedder.fingerprint)
        )

    @property
    def run(self) -> RunRecord:
        """The record of the run that began last."""
        return self.writer.runs(limit=1)[0]

    @property
    def live(self) -> str:
        return next(one.id for one in self.writer.generations() if one.state is GenerationState.LIVE)

    @property
    def check(self) -> GenerationCheck:
        """What the live generation was found to hold."""
        (check,) = [one.check for one in self.writer.generations() if one.id == self.live]
        assert check is not None
        return check

    async def searched(self) -> dict[str, str]:
        """Return the text of each article that customers are answered from, by its id."""
        (vector,) = await HashEmbedder().embed_queries(["calendar"])
        found = await self.index.search(SearchQuery(vector=vector, locales=(), limit=10_000))
        return {one.article_id: one.passage.text for one in found.passages}


def articles(count: int, *, start: int = 0, **fields) -> list[Article]:
    """Return so many articles, each with a passage of its own."""
    return [an_article(number, **fields) for number in range(start, start + count)]

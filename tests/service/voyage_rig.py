"""Voyage behind the service's rig and behind a sync: everything is real but the provider, which a local server plays."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.adapters.voyage.client import Patience
from bot.adapters.voyage.embedder import VoyageEmbedder
from bot.adapters.voyage.opening import Surroundings, Voyage, VoyageAccess, opened_voyage
from bot.adapters.voyage.reranker import VoyageReranker
from bot.core.knowledge import Article
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.report import SyncReport
from tests.kb_sync.folders import ListSource
from tests.service.rig import Rig, a_rig
from tests.vendors.local_server import Reply
from tests.vendors.voyage_server import VoyageServer, voyage_server

RERANK_MODEL = "rerank-2.5-lite"
DIMENSION = 128  # that of the shelf: the server's bags of words are then the shelf's own vectors
PATIENCE = Patience(within_s=9.0, attempt_s=0.05)  # a server that hangs costs a test no more than this


@asynccontextmanager
async def _opened(url: str, clock: ManualClock, *, rerank_model: str | None = None) -> AsyncIterator[Voyage]:
    """Open Voyage so that its waiting moves *clock* only."""
    around = Surroundings(monotonic_s=clock.monotonic_s, sleep=clock.sleep, jitter=lambda: 1.0)
    access = VoyageAccess(
        api_key="k", base_url=url, model="voyage-4", dimension=DIMENSION, rerank_model=rerank_model
    )
    async with opened_voyage(access, around, chunker="test") as voyage:
        yield voyage


@asynccontextmanager
async def an_embedder(url: str, clock: ManualClock) -> AsyncIterator[VoyageEmbedder]:
    """Open an embedder that nobody waits for long."""
    async with _opened(url, clock) as voyage:
        yield replace(voyage.embedder, queries=PATIENCE, passages=PATIENCE)


@asynccontextmanager
async def a_reranker(url: str) -> AsyncIterator[VoyageReranker]:
    """Open a reranker that nobody waits for long."""
    async with _opened(url, ManualClock(), rerank_model=RERANK_MODEL) as voyage:
        assert voyage.reranker is not None
        yield replace(voyage.reranker, patience=PATIENCE)


@asynccontextmanager
async def a_voyage_rig(*replies: Reply) -> AsyncIterator[tuple[Rig, VoyageServer]]:
    """Open a rig whose questions Voyage embeds, with a provider that plays *replies*."""
    rig = await a_rig()
    async with voyage_server(*replies) as server, an_embedder(server.url, rig.clock) as embedder:
        rig.embedder._inner = embedder
        yield rig, server
        assert all(truthful for _, truthful in rig.observer.settled)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRig:
    """A knowledge base that Voyage embeds."""

    writer: MemoryKnowledgeWriter
    index: MemoryPassageIndex
    job: KnowledgeSync
    server: VoyageServer

    async def sync(self, articles: Sequence[Article]) -> SyncReport:
        return await self.job.run(ListSource(list(articles)), progress=NoProgress())


@asynccontextmanager
async def a_sync_rig(*replies: Reply) -> AsyncIterator[SyncRig]:
    """Open an empty knowledge base, with a provider that plays *replies*."""
    clock, writer = ManualClock(), MemoryKnowledgeWriter()
    async with voyage_server(*replies) as server, an_embedder(server.url, clock) as embedder:
        index = MemoryPassageIndex(writer, fingerprint=str(embedder.fingerprint))
        job = KnowledgeSync(embedder=embedder, index=index, writer=writer, clock=clock)
        yield SyncRig(writer=writer, index=index, job=job, server=server)

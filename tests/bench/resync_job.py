"""`python -m tests.bench.resync_job PLACE FOLDER`: a sync with one embedder thread, in a process of its own like `python -m kb_sync`.

It prints a line when it begins to embed, so that the benchmark knows from when on the two share the machine. Between two texts it
pauses on SIGUSR1 and goes on after SIGUSR2: stopped from outside, it could hold the database.
"""

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.system_clock import SystemClock
from bot.core.chunking import CHUNKER
from bot.core.knowledge import Fingerprint, Vector
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from kb_sync.job import KnowledgeSync
from kb_sync.priority import give_way
from kb_sync.progress import NoProgress, Progress, Stage
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.worker import until_stopped

EMBEDDING = "embedding"
PAUSE, GO_ON = signal.SIGUSR1, signal.SIGUSR2


@dataclass(frozen=True, slots=True, kw_only=True)
class PausingEmbedder:
    """One thread that embeds, while it may."""

    real: LocalEmbedder = field(
        default_factory=lambda: LocalEmbedder.open(chunker=CHUNKER, threads=1, begin_thread=give_way)
    )
    may_work: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def fingerprint(self) -> Fingerprint:
        return self.real.fingerprint

    @property
    def token_limit(self) -> int:
        return self.real.token_limit

    def count_tokens(self, text: str) -> int:
        return self.real.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self.real.embed_queries(texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        vectors: list[Vector] = []
        for text in texts:
            await self.may_work.wait()
            vectors.extend(await self.real.embed_passages((text,)))
        return tuple(vectors)


class _Told(NoProgress):
    def begin(self, stage: Stage, total: int | None = None) -> None:
        if stage is Stage.EMBEDDING and total:
            print(EMBEDDING, flush=True)  # noqa: T201 - the benchmark reads it


async def sync(place: Path, folder: Path, embedder: PausingEmbedder, progress: Progress) -> None:
    async with opened_knowledge(Settings(data_dir=place)) as knowledge:
        job = KnowledgeSync(
            embedder=embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        await job.ship_calibration(knowledge.shipped)
        await job.run(MarkdownFolder(folder), progress=progress)


async def _until_told(place: Path, folder: Path) -> None:
    """Sync, or stop and release the lock when the benchmark has seen enough."""
    stop, embedder = asyncio.Event(), PausingEmbedder()
    loop = asyncio.get_running_loop()
    for number, work in (
        (signal.SIGTERM, stop.set),
        (PAUSE, embedder.may_work.clear),
        (GO_ON, embedder.may_work.set),
    ):
        loop.add_signal_handler(number, work)
    await until_stopped(lambda: sync(place, folder, embedder, _Told()), stop)


if __name__ == "__main__":
    asyncio.run(_until_told(Path(sys.argv[1]), Path(sys.argv[2])))

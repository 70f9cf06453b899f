"""`python -m tests.bench.resync_job PLACE FOLDER`: a sync with one embedder thread, in a process of its own like `python -m kb_sync`.

It prints a line when it begins to embed, so that the benchmark knows from when on the two share the machine.
"""

import asyncio
import signal
import sys
from pathlib import Path

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.system_clock import SystemClock
from bot.core.chunking import CHUNKER
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from kb_sync.job import KnowledgeSync
from kb_sync.priority import give_way
from kb_sync.progress import NoProgress, Progress, Stage
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.worker import until_stopped

EMBEDDING = "embedding"


class _Told(NoProgress):
    def begin(self, stage: Stage, total: int | None = None) -> None:
        if stage is Stage.EMBEDDING and total:
            print(EMBEDDING, flush=True)  # noqa: T201 - the benchmark reads it


async def sync(place: Path, folder: Path, progress: Progress) -> None:
    embedder = LocalEmbedder.open(chunker=CHUNKER, threads=1)
    async with opened_knowledge(Settings(data_dir=place)) as knowledge:
        job = KnowledgeSync(
            embedder=embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        await job.ship_calibration(knowledge.shipped)
        await job.run(MarkdownFolder(folder), progress=progress)


async def _until_told(place: Path, folder: Path) -> None:
    """Sync, or stop and release the lock when the benchmark has seen enough."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await until_stopped(lambda: sync(place, folder, _Told()), stop)


if __name__ == "__main__":
    give_way()
    asyncio.run(_until_told(Path(sys.argv[1]), Path(sys.argv[2])))

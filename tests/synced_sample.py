"""The sample knowledge base, synced once for the whole run by the real job with the real embedder."""

import asyncio
from pathlib import Path

import pytest

from bot.adapters.system_clock import SystemClock
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder

SAMPLE_ARTICLES = Path(__file__).parents[1] / "kb_sync" / "sample" / "articles"


@pytest.fixture(scope="session")
def synced_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data directory of the synced sample; a test that writes takes a copy.

    The first test that asks for it waits half a minute, so modules that do carry a longer timeout.
    """
    folder = tmp_path_factory.mktemp("sample")
    asyncio.run(sync(SAMPLE_ARTICLES, folder))
    return folder


async def sync(articles: Path, data_dir: Path, *, with_calibration: bool = True) -> None:
    """Sync a folder of articles as `python -m kb_sync` does."""
    async with opened_knowledge(Settings(data_dir=data_dir)) as knowledge:
        job = KnowledgeSync(
            embedder=knowledge.embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        if with_calibration:
            await job.ship_calibration(knowledge.shipped)
        await job.run(MarkdownFolder(articles), progress=NoProgress())

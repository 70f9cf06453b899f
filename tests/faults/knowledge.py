"""Two articles, synced with the shipped embedder, and a calibration that lets the questions of these tests through."""

import asyncio
from pathlib import Path

from bot.adapters.system_clock import SystemClock
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.kb_sync.folders import write_article
from tests.knowledge_builders import a_calibration

QUESTION = "When is support open?"
UNCOVERED = "What is the capital of France?"
FOR_A_PERSON = "I want to talk to a person"

HOURS = """
Support is open from 8 to 20 on workdays.

## Weekends

On Saturday support is open from 10 to 16. On Sunday it is closed.

## Holidays

Support is closed on 25 December and 1 January.
"""
INVOICES = "Open **Wallet > Invoices**, and download the invoice of each payment as a PDF file."


def write_articles(folder: Path) -> Path:
    """Write the articles, and return the folder that holds them."""
    write_article(folder, "hours.md", "id: 1\ntitle: When support is open", HOURS)
    write_article(folder, "invoices.md", "id: 2\ntitle: Invoices", INVOICES)
    return folder


def make_knowledge(folder: Path) -> Path:
    """Sync the articles into a new data directory, and return that."""
    data_dir = folder / "data"
    asyncio.run(sync(write_articles(folder / "articles"), Settings(data_dir=data_dir)))
    return data_dir


async def calibrate(place: Path | Settings) -> None:
    """Store a threshold, whatever ships with the embedder."""
    settings = place if isinstance(place, Settings) else Settings(data_dir=place)
    async with opened_knowledge(settings) as opened:
        opened.writer.store_calibration(a_calibration(fingerprint=str(opened.embedder.fingerprint)))


async def sync(articles: Path, settings: Settings) -> None:
    """Bring the articles into the knowledge base, and calibrate it."""
    async with opened_knowledge(settings) as opened:
        job = KnowledgeSync(
            embedder=opened.embedder, index=opened.index, writer=opened.writer, clock=SystemClock()
        )
        await job.run(MarkdownFolder(articles), progress=NoProgress())
    await calibrate(settings)

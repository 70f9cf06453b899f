"""Syncs: how fast articles are hashed and re-read unchanged, and how near a first sync comes to the bare embedder."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from rich.table import Table

from bot.adapters.system_clock import SystemClock
from bot.core.chunking import TokenLimit, passages_of
from bot.core.knowledge import Article
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.model_ports import Embedder
from bot.settings import Settings
from kb_sync.digest import article_digest
from kb_sync.embedding import batch_size, slices
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.fields import cleaned_article
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.bench.copies import SAMPLE, copy_articles

COPIES = 25
READS = 5
ROUNDS = 3
WANTED = 5_000  # articles hashed in a second


async def sync_table(directory: Path) -> Table:
    table = Table(title="Syncs of the sample articles, SQLite; what is compared takes turns in one run")
    for heading in ("", "a second", "beside"):
        table.add_column(heading, justify="right" if heading else "left")
    articles = copy_articles(directory / "copies", copies=COPIES)
    read = await _articles(directory / "copies")
    table.add_row("articles hashed", f"{_hashed_a_second(read):,.0f}", f"{WANTED:,} wanted")
    unchanged = articles / await _unchanged_s(directory)
    table.add_row(f"articles of an unchanged re-sync, {articles:,} of them", f"{unchanged:,.0f}", "")
    synced, bare = await _embedded_a_second(directory)
    table.add_row("passages of a first sync", f"{synced:.1f}", f"{synced / bare:.2f} of the bare embedder")
    return table


def _hashed_a_second(articles: Sequence[Article]) -> float:
    return len(articles) / median(_hashed_s(articles) for _ in range(READS))


def _hashed_s(articles: Sequence[Article]) -> float:
    started = time.perf_counter()
    for article in articles:
        article_digest(article)
    return time.perf_counter() - started


async def _unchanged_s(directory: Path) -> float:
    """Return how long a sync takes that reads and hashes every article and finds nothing new."""
    async with _opened(directory / "unchanged") as knowledge:
        times = [await _synced_s(knowledge, directory / "copies") for _ in range(1 + READS)]
    return median(times[1:])


async def _embedded_a_second(directory: Path) -> tuple[float, float]:
    """Return passages a second of first syncs, and of the embedder alone in batches of the same size."""
    synced, bare = [], []
    passages = 0
    for number in range(ROUNDS):
        async with _opened(directory / f"first{number}") as knowledge:
            texts = await _texts(knowledge.embedder)
            passages = len(texts)
            bare.append(await _embedded_s(knowledge.embedder, texts))
            synced.append(await _synced_s(knowledge, SAMPLE))
    return passages / median(synced), passages / median(bare)


@asynccontextmanager
async def _opened(place: Path) -> AsyncIterator[Knowledge]:
    async with opened_knowledge(Settings(data_dir=place)) as knowledge:
        yield knowledge


async def _synced_s(knowledge: Knowledge, folder: Path) -> float:
    job = KnowledgeSync(
        embedder=knowledge.embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
    )
    started = time.perf_counter()
    await job.run(MarkdownFolder(folder), progress=NoProgress())
    return time.perf_counter() - started


async def _embedded_s(embedder: Embedder, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    for batch in slices(texts, batch_size(len(texts))):
        await embedder.embed_passages(batch)
    return time.perf_counter() - started


async def _texts(embedder: Embedder) -> tuple[str, ...]:
    limit = TokenLimit(tokens=embedder.token_limit, count=embedder.count_tokens)
    cut = (passages_of(cleaned_article(one), limit) for one in await _articles(SAMPLE))
    return tuple(dict.fromkeys(passage.embedded_text for passages in cut for passage in passages))


async def _articles(folder: Path) -> tuple[Article, ...]:
    return tuple(one.article for one in (await MarkdownFolder(folder).read(NoProgress())).articles)

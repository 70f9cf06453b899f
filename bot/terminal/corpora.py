"""An index of a file of articles, made for one command and thrown away; vectors are kept by their text's digest."""

import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.progress import Progress

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.core.chunking import TokenLimit, passages_of
from bot.core.indexing import passage_digest
from bot.core.knowledge import Article, Calibration, IndexState, Passage, Vector
from bot.errors import IndexNotReady
from bot.evaluation.corpus import read_corpus
from bot.knowledge_wiring import Knowledge
from bot.model_ports import Embedder
from bot.ports import PassageIndex
from bot.sync_ports import GenerationCheck, KnowledgeWriter, RunRecord

_BATCH = 64


@asynccontextmanager
async def opened_articles(
    corpus: Path | None, knowledge: Knowledge, progress: Progress
) -> AsyncIterator[PassageIndex]:
    """Open an index of the articles in *corpus*, or the synced one; IndexNotReady when nothing was synced."""
    status = await knowledge.index.status()
    if corpus is None:
        if status.state is not IndexState.READY:
            raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")
        yield knowledge.index
        return
    embedder, kept = knowledge.embedder, knowledge.writer
    async with indexed_corpus(corpus, embedder, kept, progress, calibration=status.calibration) as index:
        yield index


@asynccontextmanager
async def indexed_corpus(
    file: Path,
    embedder: Embedder,
    kept: KnowledgeWriter,
    progress: Progress,
    *,
    calibration: Calibration | None,
    kb: str | None = None,
) -> AsyncIterator[PassageIndex]:
    """Index the articles in *file*, or only those of *kb*, for a gate with *calibration*.

    Texts whose vectors *kept* knows are not embedded again.
    """
    fingerprint = str(embedder.fingerprint)
    limit = TokenLimit(tokens=embedder.token_limit, count=embedder.count_tokens)
    cut = [(article, passages_of(article, limit)) for article in read_corpus(file, kb=kb)]
    passages = [passage for _, mine in cut for passage in mine]
    vectors = await _vectors(passages, embedder, kept, progress)
    with tempfile.TemporaryDirectory(prefix="candor-corpus-") as folder:
        database = SqliteDatabase.open(Path(folder) / "corpus.db")
        try:
            writer = SqliteKnowledgeWriter(database)
            _write(cut, vectors, writer, fingerprint)
            if calibration is not None:
                writer.store_calibration(calibration)
            yield SqlitePassageIndex(database, fingerprint=fingerprint)
        finally:
            database.close()


async def _vectors(
    passages: Sequence[Passage], embedder: Embedder, kept: KnowledgeWriter, progress: Progress
) -> Mapping[str, Vector]:
    fingerprint = str(embedder.fingerprint)
    texts = {passage_digest(p.embedded_text): p.embedded_text for p in passages}
    known = dict(kept.known_vectors(fingerprint, tuple(texts)))
    missing = [digest for digest in texts if digest not in known]
    for start in progress.track(range(0, len(missing), _BATCH), description="Embedding passages"):
        batch = missing[start : start + _BATCH]
        fresh = await embedder.embed_passages([texts[digest] for digest in batch])
        kept.remember_vectors(fingerprint, dict(zip(batch, fresh, strict=True)))
        known.update(zip(batch, fresh, strict=True))
    return known


def _write(
    cut: Sequence[tuple[Article, Sequence[Passage]]],
    vectors: Mapping[str, Vector],
    writer: KnowledgeWriter,
    fingerprint: str,
) -> None:
    writer.remember_vectors(fingerprint, vectors)
    token = writer.take_lock("corpus", now_ms=0, until_ms=1)
    build = writer.open_build(token, fingerprint, at_ms=0)
    for article, passages in cut:
        writer.replace_article(token, build, article, article.id, passages, at_ms=0)
    run = RunRecord(id="corpus", source="corpus", started_ms=0, ended_ms=0, outcome="done", seen=len(cut))
    check = GenerationCheck(articles=len(cut), passages=sum(len(passages) for _, passages in cut))
    writer.publish(token, build, run, check)

"""The knowledge side, opened: embedder, passage index, knowledge writer and the calibration that ships for the embedder.

`bot` and `kb_sync` both open it here, so that they can never differ about where the passages are or what made them.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bot.adapters.sqlite.catalogue import SqliteArticleCatalogue
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.content_ports import ArticleCatalogue
from bot.core.knowledge import Calibration
from bot.embedding_wiring import opened_embedding
from bot.errors import Misconfigured
from bot.model_ports import Embedder, Reranker
from bot.places import articles_at, database_file
from bot.ports import PassageIndex
from bot.settings import Settings
from bot.stores import ArticleStores
from bot.sync_ports import KnowledgeWriter

SHIPPED_CALIBRATIONS = Path(__file__).parent / "adapters" / "local_embedder" / "files" / "calibration.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What reads and writes the knowledge base.

    `shipped` is None when the embedder was never measured before, `reranker` where candidates are not looked at again.
    """

    embedder: Embedder
    index: PassageIndex
    writer: KnowledgeWriter
    catalogue: ArticleCatalogue
    shipped: Calibration | None
    reranker: Reranker | None = None


@asynccontextmanager
async def opened_knowledge(
    settings: Settings, *, begin_thread: Callable[[], None] | None = None
) -> AsyncIterator[Knowledge]:
    """Open the knowledge side; Misconfigured when the model, the file or the database cannot be used.

    *begin_thread* is called in each thread that embeds on this machine, before it does.
    """
    async with opened_embedding(settings, begin_thread=begin_thread) as embedding:
        fingerprint = str(embedding.embedder.fingerprint)
        async with _opened_articles(settings, fingerprint) as articles:
            yield Knowledge(
                embedder=embedding.embedder,
                index=articles.index,
                writer=articles.writer,
                catalogue=articles.catalogue,
                shipped=shipped_calibration(fingerprint),
                reranker=embedding.reranker,
            )


@asynccontextmanager
async def _opened_articles(settings: Settings, fingerprint: str) -> AsyncIterator[ArticleStores]:
    if (access := articles_at(settings)) is not None:
        from bot.mongo_knowledge_wiring import opened_mongo_articles  # noqa: PLC0415 - only where it is chosen

        async with opened_mongo_articles(access, fingerprint) as articles:
            yield articles
        return
    database = SqliteDatabase.open(database_file(settings))
    try:
        yield ArticleStores(
            index=SqlitePassageIndex(database, fingerprint=fingerprint),
            writer=SqliteKnowledgeWriter(database),
            catalogue=SqliteArticleCatalogue(database),
        )
    finally:
        database.close()


def shipped_calibration(fingerprint: str, file: Path = SHIPPED_CALIBRATIONS) -> Calibration | None:
    """Return the calibration in *file* for *fingerprint*; None when there is none. The file holds a JSON list."""
    if not file.is_file():
        return None
    try:
        known = TypeAdapter(list[Calibration]).validate_json(file.read_bytes())
    except ValidationError as exc:
        raise Misconfigured(f"{file}: is no list of calibrations; install Candor again") from exc
    return next((one for one in known if one.fingerprint == fingerprint), None)

"""The knowledge side, opened: embedder, passage index, knowledge writer and the calibration that ships for the embedder.

`bot` and `kb_sync` both open it here, so that they can never differ about where the passages are or what made them.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr, TypeAdapter, ValidationError

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.sqlite.catalogue import SqliteArticleCatalogue
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.adapters.system_clock import SystemClock
from bot.content_ports import ArticleCatalogue
from bot.core.chunking import CHUNKER
from bot.core.knowledge import Calibration
from bot.errors import Misconfigured
from bot.model_ports import Embedder, Reranker
from bot.ports import PassageIndex
from bot.settings import Settings
from bot.sync_ports import KnowledgeWriter

SHIPPED_CALIBRATIONS = Path(__file__).parent / "adapters" / "local_embedder" / "files" / "calibration.json"
_DATABASE = "candor.db"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Embedding:
    embedder: Embedder
    reranker: Reranker | None = None


def database_file(settings: Settings) -> Path:
    """Return the file that holds conversations and passages."""
    return settings.data_dir / _DATABASE


@asynccontextmanager
async def opened_knowledge(settings: Settings) -> AsyncIterator[Knowledge]:
    """Open the knowledge side; Misconfigured when the model or the file cannot be used."""
    async with _opened_embedding(settings) as embedding:
        database = SqliteDatabase.open(database_file(settings))
        try:
            fingerprint = str(embedding.embedder.fingerprint)
            yield Knowledge(
                embedder=embedding.embedder,
                index=SqlitePassageIndex(database, fingerprint=fingerprint),
                writer=SqliteKnowledgeWriter(database),
                catalogue=SqliteArticleCatalogue(database),
                shipped=shipped_calibration(fingerprint),
                reranker=embedding.reranker,
            )
        finally:
            database.close()


@asynccontextmanager
async def _opened_embedding(settings: Settings) -> AsyncIterator[_Embedding]:
    """Open the embedder that the settings choose: Voyage where there is a key, else the one on this machine."""
    if settings.voyage_api_key is not None:
        async with _opened_voyage(settings, settings.voyage_api_key) as embedding:
            yield embedding
        return
    embedder = LocalEmbedder.open(chunker=CHUNKER, folder=settings.embedding_model)
    try:
        yield _Embedding(embedder=embedder)
    finally:
        embedder.close()


@asynccontextmanager
async def _opened_voyage(settings: Settings, key: SecretStr) -> AsyncIterator[_Embedding]:
    # Importing the client takes a second and a half: only where it is chosen.
    from bot.adapters.voyage.opening import Surroundings, VoyageAccess, opened_voyage  # noqa: PLC0415

    access = VoyageAccess(
        api_key=key.get_secret_value(),
        base_url=settings.voyage_base_url,
        model=settings.voyage_model,
        dimension=settings.voyage_dimension,
        rerank_model=settings.voyage_rerank_model,
    )
    around = Surroundings(monotonic_s=SystemClock().monotonic_s, sleep=asyncio.sleep, jitter=random.random)
    async with opened_voyage(access, around, chunker=CHUNKER) as voyage:
        yield _Embedding(embedder=voyage.embedder, reranker=voyage.reranker)


def shipped_calibration(fingerprint: str, file: Path = SHIPPED_CALIBRATIONS) -> Calibration | None:
    """Return the calibration in *file* for *fingerprint*; None when there is none. The file holds a JSON list."""
    if not file.is_file():
        return None
    try:
        known = TypeAdapter(list[Calibration]).validate_json(file.read_bytes())
    except ValidationError as exc:
        raise Misconfigured(f"{file}: is no list of calibrations; install Candor again") from exc
    return next((one for one in known if one.fingerprint == fingerprint), None)

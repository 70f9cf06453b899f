"""Opens the embedder that the settings choose, and what looks at candidates once more where there is something."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pydantic import SecretStr

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.system_clock import SystemClock
from bot.core.chunking import CHUNKER
from bot.model_ports import Embedder, Reranker
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """What makes vectors; `reranker` is None where candidates are not looked at again."""

    embedder: Embedder
    reranker: Reranker | None = None


@asynccontextmanager
async def opened_embedding(
    settings: Settings, *, begin_thread: Callable[[], None] | None = None
) -> AsyncIterator[Embedding]:
    """Open the embedder that the settings choose: Voyage where there is a key, else the one on this machine.

    *begin_thread* is called in each thread that embeds here, before it does.
    """
    if settings.voyage_api_key is not None:
        async with _opened_voyage(settings, settings.voyage_api_key) as embedding:
            yield embedding
        return
    embedder = LocalEmbedder.open(chunker=CHUNKER, folder=settings.embedding_model, begin_thread=begin_thread)
    try:
        yield Embedding(embedder=embedder)
    finally:
        embedder.close()


@asynccontextmanager
async def _opened_voyage(settings: Settings, key: SecretStr) -> AsyncIterator[Embedding]:
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
        yield Embedding(embedder=voyage.embedder, reranker=voyage.reranker)

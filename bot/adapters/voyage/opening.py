"""Opens Voyage from plain values. No call is made: a key that is rejected is noticed by the first text."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from bot.adapters.voyage.client import Surroundings, VoyageClient
from bot.adapters.voyage.embedder import VoyageEmbedder
from bot.adapters.voyage.reranker import VoyageReranker

__all__ = ["Surroundings", "Voyage", "VoyageAccess", "opened_voyage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageAccess:
    """What an operator sets; `rerank_model` is None where candidates are not looked at again."""

    api_key: str
    base_url: str
    model: str
    dimension: int
    rerank_model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Voyage:
    """What was opened."""

    embedder: VoyageEmbedder
    reranker: VoyageReranker | None


@asynccontextmanager
async def opened_voyage(access: VoyageAccess, around: Surroundings, *, chunker: str) -> AsyncIterator[Voyage]:
    """Open a pool of connections to Voyage; it keeps no cookies."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        client = VoyageClient(
            api_key=access.api_key,
            base_url=f"{access.base_url.rstrip('/')}/v1",
            session=session,
            around=around,
        )
        yield Voyage(
            embedder=VoyageEmbedder(
                client=client, model=access.model, dimension=access.dimension, chunker=chunker
            ),
            reranker=VoyageReranker(client=client, model=access.rerank_model)
            if access.rerank_model
            else None,
        )

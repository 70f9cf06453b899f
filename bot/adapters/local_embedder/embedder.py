"""The Embedder port over the local sentence model, on threads of its own so that the event loop never waits for it."""

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from bot.adapters.local_embedder.locate import folder_model, shipped_model
from bot.core.knowledge import Fingerprint, Vector
from bot.core.vectors import checked_vectors
from bot.errors import RetrievalUnavailable

THREADS = 2
REMEMBERED_QUERIES = 2_048


class _Model(Protocol):
    @property
    def dimension(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    def embed(self, text: str) -> Sequence[float]: ...


class LocalEmbedder:
    """Embeds on this machine. An empty text has a vector too, one that is near nothing in particular."""

    def __init__(
        self,
        model: _Model,
        fingerprint: Fingerprint,
        *,
        token_limit: int,
        threads: int = THREADS,
        begin_thread: Callable[[], None] | None = None,
    ) -> None:
        self._model = model
        self._fingerprint = fingerprint
        self._token_limit = token_limit
        self._threads = ThreadPoolExecutor(
            max_workers=threads, thread_name_prefix="embedder", initializer=begin_thread
        )
        self._queries: OrderedDict[str, array[float]] = OrderedDict()

    @classmethod
    def open(
        cls,
        *,
        chunker: str,
        folder: Path | None = None,
        threads: int = THREADS,
        begin_thread: Callable[[], None] | None = None,
    ) -> "LocalEmbedder":
        """Load the shipped model, or the one in *folder*; Misconfigured when it cannot be used. Takes about a second.

        Each thread calls *begin_thread* first.
        """
        from bot.adapters.local_embedder.model import TOKEN_LIMIT, SentenceModel  # noqa: PLC0415 - heavy, only if chosen

        files = shipped_model() if folder is None else folder_model(folder)
        model = SentenceModel(files)
        fingerprint = Fingerprint(
            provider="local", model=files.name, dimension=model.dimension, chunker=chunker
        )
        return cls(model, fingerprint, token_limit=TOKEN_LIMIT, threads=threads, begin_thread=begin_thread)

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    @property
    def token_limit(self) -> int:
        return self._token_limit

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Embed queries; the newest ones are remembered, because a window is asked for again when a turn is repeated."""
        known = {text: self._recall(text) for text in texts if text in self._queries}
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        fresh = dict(zip(unknown, await self.embed_passages(unknown), strict=True))
        self._remember(fresh)
        found = known | fresh
        return tuple(found[text] for text in texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        vectors = await asyncio.gather(*(self._embed(text) for text in texts))
        return checked_vectors(vectors, count=len(texts), dimension=self._fingerprint.dimension)

    def close(self) -> None:
        """Stop the threads; texts that wait are dropped, and later calls raise RetrievalUnavailable."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _embed(self, text: str) -> Sequence[float]:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._model.embed, text)
        except Exception as exc:
            raise RetrievalUnavailable("the local embedder failed") from exc

    def _recall(self, text: str) -> Vector:
        self._queries.move_to_end(text)
        return tuple(self._queries[text])

    def _remember(self, fresh: dict[str, Vector]) -> None:
        # 4 bytes a number instead of 32; exact, because the model computes in this precision.
        self._queries.update((text, array("f", vector)) for text, vector in fresh.items())
        while len(self._queries) > REMEMBERED_QUERIES:
            self._queries.popitem(last=False)

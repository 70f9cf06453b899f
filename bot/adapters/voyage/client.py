"""Asks Voyage through its own client, one connection pool, within a deadline that its retries share. Failures are RetrievalUnavailable."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
import voyageai
from voyageai.api_resources import Embedding, Reranking

from bot.adapters.voyage.failures import pause_after, to_error
from bot.errors import RetrievalUnavailable

Read = TypeVar("Read")

SHORTEST_S = 0.001  # the client takes 0 for its own ten minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Time and chance, so that tests own both; `jitter` returns a number between 0 and 1."""

    monotonic_s: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    jitter: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long one request may take, its retries included, and how long a single attempt."""

    within_s: float
    attempt_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageClient:
    """Sends requests. The client's `AsyncClient` is passed by: it drops the model's name and the order of an answer."""

    api_key: str
    base_url: str
    session: aiohttp.ClientSession
    around: Surroundings

    async def embeddings(
        self,
        texts: Sequence[str],
        read: Callable[[object], Read],
        *,
        model: str,
        dimension: int | None,
        input_type: str,
        patience: Patience,
    ) -> Read:
        """Ask for vectors and return what *read* makes of the answer; *dimension* None is the model's own."""

        async def attempt(timeout_s: float) -> object:
            return await Embedding.acreate(  # type: ignore[no-untyped-call]  # it has no annotations
                input=list(texts),
                model=model,
                input_type=input_type,
                truncation=False,
                output_dimension=dimension,
                **self._access(timeout_s),
            )

        return await self._asked(attempt, read, patience)

    async def relevance(
        self,
        question: str,
        texts: Sequence[str],
        read: Callable[[object], Read],
        *,
        model: str,
        patience: Patience,
    ) -> Read:
        """Ask how relevant *texts* are to *question* and return what *read* makes of the answer."""

        async def attempt(timeout_s: float) -> object:
            return await Reranking.acreate(  # type: ignore[no-untyped-call]  # it has no annotations
                query=question,
                documents=list(texts),
                model=model,
                top_k=None,
                truncation=False,
                **self._access(timeout_s),
            )

        return await self._asked(attempt, read, patience)

    def _access(self, timeout_s: float) -> dict[str, object]:
        return {"api_key": self.api_key, "base_url": self.base_url, "request_timeout": timeout_s}

    async def _asked(
        self,
        attempt: Callable[[float], Awaitable[object]],
        read: Callable[[object], Read],
        patience: Patience,
    ) -> Read:
        deadline_s = self.around.monotonic_s() + patience.within_s
        tried = 0
        while True:
            left_s = deadline_s - self.around.monotonic_s()
            try:
                with self._pooled():
                    answer = await attempt(max(SHORTEST_S, min(patience.attempt_s, left_s)))
                return read(answer)
            except RetrievalUnavailable:
                raise  # the answer was read, and is not what was asked for: it will not be the next time
            except Exception as failure:  # the design: the client raises more than its own errors
                left_s = deadline_s - self.around.monotonic_s()
                pause_s = pause_after(failure, attempt=tried, left_s=left_s, jitter=self.around.jitter())
                if pause_s is None:
                    raise to_error(failure) from failure
            await self.around.sleep(pause_s)
            tried += 1

    @contextmanager
    def _pooled(self) -> Iterator[None]:
        """Let the client use our connections: by itself it opens, and closes, a new one for every request."""
        before = voyageai.aiosession.set(self.session)
        try:
            yield
        finally:
            voyageai.aiosession.reset(before)

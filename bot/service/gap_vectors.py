"""The vectors of questions, each embedded once in a process and a few at a time, so that customers' turns go between them."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence

from bot.core.knowledge import Fingerprint, Vector
from bot.model_ports import Embedder

BATCH_TEXTS = 8
BATCH_CHARACTERS = 600  # about 150 tokens, 60 ms of the embedder that ships: so long a turn waits at most


class RememberedVectors:
    """An embedder of queries that knows those of the last report. It keeps digests, and none of the customers' texts."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[bytes, array[float]] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        return self._embedder.fingerprint

    @property
    def token_limit(self) -> int:
        return self._embedder.token_limit

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Return the vectors in order; what was embedded before a failure stays known, so that a second try goes on from there."""
        unknown = [text for text in dict.fromkeys(texts) if digest(text) not in self._known]
        for batch in batches(unknown):
            vectors = await self._embedder.embed_queries(batch)
            self._known.update(
                (digest(text), array("f", vector)) for text, vector in zip(batch, vectors, strict=True)
            )
        return tuple(tuple(self._known[digest(text)]) for text in texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._embedder.embed_passages(texts)

    def keep(self, texts: Iterable[str]) -> None:
        """Forget the vectors of all other texts: what was erased, or is too old, leaves nothing behind."""
        wanted = {digest(text) for text in texts}
        self._known = {known: vector for known, vector in self._known.items() if known in wanted}


def batches(texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the texts in order, few at a time, and a long one alone."""
    batch: tuple[str, ...] = ()
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or sum(map(len, (*batch, text))) > BATCH_CHARACTERS):
            yield batch
            batch = ()
        batch = (*batch, text)
    if batch:
        yield batch


def digest(text: str) -> bytes:
    """Return what stands for a text whose words are not kept."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

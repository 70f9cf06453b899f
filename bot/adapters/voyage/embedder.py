"""The Embedder port over Voyage. A question and a passage are embedded differently, so both input types belong to the fingerprint."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.adapters.voyage.client import Patience, VoyageClient
from bot.adapters.voyage.replies import to_vectors
from bot.adapters.voyage.sizes import TOKEN_LIMIT, batches, sendable, token_bound
from bot.core.knowledge import Fingerprint, Vector

QUERY = "query"
DOCUMENT = "document"
USUAL_DIMENSION = 1024  # what the current models give when no dimension is asked for
QUERIES = Patience(
    within_s=9.0, attempt_s=4.0
)  # a second below the turn's own limit, so that the failure keeps its name
PASSAGES = Patience(within_s=60.0, attempt_s=25.0)  # a sync has time, and batches are large


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageEmbedder:
    """Embeds over the network; nothing is asked before the first text."""

    client: VoyageClient
    model: str
    dimension: int
    chunker: str
    queries: Patience = QUERIES
    passages: Patience = PASSAGES

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(
            provider="voyage",
            model=f"{self.model}:{QUERY}+{DOCUMENT}",
            dimension=self.dimension,
            chunker=self.chunker,
        )

    @property
    def token_limit(self) -> int:
        return TOKEN_LIMIT

    def count_tokens(self, text: str) -> int:
        """Return an upper bound; see `sizes` for why it is one."""
        return token_bound(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._embed(texts, QUERY, self.queries)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._embed(texts, DOCUMENT, self.passages)

    async def _embed(self, texts: Sequence[str], input_type: str, patience: Patience) -> tuple[Vector, ...]:
        """Embed batch after batch: side by side they would meet the rate limit together."""
        vectors: list[Vector] = []
        for batch in batches([sendable(text) for text in texts]):
            vectors.extend(await self._batch(batch, input_type, patience))
        return tuple(vectors)

    async def _batch(self, texts: Sequence[str], input_type: str, patience: Patience) -> tuple[Vector, ...]:
        return await self.client.embeddings(
            texts,
            partial(to_vectors, model=self.model, count=len(texts), dimension=self.dimension),
            model=self.model,
            dimension=None if self.dimension == USUAL_DIMENSION else self.dimension,
            input_type=input_type,
            patience=patience,
        )

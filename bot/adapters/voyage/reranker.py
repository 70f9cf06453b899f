"""The Reranker port over Voyage: a model that reads question and text together judges close candidates once more."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.adapters.voyage.client import Patience, VoyageClient
from bot.adapters.voyage.replies import to_scores
from bot.adapters.voyage.sizes import sendable

RERANKS = Patience(within_s=2.5, attempt_s=1.5)  # an improvement that nobody waits long for


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageReranker:
    """Scores a handful of texts in one request."""

    client: VoyageClient
    model: str
    patience: Patience = RERANKS

    async def rerank(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        if not texts:
            return ()
        return await self.client.relevance(
            sendable(question),
            [sendable(text) for text in texts],
            partial(to_scores, model=self.model, count=len(texts)),
            model=self.model,
            patience=self.patience,
        )

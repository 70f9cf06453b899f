"""Texts to remembered vectors: only what was never embedded before, within the run's budget.

Vectors are kept by the digest of their text as soon as they exist, so that a run which follows a crash embeds none twice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from bot.core.indexing import passage_digest
from bot.core.knowledge import Vector
from bot.errors import BudgetReached
from bot.model_ports import Embedder
from bot.sync_ports import KnowledgeWriter
from kb_sync.budget import TokenBudget

_LOOKED_UP = 500  # digests at once
_SMALLEST_BATCH, _LARGEST_BATCH = 16, 128
_BATCHES = 40  # a crash loses the vectors of one batch: a fortieth of the work

Item = TypeVar("Item")


class Embedding:
    """What one run embeds. `passages` and `tokens` count it."""

    def __init__(self, embedder: Embedder, writer: KnowledgeWriter, *, budget: int | None = None) -> None:
        self._embedder = embedder
        self._writer = writer
        self._fingerprint = str(embedder.fingerprint)
        self._budget = TokenBudget(budget, count=embedder.count_tokens)
        self.passages = 0

    @property
    def dimension(self) -> int:
        """Return the size of the vectors."""
        return self._embedder.fingerprint.dimension

    @property
    def tokens(self) -> int:
        """Return how many tokens were embedded."""
        return self._budget.spent

    def unknown(self, texts: Sequence[str]) -> Mapping[str, str]:
        """Return those that were never embedded before, by their digests."""
        by_digest = {passage_digest(text): text for text in texts}
        for some in slices(tuple(by_digest), _LOOKED_UP):
            for digest in self._writer.known_vectors(self._fingerprint, some):
                del by_digest[digest]
        return by_digest

    async def embed(self, unknown: Mapping[str, str], *, of: int, done: Callable[[int], None]) -> None:
        """Embed and remember passages; *done* hears of each batch. BudgetReached says how many of all, *of*, are embedded."""
        left = len(unknown)
        for batch in slices(tuple(unknown), batch_size(len(unknown))):
            allowed = self._budget.take([unknown[digest] for digest in batch])
            await self._remember({digest: unknown[digest] for digest in batch[:allowed]})
            left -= allowed
            done(allowed)
            if allowed < len(batch):
                raise BudgetReached(_reached(of - left, of, self.tokens))

    async def vectors_of(self, questions: Sequence[str]) -> tuple[Vector, ...]:
        """Return the vectors of questions, remembered under digests that no passage has; they are few, so no budget stops them."""
        digests = {text: passage_digest(f"query:{text}") for text in questions}
        known = dict(self._writer.known_vectors(self._fingerprint, tuple(digests.values())))
        fresh = [text for text, digest in digests.items() if digest not in known]
        if fresh:
            self._budget.spent += sum(self._embedder.count_tokens(text) for text in fresh)
            vectors = await self._embedder.embed_queries(fresh)
            found = {digests[text]: vector for text, vector in zip(fresh, vectors, strict=True)}
            self._writer.remember_vectors(self._fingerprint, found)
            known |= found
        return tuple(known[digests[text]] for text in questions)

    async def _remember(self, texts: Mapping[str, str]) -> None:
        if not texts:
            return
        vectors = await self._embedder.embed_passages(tuple(texts.values()))
        self._writer.remember_vectors(self._fingerprint, dict(zip(texts, vectors, strict=True)))
        self.passages += len(texts)


def batch_size(passages: int) -> int:
    """Return how many to embed at once, so that a crash costs little of the whole."""
    return max(_SMALLEST_BATCH, min(_LARGEST_BATCH, passages // _BATCHES))


def slices(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Cut *items* into runs of *size*."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _reached(embedded: int, of: int, tokens: int) -> str:
    return (
        f"{embedded} of {of} passages are embedded, and the budget of this run is used up ({tokens} tokens); "
        "nothing was changed: run again to go on, or allow more with --budget"
    )

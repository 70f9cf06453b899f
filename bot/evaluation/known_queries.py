"""An embedder that embeds no query twice, whichever process asked for it: query vectors are kept by the text's digest.

They lie beside the passages' vectors under a key of their own, because some models embed the same text differently as a query.
"""

from collections.abc import Sequence

from bot.core.indexing import passage_digest
from bot.core.knowledge import Fingerprint, Vector
from bot.model_ports import Embedder
from bot.sync_ports import KnowledgeWriter


class KnownQueries:
    """Embeds through another embedder, and only what *kept* does not know."""

    def __init__(self, embedder: Embedder, kept: KnowledgeWriter) -> None:
        self._embedder = embedder
        self._kept = kept
        self._known: dict[str, Vector] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        return self._embedder.fingerprint

    @property
    def token_limit(self) -> int:
        return self._embedder.token_limit

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        digests = {text: f"query:{passage_digest(text)}" for text in texts}
        fingerprint = str(self.fingerprint)
        unseen = [digest for digest in digests.values() if digest not in self._known]
        self._known.update(self._kept.known_vectors(fingerprint, unseen) if unseen else {})
        missing = [text for text, digest in digests.items() if digest not in self._known]
        if missing:
            vectors = await self._embedder.embed_queries(missing)
            fresh = {digests[text]: vector for text, vector in zip(missing, vectors, strict=True)}
            self._kept.remember_vectors(fingerprint, fresh)
            self._known.update(fresh)
        return tuple(self._known[digests[text]] for text in texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._embedder.embed_passages(texts)

"""An embedder without a model, for tests: texts that share words have near vectors, and the same text the same one."""

import hashlib
import math
import re
from collections.abc import Sequence

from bot.core.knowledge import Fingerprint, Vector
from bot.core.vectors import checked_vectors
from bot.errors import CandorError

_WORD = re.compile(r"\w+|[^\w\s]")
_SPECIAL_TOKENS = 2


class HashEmbedder:
    """A bag of words, each with a direction of its own from its hash. A test sets `fails` to make every call fail with it."""

    def __init__(self, *, dimension: int = 128, token_limit: int = 256, chunker: str = "test") -> None:
        self._fingerprint = Fingerprint(provider="memory", model="hash", dimension=dimension, chunker=chunker)
        self._token_limit = token_limit
        self.fails: CandorError | None = None
        self.embedded: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    @property
    def token_limit(self) -> int:
        return self._token_limit

    def count_tokens(self, text: str) -> int:
        return len(_words(text)) + _SPECIAL_TOKENS

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return self._embed(texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        if self.fails is not None:
            raise self.fails
        self.embedded.extend(texts)
        dimension = self._fingerprint.dimension
        vectors = [_vector(text, dimension) for text in texts]
        return checked_vectors(vectors, count=len(texts), dimension=dimension)


def _vector(text: str, dimension: int) -> Vector:
    directions = [_direction(word, dimension) for word in _words(text) or [""]]
    total = [sum(numbers) for numbers in zip(*directions, strict=True)]
    length = math.hypot(*total)
    return tuple(number / length for number in total)


def _direction(word: str, dimension: int) -> list[int]:
    """Return -1 or 1 in each dimension: words are nearly at right angles to each other."""
    bits = int.from_bytes(hashlib.shake_128(word.encode("utf-8", "replace")).digest(-(-dimension // 8)))
    return [1 if bits >> place & 1 else -1 for place in range(dimension)]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())

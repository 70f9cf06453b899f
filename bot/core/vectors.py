"""What a vector must be before anything is compared with it or stored (FAULTS R-L14)."""

import math
from collections.abc import Sequence

from bot.core.knowledge import Vector
from bot.errors import RetrievalUnavailable

LENGTH_TOLERANCE = 1e-3


def checked_vectors(vectors: Sequence[Sequence[float]], *, count: int, dimension: int) -> tuple[Vector, ...]:
    """Return *vectors* as unit vectors; RetrievalUnavailable unless all are there, of this dimension and unit length."""
    if len(vectors) != count:
        raise RetrievalUnavailable(f"the embedder returned {len(vectors)} vectors for {count} texts")
    return tuple(_checked(vector, dimension) for vector in vectors)


def checked_query(vector: Vector, *, dimension: int) -> Vector:
    """Return *vector*, of any length; RetrievalUnavailable unless its numbers are finite and it has this dimension."""
    if len(vector) != dimension:
        raise RetrievalUnavailable(f"the query has {len(vector)} dimensions, the index {dimension}")
    if not math.isfinite(math.hypot(*vector)):
        raise RetrievalUnavailable("the query vector has numbers that are not finite")
    return vector


def _checked(vector: Sequence[float], dimension: int) -> Vector:
    if len(vector) != dimension:
        raise RetrievalUnavailable(f"the embedder returned {len(vector)} dimensions instead of {dimension}")
    length = math.hypot(*vector)
    if not abs(length - 1) <= LENGTH_TOLERANCE:  # written so that NaN and infinity fail too
        raise RetrievalUnavailable(f"the embedder returned a vector of length {length:.4g} instead of 1")
    return tuple(vector)

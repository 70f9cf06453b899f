"""What Voyage answers, as vectors and scores. Pure; RetrievalUnavailable unless it is exactly what was asked for (FAULTS L13).

The client itself passes on too few vectors, other dimensions and NaN without a word, and drops the name of the model.
"""

import math
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.knowledge import Vector
from bot.core.vectors import checked_vectors
from bot.errors import RetrievalUnavailable


class _Untrusted(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class _Embedding(_Untrusted):
    index: int
    embedding: list[float]


class _Embeddings(_Untrusted):
    model: str
    data: list[_Embedding]


class _Relevance(_Untrusted):
    index: int
    relevance_score: float


class _Relevances(_Untrusted):
    model: str
    data: list[_Relevance]


Reply = TypeVar("Reply", _Embeddings, _Relevances)


def to_vectors(answer: object, *, model: str, count: int, dimension: int) -> tuple[Vector, ...]:
    """Return one unit vector for each text, in the order of the texts."""
    found = _read(_Embeddings, answer, model)
    ordered = sorted(found.data, key=lambda one: one.index)
    vectors = checked_vectors([one.embedding for one in ordered], count=count, dimension=dimension)
    _require_each([one.index for one in ordered])
    return tuple(_unit(vector) for vector in vectors)


def to_scores(answer: object, *, model: str, count: int) -> tuple[float, ...]:
    """Return the relevance of each text, in the order of the texts."""
    found = _read(_Relevances, answer, model)
    ordered = sorted(found.data, key=lambda one: one.index)
    if len(ordered) != count:
        raise RetrievalUnavailable(f"Voyage returned {len(ordered)} scores for {count} texts")
    _require_each([one.index for one in ordered])
    scores = tuple(one.relevance_score for one in ordered)
    if not all(math.isfinite(score) for score in scores):
        raise RetrievalUnavailable("Voyage returned a score that is not finite")
    return scores


def _read(form: type[Reply], answer: object, model: str) -> Reply:
    try:
        found = form.model_validate(answer)
    except ValidationError as wrong:  # its message quotes the answer
        raise RetrievalUnavailable(
            "what Voyage answered has not the form of an answer; check VOYAGE_BASE_URL"
        ) from wrong
    if found.model != model:
        raise RetrievalUnavailable(
            f"Voyage answered with the model {found.model[:80]!r} instead of {model!r}"
        )
    return found


def _require_each(indexes: Sequence[int]) -> None:
    if list(indexes) != list(range(len(indexes))):
        raise RetrievalUnavailable("Voyage's answer does not say which text each part belongs to")


def _unit(vector: Vector) -> Vector:
    """Take the last rounding out: 32-bit numbers leave a length of almost 1."""
    length = math.hypot(*vector)
    return tuple(number / length for number in vector)

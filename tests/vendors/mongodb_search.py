"""Vector search as Atlas documents it: what an index must be for a query to mean anything, and what a misspelt name answers. Pure.

The score is (1 + cosine) / 2. Whatever the search service would skip or refuse is skipped or refused here too (FAULTS §5.1).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Document = Mapping[str, Any]

ANSWERING = frozenset({"READY", "STALE"})


class SearchRefused(Exception):
    """The search service's own error."""


@dataclass(slots=True, kw_only=True)
class SearchIndex:
    """One vector index of a collection. It answers in the states of ANSWERING, and in no other."""

    name: str
    definition: Document
    status: str = "PENDING"
    unseen: set[str] = field(default_factory=set)  # ids of documents that it has not read yet

    @property
    def vector(self) -> Document:
        return next(one for one in self.definition["fields"] if one["type"] == "vector")

    @property
    def filters(self) -> frozenset[str]:
        return frozenset(one["path"] for one in self.definition["fields"] if one["type"] == "filter")

    def described(self) -> dict[str, object]:
        """Return what `$listSearchIndexes` says of it."""
        return {
            "id": f"id of {self.name}",
            "name": self.name,
            "type": "vectorSearch",
            "status": self.status,
            "queryable": self.status in ANSWERING,
            "latestDefinition": dict(self.definition),
        }


def searched(
    index: SearchIndex | None, stage: Document, documents: Iterable[Document]
) -> list[tuple[Document, float]]:
    """Return the documents that a `$vectorSearch` stage finds with their scores; SearchRefused."""
    if index is None or index.status == "PENDING":
        return []  # no error: a misspelt name finds nothing, and so does an index that nobody has begun to build
    if index.status not in ANSWERING:
        raise SearchRefused(f"cannot query vector index {index.name} while in state {index.status}")
    query = _query(index, stage)
    _require_indexed(index, stage.get("filter", {}))
    path = index.vector["path"]
    allowed = [
        one
        for one in documents
        if one["_id"] not in index.unseen
        and _fits(one.get(path), query)
        and _matches(one, stage.get("filter", {}))
    ]
    scored = [(one, _score(np.asarray(one[path]), query)) for one in allowed]
    return sorted(scored, key=lambda pair: -pair[1])[: stage["limit"]]


def _query(index: SearchIndex, stage: Document) -> np.ndarray:
    query = np.asarray(stage["queryVector"], dtype=np.float64)
    dimension = index.vector["numDimensions"]
    if len(query) != dimension:
        raise SearchRefused(
            f"{index.vector['path']} is indexed with {dimension} dimensions but queried with {len(query)}"
        )
    if not np.linalg.norm(query):
        raise SearchRefused("the query vector has no length")
    if not stage.get("exact") and not stage["limit"] <= stage.get("numCandidates", 0) <= 10_000:
        raise SearchRefused("numCandidates must lie between the limit and 10000 unless exact is true")
    return query / np.linalg.norm(query)


def _require_indexed(index: SearchIndex, wanted: Document) -> None:
    for path in _paths(wanted):
        if path not in index.filters:
            raise SearchRefused(f"Path '{path}' needs to be indexed as filter")


def _paths(wanted: Document) -> set[str]:
    found: set[str] = set()
    for name, value in wanted.items():
        found |= {name} if not name.startswith("$") else {path for one in value for path in _paths(one)}
    return found


def _fits(vector: Sequence[float] | None, query: np.ndarray) -> bool:
    """A stored vector of another size or without length is skipped without a word."""
    return vector is not None and len(vector) == len(query) and bool(np.linalg.norm(vector))


def _score(vector: np.ndarray, query: np.ndarray) -> float:
    return float((1 + vector @ query / np.linalg.norm(vector)) / 2)


def _matches(document: Document, wanted: Document) -> bool:
    return all(
        all(_matches(document, one) for one in value)
        if name == "$and"
        else _fits_one(document.get(name), value)
        for name, value in wanted.items()
    )


def _fits_one(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        return all(
            {"$in": lambda many: value in many, "$eq": lambda one: value == one}[how](what)
            for how, what in wanted.items()
        )
    return value == wanted

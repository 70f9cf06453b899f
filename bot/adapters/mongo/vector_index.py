"""What a generation's vector index must be before anything it says is believed (FAULTS §5.1, M1). Pure.

An index that is missing, misspelt or not begun answers every search with nothing and no error, so it is asked about, never assumed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.core.knowledge import IndexState

NAME = "vectors"
FILTERS = ("status", "locale")
EXACT_BELOW = 10_000  # passages: there an approximate search saves nothing and may miss (FAULTS §5.1)
CANDIDATES_FOR_EACH = 20
MOST_CANDIDATES = 10_000
_BUILDING = frozenset({"PENDING", "BUILDING", "NOT_STARTED", "INITIAL_SYNC"})


def definition(dimension: int) -> Mapping[str, object]:
    """Return the index of a generation whose vectors have *dimension* numbers."""
    vector = {"type": "vector", "path": "vector", "numDimensions": dimension, "similarity": "cosine"}
    return {"fields": [vector, *({"type": "filter", "path": one} for one in FILTERS)]}


def state_of(described: Sequence[Mapping[str, Any]], *, dimension: int) -> tuple[IndexState, str]:
    """Return whether the index can be searched, with a sentence on what is wrong; the sentence is empty when nothing is."""
    found = next((one for one in described if one["name"] == NAME), None)
    if found is None:
        return IndexState.MISSING, f"the vector index {NAME!r} is not there; run python -m kb_sync SOURCE"
    if problem := _problem(found.get("latestDefinition", {}), dimension):
        return (
            IndexState.MISMATCHED,
            f"the vector index {NAME!r} {problem}; drop it, and run python -m kb_sync SOURCE",
        )
    return _in_status(str(found.get("status", "UNKNOWN")), is_queryable=bool(found.get("queryable", False)))


def search_stage(
    vector: Sequence[float], *, limit: int, passages: int, wanted: Mapping[str, Sequence[str]]
) -> Mapping[str, Mapping[str, object]]:
    """Return the first stage of a search: exact in a small knowledge base, among enough candidates in a large one."""
    how: dict[str, object] = {"exact": True}
    if passages >= EXACT_BELOW:
        how = {"numCandidates": min(MOST_CANDIDATES, max(limit, CANDIDATES_FOR_EACH * limit))}
    filters = [{path: {"$in": list(values)}} for path, values in sorted(wanted.items())]
    return {
        "$vectorSearch": {
            "index": NAME,
            "path": "vector",
            "queryVector": [float(one) for one in vector],  # integers would find nothing, without an error
            "limit": limit,
            **({"filter": {"$and": filters}} if filters else {}),
            **how,
        }
    }


def cosine_of(score: float, *, length: float = 1.0) -> float:
    """Return the raw cosine, times the query's length, that Atlas reports as (1 + cosine) / 2."""
    return (2 * score - 1) * length


def _in_status(status: str, *, is_queryable: bool) -> tuple[IndexState, str]:
    named = f"the vector index {NAME!r}"
    if status in _BUILDING:
        return IndexState.BUILDING, f"{named} is being built ({status}); wait for it"
    if status == "STALE" or status.startswith("RECOVERING"):
        return (
            IndexState.STALE,
            f"{named} answers with what it had ({status}), and does not follow its passages; "
            "see the server's own messages",
        )
    if status != "READY" or not is_queryable:
        return IndexState.FAILED, f"{named} is in state {status}; see the server's own messages"
    return IndexState.READY, ""


def _problem(latest: Mapping[str, Any], dimension: int) -> str:
    fields = latest.get("fields", [])
    vector = next(
        (one for one in fields if one.get("type") == "vector" and one.get("path") == "vector"), None
    )
    if vector is None:
        return "has no field 'vector'"
    if vector.get("numDimensions") != dimension:
        return f"has {vector.get('numDimensions')} dimensions, but its passages have {dimension}"
    if vector.get("similarity") != "cosine":
        return f"compares by {vector.get('similarity')}, not by cosine"
    filters = {one.get("path") for one in fields if one.get("type") == "filter"}
    missing = [path for path in FILTERS if path not in filters]
    return f"does not filter by {' and '.join(missing)}" if missing else ""

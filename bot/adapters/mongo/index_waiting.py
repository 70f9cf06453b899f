"""Waits until the vector index of a generation can be searched and has read every one of its passages (FAULTS §5.1, M2).

What an index has not read yet, or has skipped because its vector does not fit, is missing from every answer without an error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.knowledge_documents import passages_in
from bot.adapters.mongo.vector_index import MOST_CANDIDATES, NAME, definition, search_stage, state_of
from bot.core.knowledge import IndexState
from bot.errors import GenerationRefused

QUERYABLE_S = 900.0  # a new index of a large knowledge base takes minutes
POLL_S = 0.5
_SLOWER = 10  # who has waited long asks every tenth of that time
_NAMED = 5  # passages that the index lacks, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Passages that the index does not find: those it will never read, and those it may still come to. At most a few are named."""

    skipped: tuple[str, ...] = ()
    late: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexWait:
    """Creates the index of a generation where it is missing, and waits for it."""

    database: BlockingDatabase
    monotonic_s: Callable[[], float]

    def create_missing(self, generation: str) -> None:
        """Begin to build the index unless there is one, or the generation has no passages."""
        collection = passages_in(generation)
        dimension = dimension_of(self.database, generation)
        if dimension and not _is_there(self.database, collection):
            self.database.create_vector_index(collection, NAME, definition(dimension))

    def until_whole(self, generation: str) -> None:
        """Return once each passage is found; GenerationRefused when the index cannot be searched, skips some, or takes too long."""
        dimension, begun_s = dimension_of(self.database, generation), self.monotonic_s()
        self.create_missing(generation)
        while dimension and (problem := self._problem(generation, dimension)):
            waited_s = self.monotonic_s() - begun_s
            if waited_s > QUERYABLE_S:
                raise _refused(generation, problem)
            self.database.pause(max(POLL_S, waited_s / _SLOWER))

    def _problem(self, generation: str, dimension: int) -> str:
        """Return what is to be waited for, the empty text when nothing is; GenerationRefused for what waiting does not mend."""
        described = self.database.vector_indexes(passages_in(generation))
        state, detail = state_of(described, dimension=dimension)
        if state in {
            IndexState.BUILDING,
            IndexState.MISSING,
        }:  # one that was just begun may not be listed yet
            return detail
        if state is not IndexState.READY:
            raise _refused(generation, detail)
        unread = unread_passages(self.database, generation, dimension)
        if unread.skipped:
            vectors = f"their vectors have no length, or not {dimension} dimensions"
            raise _refused(generation, f"the vector index skips {', '.join(unread.skipped)}: {vectors}")
        return f"the vector index has not read {', '.join(unread.late)} yet" if unread.late else ""


def dimension_of(database: BlockingDatabase, generation: str) -> int:
    """Return how many numbers a generation's vectors have; 0 for one without passages."""
    found = database.find_one(passages_in(generation), {})
    return 0 if found is None else len(found["vector"])


def unread_passages(
    database: BlockingDatabase, generation: str, dimension: int, *, most: int = MOST_CANDIDATES
) -> Unread:
    """Return passages that the index does not find by a passage's own vector, in few searches, each of which finds up to *most*."""
    collection = passages_in(generation)
    left = {str(one["_id"]) for one in database.find(collection, {}, fields={"_id": 1})}
    limit = min(most, len(left) + 1)
    missing: list[str] = []
    while left and len(missing) < _NAMED:
        passage = min(left)
        found = _found(database, collection, passage, dimension, limit)
        if passage not in found:
            missing.append(passage)
        left -= {passage, *found}
        if found and len(found) < limit:  # that is everything the index has read
            missing += sorted(left)
            break
    named = missing[:_NAMED]
    skipped = tuple(one for one in named if not _fitting(database, collection, one, dimension))
    return Unread(skipped=skipped, late=tuple(one for one in named if one not in skipped))


def _found(database: BlockingDatabase, collection: str, passage: str, dimension: int, limit: int) -> set[str]:
    """Return the passages that a search with this one's vector finds; none when it cannot be searched for."""
    vector = _fitting(database, collection, passage, dimension)
    if not vector:
        return set()
    stage = search_stage(vector, limit=limit, passages=0, wanted={})  # exact, however many there are
    return {str(one["_id"]) for one in database.gather(collection, [stage, {"$project": {"_id": 1}}])}


def _fitting(database: BlockingDatabase, collection: str, passage: str, dimension: int) -> Sequence[float]:
    """Return a passage's vector; nothing for one that an index of this dimension skips."""
    kept = database.find_one(collection, {"_id": passage})
    vector: Sequence[float] = [] if kept is None else kept["vector"]
    return vector if len(vector) == dimension and any(vector) else []


def _is_there(database: BlockingDatabase, collection: str) -> bool:
    return any(one["name"] == NAME for one in database.vector_indexes(collection))


def _refused(generation: str, problem: str) -> GenerationRefused:
    return GenerationRefused(f"generation {generation} was not put to use: {problem}")

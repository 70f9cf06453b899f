"""What the server says of the live generation's vector index, believed for a few seconds (FAULTS M1)."""

from dataclasses import dataclass, field

from pymongo.errors import OperationFailure

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge_documents import passages_in
from bot.adapters.mongo.passages_loading import Loaded
from bot.adapters.mongo.vector_index import state_of
from bot.core.indexing import index_state
from bot.core.knowledge import IndexState
from bot.errors import StoreUnavailable
from bot.ports import Clock

LOOKED_AGAIN_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What was said of a generation's index, and when."""

    generation: str
    at_s: float
    state: IndexState
    detail: str


@dataclass(slots=True, kw_only=True)
class WatchedIndex:
    """Asks again after LOOKED_AGAIN_S, for another generation, and once a search has failed."""

    database: MongoDatabase
    fingerprint: str
    clock: Clock
    _seen: _Seen | None = field(default=None)

    async def state(self, loaded: Loaded) -> tuple[IndexState, str]:
        """Return whether the live generation can be searched: by what it holds, and by what the server says of its index."""
        state, detail = index_state(loaded.contents, expected_fingerprint=self.fingerprint)
        if state is not IndexState.READY or loaded.generation is None:
            return state, f"{detail} (it is sought in the MongoDB database {self.database.name})"
        now_s, seen = self.clock.monotonic_s(), self._seen
        if seen is None or seen.generation != loaded.generation or now_s - seen.at_s >= LOOKED_AGAIN_S:
            described = await self.database.vector_indexes(passages_in(loaded.generation))
            state, detail = state_of(described, dimension=loaded.dimension)
            seen = _Seen(generation=loaded.generation, at_s=now_s, state=state, detail=detail)
            self._seen = seen
        return seen.state, seen.detail

    async def problem(self, loaded: Loaded) -> str:
        """Ask again, because a search failed or found nothing; return what is wrong, the empty text when nothing is."""
        self._seen = None
        return (await self.state(loaded))[1]


def is_refusal(failure: StoreUnavailable) -> bool:
    """Return whether the server answered, and refused; asking one that is away would take as long again."""
    return isinstance(failure.__cause__, OperationFailure)

"""A knowledge base on MongoDB whose vector index can have every fault of FAULTS §5.1. Who waits moves the clock, so nothing takes time."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.adapters.memory.clock import ManualClock
from bot.adapters.mongo.access import Driver, MongoAccess
from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.catalogue import MongoArticleCatalogue
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge import MongoKnowledgeWriter
from bot.adapters.mongo.knowledge_documents import articles_in, passages_in
from bot.adapters.mongo.knowledge_state import StateDocument
from bot.adapters.mongo.opening import opened_database
from bot.adapters.mongo.passages import MongoPassageIndex
from bot.core.knowledge import SearchQuery
from tests.knowledge_builders import (
    a_passage,
    a_token,
    an_article,
    begin_build,
    live_generation,
    publish_articles,
    toward,
)
from tests.vendors.atlas import NAME, atlas, emptied_knowledge
from tests.vendors.mongodb_front import Command, MongoFront, Reply
from tests.vendors.mongodb_search import SearchIndex

FINGERPRINT = "local/test"
STRAIGHT_AHEAD = SearchQuery(vector=toward(0), locales=("en",))


@dataclass(kw_only=True)
class AtlasRig:
    """Both sides of one knowledge base. `while_waiting` is done each time that somebody waits."""

    front: MongoFront
    blocking: BlockingDatabase
    waiting: MongoDatabase
    clock: ManualClock = field(default_factory=ManualClock)
    while_waiting: Callable[[], None] = lambda: None
    waits: int = 0

    def __post_init__(self) -> None:
        self.blocking.pause = self._pause
        self.writer = MongoKnowledgeWriter(self.blocking, monotonic_s=self.clock.monotonic_s)
        self.state = StateDocument(database=self.blocking, pause=self._pause)
        self.index = MongoPassageIndex(self.waiting, fingerprint=FINGERPRINT, clock=self.clock)
        self.catalogue = MongoArticleCatalogue(self.waiting)

    def publish(self, *articles: str) -> str:
        return publish_articles(self.writer, FINGERPRINT, map(written, articles))

    def begin(self, *articles: str) -> str:
        return begin_build(self.writer, FINGERPRINT, map(written, articles))

    def token(self) -> int:
        return a_token(self.writer)

    @property
    def live(self) -> str | None:
        return live_generation(self.writer)

    @property
    def vectors(self) -> SearchIndex:
        """The index of what was built last."""
        return self.front.index_of("vectors")

    async def found(self, query: SearchQuery = STRAIGHT_AHEAD) -> list[str]:
        return [one.passage.id for one in (await self.index.search(query)).passages]

    def change_passage(self, generation: str, passage: str, **fields: object) -> None:
        changed = self.blocking.update_all(passages_in(generation), {"_id": passage}, {"$set": fields})
        assert changed == 1

    def change_article(self, generation: str, article: str, **fields: object) -> None:
        changed = self.blocking.update_all(articles_in(generation), {"_id": article}, {"$set": fields})
        assert changed == 1

    def searches(self) -> list[dict[str, Any]]:
        """Return the list into which every search from now on is put, as the first stage of its pipeline."""
        seen: list[dict[str, Any]] = []

        def see(command: Command) -> Reply | None:
            if "aggregate" in command and "$vectorSearch" in str(command["pipeline"]):
                seen.append(command["pipeline"][0])
            return None

        self.front.refuse = see
        return seen

    def stopped_before(self, number: int, do: Callable[[], object]) -> "StoppedDatabase":
        """Return the knowledge base as a sync sees it that is stopped before its *number*th command, counted from 1."""
        return StoppedDatabase(self.blocking, number, do)

    def _pause(self, seconds: float) -> None:
        self.waits += 1
        self.clock.advance(int(seconds * 1000))
        self.while_waiting()


class StoppedDatabase(BlockingDatabase):
    """Does something before one of its commands. `was_stopped` tells whether it came so far."""

    def __init__(self, other: BlockingDatabase, number: int, do: Callable[[], object]) -> None:
        super().__init__(other._database, pause=other.pause)
        self._left, self._do = number, do

    @property
    def was_stopped(self) -> bool:
        return self._left <= 0

    @contextmanager
    def _within(self) -> Iterator[None]:
        self._left -= 1
        if self._left == 0:
            self._do()
        with super()._within():
            yield


class StoppedForPeople(MongoDatabase):
    """The same for those who decide: something is done before one of their commands."""

    def __init__(self, other: MongoDatabase, number: int, do: Callable[[], object]) -> None:
        super().__init__(other._database)
        self._left, self._do = number, do

    @property
    def was_stopped(self) -> bool:
        return self._left <= 0

    @contextmanager
    def _within(self) -> Iterator[None]:
        self._left -= 1
        if self._left == 0:
            self._do()
        with super()._within():
            yield


def written(article: str, degrees: float = 0.0):
    """Return an article with one passage in this direction."""
    text = f"About {article}."
    return an_article(article), [(a_passage(f"{article}#0", embedded_text=text), toward(degrees))]


@asynccontextmanager
async def atlas_rig() -> AsyncIterator[AtlasRig]:
    front = atlas()
    access = MongoAccess(uri=front.uri, database=NAME, driver=Driver.PYMONGO)
    with emptied_knowledge() as (blocking, _):
        try:
            async with opened_database(access) as waiting:
                yield AtlasRig(front=front, blocking=blocking, waiting=waiting)
        finally:
            front.building, front.is_down, front.refuse = "READY", False, lambda _command: None

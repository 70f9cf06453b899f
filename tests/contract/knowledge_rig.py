"""One knowledge base per implementation, behind the two ports that write and search it."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bot.adapters.memory.catalogue import MemoryArticleCatalogue
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.catalogue import MongoArticleCatalogue
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge import MongoKnowledgeWriter
from bot.adapters.mongo.knowledge_build import settle
from bot.adapters.mongo.knowledge_state import State, StateDocument
from bot.adapters.mongo.passages import MongoPassageIndex
from bot.adapters.sqlite.catalogue import SqliteArticleCatalogue
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.adapters.system_clock import SystemClock
from bot.content_ports import ArticleCatalogue
from bot.core.content import Decision, PairKey
from bot.core.knowledge import Article, SearchQuery
from bot.errors import RetrievalUnavailable
from bot.ports import PassageIndex
from bot.sync_ports import Generation, GenerationState, KnowledgeWriter
from tests.knowledge_builders import (
    Written,
    a_passage,
    a_run,
    a_token,
    begin_build,
    publish_articles,
    publish_build,
    publish_changes,
    toward,
)
from tests.sqlite_file import new_file
from tests.vendors.atlas import emptied_knowledge

FINGERPRINT = "local/test"
IN_PROCESS = ("memory", "sqlite")  # so fast that a property can be tried many times
IMPLEMENTATIONS = (*IN_PROCESS, "mongo")
_DECIDE = "INSERT OR REPLACE INTO article_decisions VALUES (:key, :kind, :loser, :winner, :who, :at_ms)"


@dataclass(frozen=True, kw_only=True)
class KnowledgeRig:
    writer: KnowledgeWriter
    index_for: Callable[[str], PassageIndex]
    decide: Callable[[Decision], None]
    withdraw: Callable[[str], None]
    catalogue: ArticleCatalogue
    break_catalogue: Callable[[], None]
    many: int = 40_000  # of what one call can be given: more than SQLite has places for values

    @property
    def index(self) -> PassageIndex:
        return self.index_for(FINGERPRINT)

    def publish(self, *articles: Article, degrees: float = 0.0) -> str:
        """Publish *articles* with one passage each, all in the same direction, and no others."""
        return self.publish_passages(*(one_passage(article, degrees) for article in articles))

    def publish_passages(self, *written: Written) -> str:
        return publish_articles(self.writer, FINGERPRINT, written)

    def change(self, *written: Written, retired: Collection[str] = ()) -> str:
        """Publish what is live, but for what is written and retired."""
        return publish_changes(self.writer, FINGERPRINT, written, retired=retired)

    def begin(self, *written: Written, fingerprint: str = FINGERPRINT, at_ms: int = 1_000) -> str:
        """Write *written* into a build."""
        return begin_build(self.writer, fingerprint, written, at_ms=at_ms)

    def finish(self, build: str, **run: object) -> str:
        return publish_build(self.writer, build, run=a_run(**run))

    def roll_back(self, *, refused: str = "") -> Generation:
        run = a_run("back", ended_ms=9_000)
        return self.writer.roll_back(self.token(), run, refused=refused)

    async def found_ids(self, query: SearchQuery | None = None) -> list[str]:
        """Return the passages that a search straight ahead finds, or another one."""
        found = await self.index.search(query or SearchQuery(vector=toward(0), locales=("en",)))
        return [one.passage.id for one in found.passages]

    def token(self) -> int:
        return a_token(self.writer)


def one_passage(article: Article, degrees: float = 0.0) -> Written:
    """Return *article* with one passage in this direction."""
    return article, [(a_passage(f"{article.id}#0"), toward(degrees))]


@contextmanager
def knowledge_rig(implementation: str, directory: Path) -> Iterator[KnowledgeRig]:
    if implementation == "memory":
        yield _in_memory(MemoryKnowledgeWriter())
        return
    if implementation == "mongo":
        with emptied_knowledge() as databases:
            yield in_mongo(*databases)
        return
    database = SqliteDatabase.open(new_file(directory / "candor.db"))
    try:
        yield in_file(database)
    finally:
        database.close()


def in_file(database: SqliteDatabase) -> KnowledgeRig:
    def decide(decision: Decision) -> None:
        database.write_now(lambda connection: connection.execute(_DECIDE, asdict(decision)))

    def withdraw(key: str) -> None:
        database.write_now(
            lambda connection: connection.execute("DELETE FROM article_decisions WHERE key = ?", (key,))
        )

    return KnowledgeRig(
        writer=SqliteKnowledgeWriter(database),
        index_for=lambda fingerprint: SqlitePassageIndex(database, fingerprint=fingerprint),
        decide=decide,
        withdraw=withdraw,
        catalogue=SqliteArticleCatalogue(database),
        break_catalogue=database.close,
    )


def in_mongo(blocking: BlockingDatabase, waiting: MongoDatabase) -> KnowledgeRig:
    catalogue, state, clock = MongoArticleCatalogue(waiting), StateDocument(database=blocking), SystemClock()

    def decide(decision: Decision) -> None:
        others = [one for one in state.read().decisions if one.key != decision.key]
        after = state.change(lambda s: replace(s, decisions=(*others, decision)))
        settle_live(blocking, after)

    def withdraw(key: str) -> None:
        after = state.change(
            lambda s: replace(s, decisions=tuple(one for one in s.decisions if one.key != key))
        )
        settle_live(blocking, after)

    return KnowledgeRig(
        writer=MongoKnowledgeWriter(blocking, monotonic_s=clock.monotonic_s),
        index_for=lambda fingerprint: MongoPassageIndex(waiting, fingerprint=fingerprint, clock=clock),
        decide=decide,
        withdraw=withdraw,
        catalogue=catalogue,
        break_catalogue=waiting._database.client.close,
        many=4_000,  # which take a request of their own each 2,000
    )


def settle_live(blocking: BlockingDatabase, state: State) -> None:
    """Let the passages of what is live carry the statuses in force."""
    if (live := state.in_state(GenerationState.LIVE)) is not None:
        settle(blocking, state, live.id, token=state.token)


def _in_memory(memory: MemoryKnowledgeWriter) -> KnowledgeRig:
    def decide(decision: Decision) -> None:
        memory.decisions[decision.key] = decision

    def break_catalogue() -> None:
        catalogue.fails = RetrievalUnavailable("broken")

    catalogue = MemoryArticleCatalogue(memory)
    return KnowledgeRig(
        writer=memory,
        index_for=lambda fingerprint: MemoryPassageIndex(memory, fingerprint=fingerprint),
        decide=decide,
        withdraw=lambda key: memory.decisions.pop(PairKey(key), None),
        catalogue=catalogue,
        break_catalogue=break_catalogue,
    )

"""One knowledge base per implementation, behind the two ports that write and search it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.memory.knowledge import MemoryKnowledgeWriter, MemoryPassageIndex
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.core.knowledge import Article, Passage, Vector
from bot.ports import PassageIndex
from bot.sync_ports import KnowledgeWriter
from tests.knowledge_builders import a_passage, a_run, toward

FINGERPRINT = "local/test"
IMPLEMENTATIONS = ("memory", "sqlite")


@dataclass(frozen=True, kw_only=True)
class KnowledgeRig:
    writer: KnowledgeWriter
    index_for: Callable[[str], PassageIndex]

    @property
    def index(self) -> PassageIndex:
        return self.index_for(FINGERPRINT)

    def publish(self, *articles: Article, degrees: float = 0.0) -> str:
        """Publish *articles* with one passage each, all in the same direction."""
        return self.publish_passages(
            *((one, [(a_passage(f"{one.id}#0"), toward(degrees))]) for one in articles)
        )

    def publish_passages(self, *articles: tuple[Article, Sequence[tuple[Passage, Vector]]]) -> str:
        generation = self.writer.open_generation(FINGERPRINT, at_ms=1_000)
        for article, passages in articles:
            self.writer.replace_article(generation, article, f"digest of {article.id}", passages)
        self.writer.publish(generation, a_run())
        return generation


@contextmanager
def knowledge_rig(implementation: str, directory: Path) -> Iterator[KnowledgeRig]:
    if implementation == "memory":
        memory = MemoryKnowledgeWriter()
        yield KnowledgeRig(
            writer=memory, index_for=lambda fingerprint: MemoryPassageIndex(memory, fingerprint=fingerprint)
        )
        return
    database = SqliteDatabase.open(directory / "candor.db")
    try:
        yield KnowledgeRig(
            writer=SqliteKnowledgeWriter(database),
            index_for=lambda fingerprint: SqlitePassageIndex(database, fingerprint=fingerprint),
        )
    finally:
        database.close()

"""A small synced knowledge base whose vectors are bags of words: what shares words is near."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.core.knowledge import Article, Passage, Vector
from tests.knowledge_builders import a_calibration, a_passage, an_article, publish_articles

RESCHEDULE = an_article(
    "KB000003",
    title="How do I reschedule a class?",
    body="How do I reschedule a class? Open My Lessons and choose Reschedule. It is free until 24 hours before.",
    url="https://help.example/KB000003",
)
REFUNDS = an_article(
    "KB000010",
    title="When are payments returned?",
    body="Payments are returned within 5 days after a tutor cancels.",
    url="https://help.example/KB000010",
)
PROVERB = an_article(
    "KB000050", title="Proverb of the Day", body="No pain no gain, its yes or no, more or less."
)
ARTICLES = (RESCHEDULE, REFUNDS, PROVERB)
THRESHOLD = 0.45


@dataclass(slots=True, kw_only=True)
class Shelf:
    """Written articles, the index over them and the embedder that they were written with."""

    writer: MemoryKnowledgeWriter
    index: MemoryPassageIndex
    embedder: HashEmbedder

    @classmethod
    def holding(cls, articles: Sequence[Article], *, threshold: float = THRESHOLD) -> "Shelf":
        """Return a shelf on which *articles* are published, calibrated for both kinds of answerers."""
        embedder, writer = HashEmbedder(), MemoryKnowledgeWriter()
        fingerprint = str(embedder.fingerprint)
        shelf = cls(
            writer=writer, index=MemoryPassageIndex(writer, fingerprint=fingerprint), embedder=embedder
        )
        shelf.publish(articles)
        writer.store_calibration(a_calibration(fingerprint, strict=threshold, permissive=threshold))
        return shelf

    def publish(self, articles: Sequence[Article], *, fingerprint: str | None = None) -> None:
        """Sync *articles*, one passage each; none at all leaves an empty index."""
        cut = [(article, _passage_of(article)) for article in articles]
        written = [(article, [(one, _vector_of(one.embedded_text))]) for article, one in cut]
        publish_articles(self.writer, fingerprint or str(self.embedder.fingerprint), written)


@cache
def _vector_of(text: str) -> Vector:
    (vector,) = HashEmbedder()._embed([text])
    return vector


def _passage_of(article: Article) -> Passage:
    return a_passage(
        f"{article.id}#0",
        headings=(article.title,),
        text=article.body,
        embedded_text=f"{article.title}\n\n{article.body}",
    )

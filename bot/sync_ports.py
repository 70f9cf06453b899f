"""What kb_sync writes: articles, passages and vectors of a generation, and the record of each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.knowledge import Article, ArticleId, Calibration, Passage, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One kb_sync run (FAULTS K1); counts are articles unless named otherwise."""

    id: str
    source: str
    started_ms: int
    ended_ms: int | None = None
    outcome: str = "running"
    seen: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    retired: int = 0
    skipped: int = 0
    embedded_passages: int = 0
    error: str = ""


class KnowledgeWriter(Protocol):
    """What kb_sync writes. Each method is one transaction; all may raise StoreUnavailable."""

    def open_generation(self, fingerprint: str, *, at_ms: int) -> str:
        """Return the generation to write to: the live one when its fingerprint is the same, else one being built.

        A generation that is being built is invisible to searches until publish; resuming an interrupted build returns the same one.
        """
        ...

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        """Return the stored digest of each article in the generation that is not retired."""
        ...

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        """Return vectors embedded before for passage texts with these digests."""
        ...

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by text digest, so that no text is embedded twice, even after a crash."""
        ...

    def replace_article(
        self, generation: str, article: Article, digest: str, passages: Sequence[tuple[Passage, Vector]]
    ) -> None:
        """Put one article and its passages in place of what was stored for its id, at once."""
        ...

    def retire_articles(self, generation: str, articles: Sequence[ArticleId]) -> None:
        """Mark articles as retired: kept, never searchable."""
        ...

    def publish(self, generation: str, run: RunRecord) -> None:
        """Make the generation the live one, drop what it replaces, and record the finished run."""
        ...

    def record_run(self, run: RunRecord) -> None:
        """Insert or update a run's record."""
        ...

    def store_calibration(self, calibration: Calibration) -> None:
        """Store the calibration of its fingerprint in place of an earlier one."""
        ...

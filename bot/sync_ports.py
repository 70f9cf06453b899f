"""What kb_sync writes: generations built aside out of articles, passages and vectors, one flip, and the record of each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.core.knowledge import Article, ArticleId, Calibration, Passage, PassageId, Vector

Near = tuple[tuple[ArticleId, float], ...]  # articles with their best raw cosine, falling


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One kb_sync run (FAULTS K1); counts are articles unless named otherwise.

    `outcome` is running, done, withheld, failed, busy, held or stopped; `interval_s` is set by a worker that comes again. `source_digest`
    stands for everything that was read, so that a state which was rolled back is known again.
    """

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
    withheld: int = 0
    skipped: int = 0
    failed: int = 0
    embedded_passages: int = 0
    embedded_tokens: int = 0
    exit_code: int | None = None
    interval_s: int | None = None
    generation: str = ""
    source_digest: str = ""
    error: str = ""


class GenerationState(StrEnum):
    """Searches see the one that is LIVE; PREVIOUS is kept to go back to."""

    BUILDING = "building"
    LIVE = "live"
    PREVIOUS = "previous"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuestion:
    """A question asked of a generation before it went live, and whether one of its gold articles was among the first three."""

    text: str
    gold: tuple[ArticleId, ...]
    hit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationCheck:
    """What a generation was found to hold before it went live; retired articles are not counted."""

    articles: int
    passages: int
    questions: tuple[CheckedQuestion, ...] = ()

    @property
    def recall_at_3(self) -> float | None:
        """Return the share of questions that hit, None when none was asked."""
        if not self.questions:
            return None
        return sum(one.hit for one in self.questions) / len(self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One state of the whole index, never changed once it was published; counts leave retired articles out."""

    id: str
    fingerprint: str
    state: GenerationState
    created_ms: int
    published_ms: int | None
    articles: int
    passages: int
    check: GenerationCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncLock:
    """Who may write, until when; the token grows each time the lock is taken, and an older one writes nothing."""

    token: int
    holder: str
    taken_ms: int
    until_ms: int


class KnowledgeWriter(Protocol):
    """What kb_sync writes. Each method blocks, is one transaction, and may raise StoreUnavailable.

    A method with a token raises SyncFenced, and writes nothing, when the lock was taken with another since. One with a build raises
    StoreUnavailable when there is no such build, and nothing that was published is ever changed.
    """

    def take_lock(self, holder: str, *, now_ms: int, until_ms: int) -> int:
        """Take the one lock and return its token; SyncBusy while another's lease runs."""
        ...

    def renew_lock(self, token: int, *, until_ms: int) -> None:
        """Let the lease run until then; SyncFenced."""
        ...

    def release_lock(self, token: int) -> None:
        """Give the lock back; one that is another's by now is left alone."""
        ...

    def lock(self) -> SyncLock | None:
        """Return who holds the lock, run out or not; None when nobody does."""
        ...

    def generations(self) -> tuple[Generation, ...]:
        """Return the live generation, the one before it and those being built, newest first."""
        ...

    def open_build(self, token: int, fingerprint: str, *, at_ms: int) -> str:
        """Return a new, empty build, or the interrupted one of this fingerprint with what it holds; others are dropped."""
        ...

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        """Return the digest of each article in the generation that is not retired."""
        ...

    def retired_articles(self, generation: str) -> frozenset[ArticleId]:
        """Return the articles that the generation keeps as retired."""
        ...

    def carry_over(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        """Put articles into the build as the live generation has them, retired ones as retired; unknown ids are left alone.

        Of a live generation with another fingerprint only retired articles are carried, and without their passages.
        """
        ...

    def replace_article(
        self,
        token: int,
        build: str,
        article: Article,
        digest: str,
        passages: Sequence[Passage],
        *,
        at_ms: int,
    ) -> None:
        """Put one article and its passages into the build, in place of what it has for that id.

        RetrievalUnavailable, and nothing written, unless the vector of each passage's text is remembered for the build's fingerprint.
        """
        ...

    def retire_articles(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        """Keep articles in the build as retired, those it lacks from the live generation; retired ones are never searchable."""
        ...

    def leave_out(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        """Take articles out of the build again, as if they had never been put there."""
        ...

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        """Return vectors embedded before for passage texts with these digests."""
        ...

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by text digest, so that no text is embedded twice, even after a crash.

        RetrievalUnavailable, and nothing kept, unless all are unit vectors of one size, that of the ones kept before.
        """
        ...

    def nearest(self, generation: str, vectors: Sequence[Vector], *, limit: int) -> tuple[Near, ...]:
        """Return, for each vector, the active articles of the generation, published or not, whose passages are nearest."""
        ...

    def passages_of_generation(
        self, generation: str, *, limit: int
    ) -> tuple[tuple[PassageId, ArticleId, str], ...]:
        """Return some passages of active articles, evenly spread, each with its article and its text's digest."""
        ...

    def discard_build(self, token: int, build: str) -> None:
        """Drop the build; vectors stay remembered."""
        ...

    def publish(self, token: int, build: str, run: RunRecord, check: GenerationCheck) -> None:
        """Make the build the live generation and record the finished run, in one step; what was live becomes the one before.

        Nothing is held back any longer, and what neither of the two generations needs is dropped.
        """
        ...

    def roll_back(self, token: int, run: RunRecord, *, refused: str) -> Generation:
        """Make the generation before the live one again and record the run, in one step; return what is live now.

        The two change places, and *refused*, the source digest of what was live, is held back from now on. GenerationRefused when there is none before.
        """
        ...

    def rolled_back(self) -> str:
        """Return the source digest that is held back, the empty text for none."""
        ...

    def record_run(self, run: RunRecord) -> None:
        """Insert or update a run's record."""
        ...

    def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        """Return the last runs, newest first."""
        ...

    def store_calibration(self, calibration: Calibration) -> None:
        """Store the calibration of its fingerprint in place of an earlier one."""
        ...

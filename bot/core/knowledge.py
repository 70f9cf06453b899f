"""Articles, passages and what a search over them gives back.

The only score in Candor is the raw cosine of unit vectors; adapters convert whatever their index reports.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from bot.core.lexical import Words

ArticleId = NewType("ArticleId", str)
PassageId = NewType("PassageId", str)
Vector = tuple[float, ...]  # unit length unless a docstring says otherwise
LOOKED_AT_BESIDE = 20  # passages, enough to tell whether the best stands out


class ArticleStatus(StrEnum):
    """Where an article is in its life; only ACTIVE ones are searchable by customers."""

    DRAFT = "draft"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETIRED = "retired"


class IndexState(StrEnum):
    """Whether the passage index can be believed."""

    READY = "ready"
    MISSING = "missing"
    EMPTY = "empty"
    BUILDING = "building"
    MISMATCHED = "mismatched"
    FAILED = "failed"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One article of the knowledge base; `last_modified_ms` is Unix milliseconds, None when the source does not say."""

    id: ArticleId
    title: str
    body: str
    url: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    locale: str = "en"
    status: ArticleStatus = ArticleStatus.ACTIVE
    supersedes: tuple[ArticleId, ...] = ()
    last_modified_ms: int | None = None
    evergreen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of an article's own Markdown, `text`, under its headings; `embedded_text` is what is embedded for it."""

    id: PassageId
    article_id: ArticleId
    position: int
    headings: tuple[str, ...]
    text: str
    embedded_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleText:
    """An active article as customers may read it, its passages in order; each may begin with the end of the one before."""

    id: ArticleId
    title: str
    url: str = ""
    locale: str = "en"
    last_modified_ms: int | None = None
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage:
    """A passage that a search returned, with its article's facts and the raw cosine score.

    `lexical` and `article_lexical` are the BM25 of the words asked for in the passage and in its whole article; they order what
    one search found and mean nothing beside another's, so no threshold ever looks at them.
    """

    passage: Passage
    title: str
    url: str
    cosine: float
    lexical: float = 0.0
    article_lexical: float = 0.0
    status: ArticleStatus = ArticleStatus.ACTIVE
    locale: str = "en"
    last_modified_ms: int | None = None
    evergreen: bool = False
    article_digest: str = ""

    @property
    def article_id(self) -> ArticleId:
        """Return the id of the article that the passage was cut from."""
        return self.passage.article_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPassage:
    """A found passage with its freshness (0 to 1, 1 when evergreen, None when undated) and the score it is ordered by."""

    found: FoundPassage
    freshness: float | None
    score: float
    rival: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What makes two vectors comparable: all of these must agree, or a search means nothing (FAULTS §5.3)."""

    provider: str
    model: str
    dimension: int
    chunker: str
    normalisation: str = "unit"

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}/{self.dimension}/{self.normalisation}/{self.chunker}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A gate threshold measured for one embedding fingerprint (raw cosine).

    `strict` serves an answerer that cannot abstain, `permissive` one that can. `lowest` and `highest` bound the best
    scores that calibration saw: a threshold outside them can never, or always, fire. `blend` has the numbers of the retrieval
    policy that shape the score (see `gate.blend_of`). The thresholds hold for a question of `typical_support`; one whose words stand in fewer of
    the texts found needs more, by `support_slope` times the difference (see `threshold_for`).
    """

    fingerprint: str
    strict: float
    permissive: float
    lowest: float
    highest: float
    blend: Mapping[str, float]
    support_slope: float = 0.0
    typical_support: float = 1.0
    answerable: int
    unanswerable: int
    answerable_passed: float
    near_topic_passed: float
    off_topic_passed: float
    data: str = ""
    measured_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """What the passage index says of itself; `calibration` is the one stored for the embedder in use, if any is.

    `last_sync_ms` is when the last good sync ended; `expected_every_s` is how often one is due, None when nobody said.
    """

    state: IndexState
    fingerprint: str | None = None
    generation: str | None = None
    articles: int = 0
    passages: int = 0
    last_sync_ms: int | None = None
    expected_every_s: int | None = None
    calibration: Calibration | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A search: the vector need not have unit length, because a blend's length is part of its score (DESIGN §5.4).

    Passages that hold `words` are found too, however far their vectors. Of each vector `beside`, only the best raw cosines are wanted.
    `locales` are tried in order: the first that has any searchable passage is searched, and only that one; no locales
    at all means every language.
    """

    vector: Vector
    locales: tuple[str, ...]
    limit: int = 20
    statuses: frozenset[ArticleStatus] = field(default_factory=lambda: frozenset({ArticleStatus.ACTIVE}))
    words: tuple[Words, ...] = ()
    beside: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Passages by falling cosine, and the index they came from.

    At most `limit` that are nearest, and as many that hold the words best. `beside` has, for each vector beside, the `LOOKED_AT_BESIDE` best raw cosines, falling.
    """

    passages: tuple[FoundPassage, ...]
    fingerprint: str
    generation: str
    beside: tuple[tuple[float, ...], ...] = ()

"""What the routes of the content page answer about articles: how up to date they are, the list, and pairs to decide on."""

from bot.channels.openapi.operations import Shape
from bot.core.content import DecisionKind
from bot.core.duplicates import PairKind
from bot.core.knowledge import ArticleStatus


class RunReport(Shape):
    """One run of the sync; counts are articles unless named otherwise."""

    id: str
    started: int
    """Unix milliseconds."""
    ended: int | None
    """Unix milliseconds; null while it runs."""
    outcome: str
    """running, done, withheld, failed, busy, held or stopped."""
    source: str
    seen: int
    """How many the source had."""
    added: int
    changed: int
    unchanged: int
    retired: int
    withheld: int
    """Which vanished from the source and were not retired, because too many did at once."""
    skipped: int
    failed: int
    embedded: int
    """Passages."""
    tokens: int
    """What was embedded, in tokens."""
    error: str


class GenerationReport(Shape):
    """One state of the whole index; retired articles are not counted."""

    id: str
    fingerprint: str
    """The embedding model that it is of."""
    published: int | None
    """Since when it is, or was, live: Unix milliseconds."""
    articles: int
    passages: int
    recall_at_3: float | None
    """The share of recorded questions with one of their articles among the first three; null when none was asked."""


class SyncReport(Shape):
    """How up to date the articles are."""

    now: int
    """Unix milliseconds."""
    last_good: int | None
    """When the last run ended that left nothing out: Unix milliseconds; null before the first."""
    every_s: int | None
    """How often a sync is expected, seconds; null when nothing says so."""
    late: bool
    """More than twice as long ago as expected."""
    old: bool
    """So late that customers are told so."""
    runs: list[RunReport]
    """Newest first."""
    generation: GenerationReport | None
    """What is live."""
    previous: GenerationReport | None
    """What could be gone back to."""


class ListedArticle(Shape):
    id: str
    title: str
    url: str | None
    category: str
    tags: list[str]
    locale: str
    status: ArticleStatus
    superseded_by: str | None
    last_modified: int | None
    """As the source says, Unix milliseconds; null when it does not."""
    added: int
    """When its id first came, Unix milliseconds."""
    changed: int
    """When what is live was written, Unix milliseconds."""
    evergreen: bool
    """Whether its age does not count."""
    old: bool
    """Whether customers are answered from a text that nobody has changed for two years."""
    cited: int
    """How many answers rested on it in `cited_days` days."""


class Articles(Shape):
    articles: list[ListedArticle]
    """At most 200."""
    tags: list[str]
    """Of all articles."""
    found: int
    """How many fit."""
    total: int
    """How many there are."""
    cited_days: int


class WholeArticle(ListedArticle):
    body: str
    """As the source has it: Markdown."""


class PairSide(Shape):
    id: str
    title: str
    url: str | None
    last_modified: int | None
    """Unix milliseconds; null when the source does not say."""


class DifferingSentences(Shape):
    """Two sentences on one matter, side by side."""

    left: str
    right: str
    differs: list[str]
    """The words, amounts or conditions that differ."""


class WaitingPair(Shape):
    """Two active articles that say the same, or that cannot both be right."""

    key: str
    kind: PairKind
    cosine: float | None
    """Of their nearest passages: -1 to 1."""
    coverage: float | None
    """The share of the shorter article that the other one repeats: 0 to 1."""
    left: PairSide
    right: PairSide
    heading: str
    sentences: list[DifferingSentences]


class Decided(Shape):
    key: str
    kind: DecisionKind
    who: str
    at: int
    """Unix milliseconds."""


class NamedArticle(Shape):
    id: str
    title: str


class DecidedPair(Decided):
    left: NamedArticle
    """Which was superseded, where one was."""
    right: NamedArticle


class ContentPairs(Shape):
    pairs: list[WaitingPair]
    """The most pressing first, at most 100."""
    decided: list[DecidedPair]
    """The newest first."""
    total: int
    """How many wait."""


GENERATION = {
    "id": "g1",
    "fingerprint": "local/minilm/384/unit/v3",
    "published": 1_796_036_400_000,
    "articles": 212,
    "passages": 941,
    "recall_at_3": 0.9,
}
SYNC = {
    "now": 1_796_036_460_000,
    "last_good": 1_796_036_400_000,
    "every_s": 900,
    "late": False,
    "old": False,
    "runs": [
        {
            "id": "r1",
            "started": 1_796_036_390_000,
            "ended": 1_796_036_400_000,
            "outcome": "done",
            "source": "kb_sync/sample/articles",
            "seen": 212,
            "added": 1,
            "changed": 2,
            "unchanged": 209,
            "retired": 0,
            "withheld": 0,
            "skipped": 0,
            "failed": 0,
            "embedded": 7,
            "tokens": 812,
            "error": "",
        }
    ],
    "generation": GENERATION,
    "previous": None,
}
ARTICLE = {
    "id": "KB000003",
    "title": "How do I reschedule a class?",
    "url": "https://help.example/KB000003",
    "category": "Lessons",
    "tags": ["rescheduling"],
    "locale": "en",
    "status": "active",
    "superseded_by": None,
    "last_modified": 1_790_000_000_000,
    "added": 1_780_000_000_000,
    "changed": 1_790_000_100_000,
    "evergreen": False,
    "old": False,
    "cited": 14,
}
SIDE = {"id": "KB000003", "title": "How do I reschedule a class?"}
OTHER = {"id": "KB000017", "title": "Rescheduling rules"}
DECIDED = {"key": "0" * 32, "kind": "superseded", "who": "Cleo Marsh", "at": 1_796_036_400_000}
PAIRS = {
    "pairs": [
        {
            "key": "f" * 32,
            "kind": "contradiction",
            "cosine": 0.93,
            "coverage": 0.8,
            "left": {**SIDE, "url": None, "last_modified": 1_790_000_000_000},
            "right": {**OTHER, "url": None, "last_modified": None},
            "heading": "Rescheduling",
            "sentences": [
                {
                    "left": "It is free until 24 hours before.",
                    "right": "It is free until 12 hours before.",
                    "differs": ["24 hours", "12 hours"],
                }
            ],
        }
    ],
    "decided": [{**DECIDED, "left": OTHER, "right": SIDE}],
    "total": 1,
}

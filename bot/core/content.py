"""What the content team sees of the knowledge base: articles in a list, passages that lie close, and decisions on pairs."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from bot.core.indexing import IN_FORCE, Standing
from bot.core.knowledge import ArticleId, ArticleStatus, Passage
from bot.core.lexical import STEM, terms
from bot.core.quantities import folded

PairKey = NewType("PairKey", str)
KEY_LENGTH = 32  # hexadecimal digits
DAY_MS = 86_400_000
OLD_AFTER_DAYS = 730
MOST_WORDS = 8  # that are looked for
_WORD = re.compile(r"[^\W_]+")


class DecisionKind(StrEnum):
    """What a person decided on a pair of articles."""

    SUPERSEDED = "superseded"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A person's decision on a pair, which counts until it is withdrawn.

    SUPERSEDED acts as if the source said that *winner* supersedes *loser*; DISTINCT keeps both, and which is which says nothing.
    """

    key: PairKey
    kind: DecisionKind
    loser: ArticleId
    winner: ArticleId
    who: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedArticle:
    """An article of the live generation as a list shows it, whatever its status.

    `status` is the one in force and `superseded_by` the article that put it out of force, by the source or by a decision; None
    for none. `added_ms` is when its id first came, `changed_ms` when what is live was written.
    """

    id: ArticleId
    title: str
    url: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    locale: str = "en"
    status: ArticleStatus = ArticleStatus.ACTIVE
    superseded_by: ArticleId | None = None
    last_modified_ms: int | None = None
    added_ms: int = 0
    changed_ms: int = 0
    evergreen: bool = False

    def is_old(self, *, now_ms: int) -> bool:
        """Whether customers are answered from a text that nobody has changed for two years, and nobody declared evergreen."""
        if self.status is not ArticleStatus.ACTIVE or self.evergreen or self.last_modified_ms is None:
            return False
        return now_ms - self.last_modified_ms >= OLD_AFTER_DAYS * DAY_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPassage:
    """A passage of an active article, and of the article what tells it from another; `body` is all that it says."""

    passage: Passage
    title: str
    body: str
    url: str = ""
    last_modified_ms: int | None = None

    @property
    def article_id(self) -> ArticleId:
        """Return the id of its article."""
        return self.passage.article_id


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPair:
    """Passages of two active articles of one locale, and their raw cosine; the left article's id is the lesser."""

    left: ComparedPassage
    right: ComparedPassage
    cosine: float

    @property
    def articles(self) -> tuple[ArticleId, ArticleId]:
        """Return the ids of both articles."""
        return self.left.article_id, self.right.article_id


def pair_key(one: ArticleId, other: ArticleId, about: str) -> PairKey:
    """Return what names a pair and what it is *about*, whichever of them comes first; safe in an address."""
    named = json.dumps([*sorted((one, other)), about], ensure_ascii=False)
    return PairKey(hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:KEY_LENGTH])


def replacements(articles: Iterable[Standing]) -> dict[ArticleId, ArticleId]:
    """Return which article supersedes each one that is superseded; of several the one whose id comes first."""
    last_first = sorted(articles, key=lambda article: article.id, reverse=True)
    return {
        older: article.id
        for article in last_first
        if article.status in IN_FORCE
        for older in article.supersedes
        if older != article.id
    }


def words_sought(text: str) -> tuple[str, ...]:
    """Return the beginnings of the words that a person looks for, each once; "reschedule" is to find "rescheduling" too."""
    found = dict.fromkeys(word[:STEM] for word in _WORD.findall(folded(text)))
    return tuple(found)[:MOST_WORDS]


def holds_word(word: str, names: Iterable[str]) -> bool:
    """Whether any of the *names* has a word that begins like one sought."""
    return any(term.startswith(word) for name in names for term in terms(name))

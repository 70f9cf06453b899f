"""What every passage index decides alike: which articles count, which locale is searched, whether it can be believed."""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.core.knowledge import ArticleId, ArticleStatus, IndexState
from bot.core.languages import language_part, normal_locale

T = TypeVar("T")
_RESYNC = "run python -m kb_sync SOURCE"
IN_FORCE = frozenset({ArticleStatus.ACTIVE, ArticleStatus.SUPERSEDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What an article says of itself and of older ones."""

    id: ArticleId
    status: ArticleStatus
    supersedes: tuple[ArticleId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What an index holds: the live generation's fingerprint (None without one), its passages, and those for customers."""

    live_fingerprint: str | None
    building: bool
    passages: int = 0
    searchable: int = 0


def passage_digest(embedded_text: str) -> str:
    """Return what tells whether a passage must be embedded again."""
    return hashlib.sha256(unicodedata.normalize("NFC", embedded_text).encode("utf-8", "replace")).hexdigest()


def generation_id(fingerprint: str, *, at_ms: int) -> str:
    """Return the id of a generation begun now; records of turns name it after it is gone, so it never comes again."""
    return f"g{at_ms}-{hashlib.sha256(fingerprint.encode()).hexdigest()[:6]}"


def statuses_in_force(articles: Iterable[Standing]) -> dict[ArticleId, ArticleStatus]:
    """Return the status of each article: an active one that another article supersedes is superseded.

    It follows from the articles as they are, so neither the order of writing nor an earlier sync matters. Drafts and retired
    articles supersede nothing: the older article is all there is for customers. A superseded one still supersedes others.
    """
    known = tuple(articles)
    replaced = {
        older
        for article in known
        if article.status in IN_FORCE
        for older in article.supersedes
        if older != article.id
    }
    return {article.id: _in_force(article, replaced) for article in known}


def with_decisions(
    articles: Iterable[Standing], superseded: Iterable[tuple[ArticleId, ArticleId]]
) -> tuple[Standing, ...]:
    """Add what people decided, as pairs of the older article and the newer one, to what the articles say themselves.

    Where the older article says that it supersedes the newer one, the decision does not count: customers would get neither.
    """
    known = {article.id: article for article in articles}
    for older, newer in superseded:
        if newer in known and (older not in known or newer not in known[older].supersedes):
            known[newer] = replace(known[newer], supersedes=(*known[newer].supersedes, older))
    return tuple(known.values())


def evenly_spread(rows: Sequence[T], limit: int) -> tuple[T, ...]:
    """Return at most *limit* of the rows, in order and as far apart as they can be."""
    if len(rows) <= limit:
        return tuple(rows)
    return tuple(rows[place * len(rows) // limit] for place in range(limit))


def searched_locales(wanted: Sequence[str], passages: Mapping[str, int]) -> frozenset[str]:
    """Return the locales to search, out of those that have *passages*; empty only when none has any.

    Nothing wanted means every locale. Else the first wanted one that is there, exactly or by its language ("en-US" finds
    "en", "en" finds "en-GB"). When none is there, the index's own most common locale: an article in another language beats
    the claim that none exists.
    """
    there = {locale: count for locale, count in passages.items() if count > 0}
    if not wanted:
        return frozenset(there)
    for locale in wanted:
        for form in (normal_locale, language_part):
            if same := frozenset(one for one in there if form(one) == form(locale)):
                return same
    return frozenset(sorted(there, key=lambda one: (-there[one], one))[:1])


def index_state(contents: Contents, *, expected_fingerprint: str) -> tuple[IndexState, str]:
    """Return the state, with a sentence on what is wrong and what to do; the sentence is empty when nothing is."""
    live = contents.live_fingerprint
    if live is None and contents.building:
        return IndexState.BUILDING, "the first sync is not finished; wait for it, or start it again"
    if live is None:
        return IndexState.MISSING, f"no articles were ever synced; {_RESYNC}"
    if live != expected_fingerprint:
        return IndexState.MISMATCHED, (
            f"the passages were embedded as {live}, but this embedder is {expected_fingerprint}; {_RESYNC}"
        )
    if contents.passages == 0:
        return IndexState.EMPTY, f"the last sync left no passages; {_RESYNC}"
    if contents.searchable == 0:
        return (
            IndexState.EMPTY,
            "no article is active: all are drafts or superseded; activate some and sync again",
        )
    return IndexState.READY, ""


def _in_force(article: Standing, replaced: set[ArticleId]) -> ArticleStatus:
    if article.status is ArticleStatus.ACTIVE and article.id in replaced:
        return ArticleStatus.SUPERSEDED
    return article.status

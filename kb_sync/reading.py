"""What a source holds now: the articles to search, their digests, and what is skipped or kept out of answers."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from bot.core.chunking import has_text
from bot.core.indexing import Standing, statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus
from bot.errors import SourceRejected
from kb_sync.digest import article_digest, source_digest
from kb_sync.report import KeptOut, Skipped
from kb_sync.sources.source import Delivery, SourcedArticle

_NO_TEXT = "it has no text to search for"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """A source as it is now: `withdrawn` are the ids that it retires itself, `digest` stands for all of it.

    Of `articles`, those with the digest that was stored before are as they were delivered, not clean: nothing is written of them.
    """

    articles: Mapping[ArticleId, Article]
    digests: Mapping[ArticleId, str]
    withdrawn: frozenset[ArticleId]
    skipped: tuple[Skipped, ...]
    kept_out: tuple[KeptOut, ...]
    remarks: tuple[str, ...]
    seen: int
    digest: str


def state_of(
    delivery: Delivery, *, name: str, stored: Mapping[ArticleId, str] = MappingProxyType({})
) -> SourceState:
    """Return the state; articles whose digests are *stored* have text. SourceRejected when nothing of it could be searched."""
    sourced = delivery.articles
    withdrawn = {one.article.id for one in sourced if one.article.status is ArticleStatus.RETIRED}
    kept = [one for one in sourced if one.article.id not in withdrawn]
    digests = {one.article.id: article_digest(one.article) for one in kept}
    read = {
        one.article.id: one.article if stored.get(one.article.id) == digests[one.article.id] else one.clean()
        for one in kept
    }
    without = {
        one for one, article in read.items() if stored.get(one) != digests[one] and not has_text(article)
    }
    if not read.keys() - without:
        raise SourceRejected(f"{name}: no article in it has any text; name another source")
    digests = {one: digest for one, digest in digests.items() if one not in without}
    return SourceState(
        articles={one: read[one] for one in digests},
        digests=digests,
        withdrawn=frozenset(withdrawn),
        skipped=(*_textless(kept, without), *_left_out(delivery)),
        kept_out=_kept_out([one.article for one in sourced if one.article.id not in without]),
        remarks=delivery.remarks,
        seen=len(sourced) + len(delivery.left_out),
        digest=source_digest(digests, withdrawn),
    )


def _textless(kept: Sequence[SourcedArticle], without: Set[ArticleId]) -> Iterator[Skipped]:
    for one in kept:
        if one.article.id in without:
            yield Skipped(id=one.article.id, origin=one.origin, reason=_NO_TEXT)


def _left_out(delivery: Delivery) -> Iterator[Skipped]:
    return (Skipped(origin=one.origin, reason=one.reason) for one in delivery.left_out)


def _kept_out(articles: Sequence[Article]) -> tuple[KeptOut, ...]:
    """Return those that customers will not find once the source is synced."""
    statuses = statuses_in_force(
        Standing(id=one.id, status=one.status, supersedes=one.supersedes) for one in articles
    )
    return tuple(
        KeptOut(id=one.id, title=one.title, status=statuses[one.id])
        for one in articles
        if statuses[one.id] is not ArticleStatus.ACTIVE
    )

"""What a source holds now: the articles to search, their digests, and what is skipped or kept out of answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.chunking import has_text
from bot.core.indexing import Standing, statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus
from bot.errors import SourceRejected
from kb_sync.digest import article_digest, source_digest
from kb_sync.report import KeptOut, Skipped
from kb_sync.sources.source import Delivery

_NO_TEXT = "it has no text to search for"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """A source as it is now: `withdrawn` are the ids that it retires itself, `digest` stands for all of it."""

    articles: Mapping[ArticleId, Article]
    digests: Mapping[ArticleId, str]
    withdrawn: frozenset[ArticleId]
    skipped: tuple[Skipped, ...]
    kept_out: tuple[KeptOut, ...]
    remarks: tuple[str, ...]
    seen: int
    digest: str


def state_of(delivery: Delivery, *, name: str) -> SourceState:
    """Return the state; SourceRejected when nothing of it could be searched."""
    sourced = delivery.articles
    withdrawn = {one.article.id for one in sourced if one.article.status is ArticleStatus.RETIRED}
    kept = [one for one in sourced if one.article.id not in withdrawn]
    textless = [one for one in kept if not has_text(one.article)]
    without = {one.article.id for one in textless}
    articles = {one.article.id: one.article for one in kept if one.article.id not in without}
    if not articles:
        raise SourceRejected(f"{name}: no article in it has any text; name another source")
    digests = {one: article_digest(article) for one, article in articles.items()}
    return SourceState(
        articles=articles,
        digests=digests,
        withdrawn=frozenset(withdrawn),
        skipped=(
            *(Skipped(id=one.article.id, origin=one.origin, reason=_NO_TEXT) for one in textless),
            *(Skipped(origin=one.origin, reason=one.reason) for one in delivery.left_out),
        ),
        kept_out=_kept_out([one.article for one in sourced if one.article.id not in without]),
        remarks=delivery.remarks,
        seen=len(sourced) + len(delivery.left_out),
        digest=source_digest(digests, withdrawn),
    )


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

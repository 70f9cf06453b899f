"""Articles as the content page shows them: how up to date they are, the list, one of them whole, and pairs to decide on. Pure."""

from bot.channels.console.evidence import finite
from bot.channels.events import Event
from bot.channels.rendering import safe_url
from bot.channels.wording import Names, agent_name
from bot.core.article_pages import link_to
from bot.core.content import ComparedPassage, Decision, ListedArticle
from bot.core.contradictions import Difference
from bot.core.duplicates import ArticlePair
from bot.core.knowledge import ArticleId
from bot.service.content import (
    CITED_DAYS,
    ArticleList,
    CitedArticle,
    ContentHealth,
    DecidedPair,
    Pairs,
    WholeArticle,
)
from bot.sync_ports import Generation, RunRecord

MOST_LISTED = 200  # articles; who looks for another one has words to find it by


def to_health(health: ContentHealth, *, now_ms: int) -> Event:
    """Translate the state of the sync."""
    sync = health.sync
    return {
        "now": now_ms,
        "last_good": sync.last_good_ms,
        "every_s": None if sync.every_ms is None else sync.every_ms // 1000,
        "late": sync.late,
        "old": sync.old,
        "runs": [_to_run(run) for run in health.runs],
        "generation": _to_generation(health.live),
        "previous": _to_generation(health.previous),
    }


def to_articles(found: ArticleList) -> Event:
    """Translate a list; `found` are all that fit, of which the first come, and `total` all there are."""
    return {
        "articles": [_to_listed(article) for article in found.articles[:MOST_LISTED]],
        "tags": list(found.tags),
        "found": len(found.articles),
        "total": found.total,
        "cited_days": CITED_DAYS,
    }


def to_whole(whole: WholeArticle) -> Event:
    """Translate an article with its text, as its source has it."""
    return {**_to_listed(whole.article), "body": whole.body}


def to_pairs(pairs: Pairs, names: Names) -> Event:
    """Translate what is to be decided and what has been; `total` are all that wait, of which the most pressing come."""
    return {
        "pairs": [_to_pair(pair) for pair in pairs.waiting],
        "decided": [_to_decided(decided, names) for decided in pairs.decided],
        "total": pairs.total,
    }


def to_decision(decision: Decision, names: Names) -> Event:
    """Translate a decision by itself."""
    return {
        "key": decision.key,
        "kind": decision.kind,
        "who": agent_name(decision.who, names),
        "at": decision.at_ms,
    }


def _to_listed(article: CitedArticle) -> Event:
    listed = article.listed
    return {
        "id": listed.id,
        "title": listed.title,
        "url": _address(listed.id, listed.url),
        "category": listed.category,
        "tags": list(listed.tags),
        "locale": listed.locale,
        "status": listed.status,
        "superseded_by": listed.superseded_by,
        "last_modified": listed.last_modified_ms,
        "added": listed.added_ms,
        "changed": listed.changed_ms,
        "evergreen": listed.evergreen,
        "old": article.old,
        "cited": article.cited,
    }


def _to_decided(decided: DecidedPair, names: Names) -> Event:
    """Say of which articles; `left` is the one that was superseded, where one was."""
    decision = decided.decision
    return {
        **to_decision(decision, names),
        "left": _to_named(decision.loser, decided.loser),
        "right": _to_named(decision.winner, decided.winner),
    }


def _to_run(run: RunRecord) -> Event:
    return {
        "id": run.id,
        "started": run.started_ms,
        "ended": run.ended_ms,
        "outcome": run.outcome,
        "source": run.source,
        "seen": run.seen,
        "added": run.added,
        "changed": run.changed,
        "unchanged": run.unchanged,
        "retired": run.retired,
        "withheld": run.withheld,
        "skipped": run.skipped,
        "failed": run.failed,
        "embedded": run.embedded_passages,
        "tokens": run.embedded_tokens,
        "error": run.error,
    }


def _to_generation(generation: Generation | None) -> Event | None:
    if generation is None:
        return None
    check = generation.check
    return {
        "id": generation.id,
        "fingerprint": generation.fingerprint,
        "published": generation.published_ms,
        "articles": generation.articles,
        "passages": generation.passages,
        "recall_at_3": finite(check.recall_at_3) if check else None,
    }


def _to_pair(pair: ArticlePair) -> Event:
    return {
        "key": pair.key,
        "kind": pair.kind,
        "cosine": finite(pair.cosine),
        "coverage": finite(pair.coverage),
        "left": _to_side(pair.left),
        "right": _to_side(pair.right),
        "heading": pair.heading,
        "sentences": [_to_sentences(difference) for difference in pair.sentences],
    }


def _to_side(side: ComparedPassage) -> Event:
    return {
        "id": side.article_id,
        "title": side.title,
        "url": _address(side.article_id, side.url),
        "last_modified": side.last_modified_ms,
    }


def _to_sentences(difference: Difference) -> Event:
    return {"left": difference.left, "right": difference.right, "differs": list(difference.differs)}


def _to_named(article: ArticleId, listed: ListedArticle | None) -> Event:
    """Name an article; one that is gone is called by its id."""
    return {"id": article, "title": listed.title if listed else article}


def _address(article: ArticleId, url: str) -> str | None:
    return safe_url(link_to(article, url))

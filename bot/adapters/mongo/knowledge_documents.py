"""Articles and passages of a generation as documents, and back. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bot.core.indexing import Standing, passage_digest
from bot.core.knowledge import (
    Article,
    ArticleId,
    ArticleStatus,
    ArticleText,
    FoundPassage,
    Passage,
    PassageId,
    Vector,
)
from bot.core.lexical import terms

Document = dict[str, Any]
Kept = Mapping[str, Any]


def articles_in(generation: str) -> str:
    """Return the collection of a generation's articles."""
    return f"articles_{generation}".replace("-", "_")


def passages_in(generation: str) -> str:
    """Return the collection of a generation's passages, which has the vector index."""
    return f"passages_{generation}".replace("-", "_")


def from_article(
    article: Article, digest: str, passages: Sequence[Passage], *, token: int, written_ms: int, added_ms: int
) -> Document:
    """Return an article's document; `retired` is 1 for one that no search finds, whatever its source says."""
    texts = (article.title, *(passage.text for passage in passages))
    return {
        **asdict(article),
        "_id": article.id,
        "status": str(article.status),
        "supersedes": list(article.supersedes),
        "tags": list(article.tags),
        "digest": digest,
        "passages": len(passages),
        "terms": [term for text in texts for term in terms(text)],
        "retired": int(article.status is ArticleStatus.RETIRED),
        "token": token,
        "written_ms": written_ms,
        "added_ms": added_ms,
    }


def to_article(kept: Kept) -> Article:
    """Read an article as its source has it."""
    return Article(
        id=ArticleId(kept["_id"]),
        title=kept["title"],
        body=kept["body"],
        url=kept["url"],
        category=kept["category"],
        tags=tuple(kept["tags"]),
        locale=kept["locale"],
        status=ArticleStatus(kept["status"]),
        supersedes=tuple(map(ArticleId, kept["supersedes"])),
        last_modified_ms=kept["last_modified_ms"],
        evergreen=bool(kept["evergreen"]),
    )


def to_standing(kept: Kept) -> Standing:
    """Read what an article says of itself and of older ones."""
    status = ArticleStatus.RETIRED if kept["retired"] else ArticleStatus(kept["status"])
    return Standing(
        id=ArticleId(kept["_id"]), status=status, supersedes=tuple(map(ArticleId, kept["supersedes"]))
    )


def from_passage(article: Article, digest: str, passage: Passage, vector: Vector, *, token: int) -> Document:
    """Return a passage's document with what a search filters by and tells of its article.

    `status` is the article's own until the generation is settled, and the one in force from then on.
    """
    return {
        "_id": passage.id,
        "article_id": article.id,
        "article_digest": digest,
        "position": passage.position,
        "headings": list(passage.headings),
        "text": passage.text,
        "embedded_text": passage.embedded_text,
        "digest": passage_digest(passage.embedded_text),
        "terms": list(terms(passage.embedded_text)),
        "vector": list(vector),
        "status": str(article.status),
        "locale": article.locale,
        "title": article.title,
        "url": article.url,
        "last_modified_ms": article.last_modified_ms,
        "evergreen": int(article.evergreen),
        "token": token,
    }


def to_passage(kept: Kept) -> Passage:
    return Passage(
        id=PassageId(kept["_id"]),
        article_id=ArticleId(kept["article_id"]),
        position=kept["position"],
        headings=tuple(kept["headings"]),
        text=kept["text"],
        embedded_text=kept["embedded_text"],
    )


def to_found(kept: Kept, *, cosine: float, status: ArticleStatus) -> FoundPassage:
    """Read a passage that a search found."""
    return FoundPassage(
        passage=to_passage(kept),
        title=kept["title"],
        url=kept["url"],
        cosine=cosine,
        status=status,
        locale=kept["locale"],
        last_modified_ms=kept["last_modified_ms"],
        evergreen=bool(kept["evergreen"]),
        article_digest=kept["article_digest"],
    )


def to_article_text(article: Kept, passages: Sequence[Kept]) -> ArticleText:
    """Read an article as customers may see it."""
    return ArticleText(
        id=ArticleId(article["_id"]),
        title=article["title"],
        url=article["url"],
        locale=article["locale"],
        last_modified_ms=article["last_modified_ms"],
        passages=tuple(sorted(map(to_passage, passages), key=lambda one: one.position)),
    )

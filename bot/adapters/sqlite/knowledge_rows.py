"""Rows of the knowledge tables to core values and back."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict

from bot.adapters.sqlite.matrix import Hit, to_bytes
from bot.core.indexing import Standing, passage_digest
from bot.core.knowledge import (
    Article,
    ArticleId,
    ArticleStatus,
    Calibration,
    FoundPassage,
    Passage,
    PassageId,
    Vector,
)
from bot.sync_ports import RunRecord

INSERT_ARTICLE = """
INSERT INTO articles (
    generation, id, digest, title, url, category, tags, locale, status, supersedes, last_modified_ms, evergreen
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
INSERT_PASSAGE = """
INSERT INTO passages (generation, id, article_id, position, headings, text, embedded_text, digest, vector)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def from_article(generation: str, article: Article, digest: str) -> tuple[str | int | None, ...]:
    """Return the row of an article, in the order of INSERT_ARTICLE."""
    return (
        generation,
        article.id,
        digest,
        article.title,
        article.url,
        article.category,
        json.dumps(article.tags),
        article.locale,
        article.status,
        json.dumps(article.supersedes),
        article.last_modified_ms,
        int(article.evergreen),
    )


def from_passage(generation: str, passage: Passage, vector: Vector) -> tuple[str | int | bytes, ...]:
    """Return the row of a passage, in the order of INSERT_PASSAGE."""
    return (
        generation,
        passage.id,
        passage.article_id,
        passage.position,
        json.dumps(passage.headings),
        passage.text,
        passage.embedded_text,
        passage_digest(passage.embedded_text),
        to_bytes(vector),
    )


def to_standings(rows: Iterable[sqlite3.Row]) -> list[Standing]:
    return [
        Standing(
            id=ArticleId(row["id"]),
            status=ArticleStatus(row["status"]),
            supersedes=tuple(ArticleId(one) for one in json.loads(row["supersedes"])),
        )
        for row in rows
    ]


def to_passage(row: sqlite3.Row) -> Passage:
    return Passage(
        id=PassageId(row["id"]),
        article_id=ArticleId(row["article_id"]),
        position=row["position"],
        headings=tuple(json.loads(row["headings"])),
        text=row["text"],
        embedded_text=row["embedded_text"],
    )


def to_found(row: sqlite3.Row, hit: Hit) -> FoundPassage:
    """Return a found passage from its row joined with its article's."""
    return FoundPassage(
        passage=to_passage(row),
        title=row["title"],
        url=row["url"],
        cosine=hit.cosine,
        status=hit.group.status,
        locale=hit.group.locale,
        last_modified_ms=row["last_modified_ms"],
        evergreen=bool(row["evergreen"]),
        article_digest=row["article_digest"],
    )


def from_run(run: RunRecord) -> tuple[str, int, str]:
    return run.id, run.started_ms, json.dumps(asdict(run))


def from_calibration(calibration: Calibration) -> tuple[str, str]:
    return calibration.fingerprint, json.dumps(asdict(calibration))


def to_calibration(document: str) -> Calibration | None:
    """Return the stored calibration; None when another version wrote it, for then it must be measured again."""
    try:
        return Calibration(**json.loads(document))
    except TypeError:
        return None

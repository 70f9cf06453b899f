"""Rows of the knowledge tables to core values and back."""

import json
import sqlite3
from dataclasses import asdict

from bot.adapters.sqlite.matrix import Hit
from bot.core.indexing import passage_digest
from bot.core.knowledge import (
    Article,
    ArticleId,
    ArticleStatus,
    Calibration,
    FoundPassage,
    Passage,
    PassageId,
)
from bot.sync_ports import CheckedQuestion, Generation, GenerationCheck, GenerationState, RunRecord

INSERT_VERSION = """
INSERT INTO versions (
    fingerprint, id, digest, title, url, category, tags, locale, status, supersedes, last_modified_ms, evergreen, written_ms, body
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
"""
INSERT_PASSAGE = """
INSERT INTO passages (version, id, position, digest, headings, text, embedded_text)
VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number
"""


def from_article(
    fingerprint: str, article: Article, digest: str, *, written_ms: int
) -> tuple[str | int | None, ...]:
    """Return the row of an article as it is written now, in the order of INSERT_VERSION."""
    return (
        fingerprint,
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
        written_ms,
        article.body,
    )


def to_article(row: sqlite3.Row) -> Article:
    """Return an article as its source has it, from the row of its version."""
    return Article(
        id=ArticleId(row["id"]),
        title=row["title"],
        body=row["body"],
        url=row["url"],
        category=row["category"],
        tags=tuple(json.loads(row["tags"])),
        locale=row["locale"],
        status=ArticleStatus(row["status"]),
        supersedes=tuple(ArticleId(one) for one in json.loads(row["supersedes"])),
        last_modified_ms=row["last_modified_ms"],
        evergreen=bool(row["evergreen"]),
    )


def from_passage(version: int, passage: Passage) -> tuple[str | int, ...]:
    """Return the row of a passage, in the order of INSERT_PASSAGE."""
    return (
        version,
        passage.id,
        passage.position,
        passage_digest(passage.embedded_text),
        json.dumps(passage.headings),
        passage.text,
        passage.embedded_text,
    )


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


def to_generation(row: sqlite3.Row) -> Generation:
    return Generation(
        id=row["id"],
        fingerprint=row["fingerprint"],
        state=GenerationState(row["state"]),
        created_ms=row["created_ms"],
        published_ms=row["published_ms"],
        articles=row["articles"],
        passages=row["passages"],
        check=None if row["checked"] is None else _to_check(row["checked"]),
    )


def from_check(check: GenerationCheck) -> str:
    return json.dumps(asdict(check))


def from_run(run: RunRecord) -> tuple[str, int, str]:
    return run.id, run.started_ms, json.dumps(asdict(run))


def to_run(document: str) -> RunRecord:
    """Return the record of a run; what an older version did not record is as it is by default."""
    return RunRecord(**json.loads(document))


def from_calibration(calibration: Calibration) -> tuple[str, str]:
    return calibration.fingerprint, json.dumps(asdict(calibration))


def to_calibration(document: str) -> Calibration | None:
    """Return the stored calibration; None when another version wrote it, for then it must be measured again."""
    try:
        return Calibration(**json.loads(document))
    except TypeError:
        return None


def _to_check(document: str) -> GenerationCheck:
    stored = json.loads(document)
    questions = (
        CheckedQuestion(text=one["text"], gold=tuple(one["gold"]), hit=one["hit"])
        for one in stored["questions"]
    )
    return GenerationCheck(
        articles=stored["articles"], passages=stored["passages"], questions=tuple(questions)
    )

"""Exact vector search over the passages of the knowledge base in the SQLite file."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from bot.adapters.sqlite.article_texts import article_text
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge_rows import to_calibration, to_found
from bot.adapters.sqlite.loading import Loaded, load, revision_of, sync_times
from bot.adapters.sqlite.matrix import Group, Hit
from bot.adapters.sqlite.words import article_scores, passage_scores
from bot.core.indexing import index_state, searched_locales
from bot.core.knowledge import (
    LOOKED_AT_BESIDE,
    ArticleId,
    ArticleText,
    Calibration,
    FoundPassage,
    IndexState,
    IndexStatus,
    SearchQuery,
    SearchResult,
)
from bot.errors import IndexNotReady, RetrievalUnavailable, StoreUnavailable

T = TypeVar("T")
_FOUND = """
SELECT p.number, p.id, v.id AS article_id, p.position, p.headings, p.text, p.embedded_text, p.version, v.title, v.url,
    v.last_modified_ms, v.evergreen, v.digest AS article_digest
FROM passages p JOIN versions v ON v.number = p.version WHERE p.number IN (SELECT value FROM json_each(?))
"""


class _Text(NamedTuple):
    """A passage that was found, its cosine aside, and the number of its article's version."""

    found: FoundPassage
    version: int


class SqlitePassageIndex:
    """Searches the live generation. Each call looks whether it changed, by this process or another, and reloads it then.

    When none of a query's locales has passages, the index's own most common locale is searched.
    """

    def __init__(self, database: SqliteDatabase, *, fingerprint: str) -> None:
        self._database = database
        self._fingerprint = fingerprint
        # Both are touched only on the database's read thread.
        self._loaded: Loaded | None = None
        self._found_before: dict[int, _Text] = {}

    async def status(self) -> IndexStatus:
        return await self._read(self._status)

    async def search(self, query: SearchQuery) -> SearchResult:
        return await self._read(lambda connection: self._search(connection, query))

    async def article(self, article: ArticleId) -> ArticleText | None:
        return await self._read(lambda connection: article_text(connection, article))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._database.read(work)
        except (StoreUnavailable, sqlite3.Error, ValueError) as exc:  # ValueError: a damaged row
            raise RetrievalUnavailable(f"the passages cannot be read: {exc}") from exc

    def _current(self, connection: sqlite3.Connection) -> Loaded:
        loaded = self._loaded
        if loaded is None or loaded.revision != revision_of(connection):
            self._loaded = loaded = load(connection, fingerprint=self._fingerprint)
            self._found_before.clear()
        return loaded

    def _status(self, connection: sqlite3.Connection) -> IndexStatus:
        loaded = self._current(connection)
        state, detail = index_state(loaded.contents, expected_fingerprint=self._fingerprint)
        times = sync_times(connection)
        return IndexStatus(
            state=state,
            fingerprint=loaded.contents.live_fingerprint,
            generation=loaded.generation,
            articles=loaded.articles,
            passages=loaded.contents.passages,
            last_sync_ms=times.last_ms,
            expected_every_s=times.every_s,
            calibration=self._calibration(connection),
            detail=detail,
        )

    def _search(self, connection: sqlite3.Connection, query: SearchQuery) -> SearchResult:
        loaded = self._current(connection)
        state, detail = index_state(loaded.contents, expected_fingerprint=self._fingerprint)
        if state is not IndexState.READY or loaded.generation is None:
            raise IndexNotReady(detail)
        groups = _searched_groups(loaded, query)
        worded = passage_scores(
            connection, query.words, allowed=lambda number: loaded.matrix.holds(number, groups)
        )
        hits = _hits(loaded, groups, query, worded)
        return SearchResult(
            passages=_worded(connection, hits, self._texts(connection, hits), query, worded),
            fingerprint=self._fingerprint,
            generation=loaded.generation,
            beside=tuple(loaded.matrix.best(vector, groups, LOOKED_AT_BESIDE) for vector in query.beside),
        )

    def _texts(self, connection: sqlite3.Connection, hits: Sequence[Hit]) -> Mapping[int, _Text]:
        """Return the texts of *hits* among others. What was found since the last change is kept: customers ask much the same things."""
        known = self._found_before
        unread = {hit.number: hit for hit in hits if hit.number not in known}
        if unread:
            for row in connection.execute(_FOUND, (json.dumps(list(unread)),)):
                known[row["number"]] = _Text(to_found(row, unread[row["number"]]), row["version"])
        return known

    def _calibration(self, connection: sqlite3.Connection) -> Calibration | None:
        row = connection.execute(
            "SELECT document FROM calibrations WHERE fingerprint = ?", (self._fingerprint,)
        ).fetchone()
        return None if row is None else to_calibration(row["document"])


def _hits(
    loaded: Loaded, groups: Sequence[Group], query: SearchQuery, worded: Mapping[int, float]
) -> list[Hit]:
    """Return the nearest passages and, where they are not among them, those that hold the words best."""
    hits = loaded.matrix.nearest(query.vector, groups, query.limit)
    near = {hit.number for hit in hits}
    best = sorted(worded, key=lambda number: (-worded[number], loaded.matrix.passage(number)))
    holding = loaded.matrix.hits(query.vector, groups, best[: query.limit])
    return sorted(
        [*hits, *(hit for hit in holding if hit.number not in near)],
        key=lambda hit: (-hit.cosine, hit.passage),
    )


def _worded(
    connection: sqlite3.Connection,
    hits: Sequence[Hit],
    texts: Mapping[int, _Text],
    query: SearchQuery,
    worded: Mapping[int, float],
) -> tuple[FoundPassage, ...]:
    """Return what was found, with how well each passage and its whole article hold the words asked for."""
    versions = {texts[hit.number].version for hit in hits}
    articles = article_scores(connection, query.words, versions)
    return tuple(
        replace(
            texts[hit.number].found,
            cosine=hit.cosine,
            lexical=worded.get(hit.number, 0.0),
            article_lexical=articles.get(texts[hit.number].version, 0.0),
        )
        for hit in hits
    )


def _searched_groups(loaded: Loaded, query: SearchQuery) -> tuple[Group, ...]:
    groups = loaded.matrix.groups_of(query.statuses)
    passages: dict[str, int] = {}
    for group in groups:
        passages[group.locale] = passages.get(group.locale, 0) + group.size
    locales = searched_locales(query.locales, passages)
    return tuple(group for group in groups if group.locale in locales)

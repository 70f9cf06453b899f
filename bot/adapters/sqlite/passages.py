"""Exact vector search over the passages of the knowledge base in the SQLite file."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from bot.adapters.sqlite.article_texts import article_text
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge_rows import to_calibration, to_found
from bot.adapters.sqlite.loading import Loaded, last_success_ms, load, revision_of
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
    PassageId,
    SearchQuery,
    SearchResult,
)
from bot.errors import IndexNotReady, RetrievalUnavailable, StoreUnavailable

T = TypeVar("T")
_FOUND = """
SELECT p.id, article_id, position, headings, text, embedded_text, title, url, last_modified_ms, evergreen,
    a.digest AS article_digest
FROM passages p JOIN articles a ON a.generation = p.generation AND a.id = p.article_id
WHERE p.generation = ? AND p.id IN (SELECT value FROM json_each(?))
"""


class SqlitePassageIndex:
    """Searches the live generation. Each call looks whether it changed, by this process or another, and reloads it then.

    When none of a query's locales has passages, the index's own most common locale is searched.
    """

    def __init__(self, database: SqliteDatabase, *, fingerprint: str) -> None:
        self._database = database
        self._fingerprint = fingerprint
        # Both are touched only on the database's read thread.
        self._loaded: Loaded | None = None
        self._found_before: dict[PassageId, FoundPassage] = {}

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
        return IndexStatus(
            state=state,
            fingerprint=loaded.contents.live_fingerprint,
            generation=loaded.generation,
            articles=loaded.articles,
            passages=loaded.contents.passages,
            last_sync_ms=last_success_ms(connection),
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
            connection, loaded.generation, query.words, allowed=lambda one: loaded.matrix.holds(one, groups)
        )
        found = self._found(connection, loaded.generation, _hits(loaded, groups, query, worded))
        return SearchResult(
            passages=_worded(connection, loaded.generation, found, query, worded),
            fingerprint=self._fingerprint,
            generation=loaded.generation,
            beside=tuple(loaded.matrix.best(vector, groups, LOOKED_AT_BESIDE) for vector in query.beside),
        )

    def _found(
        self, connection: sqlite3.Connection, generation: str, hits: Sequence[Hit]
    ) -> tuple[FoundPassage, ...]:
        """Join hits with their texts. What was found since the last change is kept: customers ask much the same things."""
        known = self._found_before
        unread = {hit.passage: hit for hit in hits if hit.passage not in known}
        if unread:
            rows = connection.execute(_FOUND, (generation, json.dumps(list(unread))))
            known.update((row["id"], to_found(row, unread[row["id"]])) for row in rows)
        return tuple(replace(known[hit.passage], cosine=hit.cosine) for hit in hits)

    def _calibration(self, connection: sqlite3.Connection) -> Calibration | None:
        row = connection.execute(
            "SELECT document FROM calibrations WHERE fingerprint = ?", (self._fingerprint,)
        ).fetchone()
        return None if row is None else to_calibration(row["document"])


def _hits(
    loaded: Loaded, groups: Sequence[Group], query: SearchQuery, worded: Mapping[PassageId, float]
) -> list[Hit]:
    """Return the nearest passages and, where they are not among them, those that hold the words best."""
    hits = loaded.matrix.nearest(query.vector, groups, query.limit)
    near = {hit.passage for hit in hits}
    holding = loaded.matrix.hits(query.vector, groups, islice(worded, query.limit))
    return sorted(
        [*hits, *(hit for hit in holding if hit.passage not in near)],
        key=lambda hit: (-hit.cosine, hit.passage),
    )


def _worded(
    connection: sqlite3.Connection,
    generation: str,
    found: Sequence[FoundPassage],
    query: SearchQuery,
    worded: Mapping[PassageId, float],
) -> tuple[FoundPassage, ...]:
    """Add how well each passage and its whole article hold the words asked for."""
    articles = article_scores(connection, generation, query.words, {one.article_id for one in found})
    return tuple(
        replace(
            one,
            lexical=worded.get(one.passage.id, 0.0),
            article_lexical=articles.get(one.article_id, 0.0),
        )
        for one in found
    )


def _searched_groups(loaded: Loaded, query: SearchQuery) -> tuple[Group, ...]:
    groups = loaded.matrix.groups_of(query.statuses)
    passages: dict[str, int] = {}
    for group in groups:
        passages[group.locale] = passages.get(group.locale, 0) + group.size
    locales = searched_locales(query.locales, passages)
    return tuple(group for group in groups if group.locale in locales)

"""What kb_sync writes into the SQLite file: one transaction a call, and it blocks."""

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from bot.adapters.sqlite import (
    generations,
    knowledge_garbage,
    knowledge_lock,
    knowledge_members,
    knowledge_probes,
)
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge_rows import from_calibration
from bot.adapters.sqlite.matrix import STORED, to_bytes, to_vector
from bot.core.knowledge import Article, ArticleId, Calibration, Passage, PassageId, Vector
from bot.core.vectors import checked_vectors
from bot.errors import StoreUnavailable
from bot.sync_ports import Generation, GenerationCheck, Near, RunRecord, SyncLock

VERSIONS_AT_ONCE = 5  # are dropped under one lock of the file
PAUSE_S = (
    0.02  # between two locks: conversations that wait for the file look for it this often, and get it first
)

_KNOWN = (
    "SELECT digest, vector FROM vectors WHERE fingerprint = ? AND digest IN (SELECT value FROM json_each(?))"
)


class SqliteKnowledgeWriter:
    """Only `publish` and `roll_back` change what searches see, and both at once for all of it.

    Which article supersedes which is kept as the articles state it and worked out when the index is read, so that it never
    depends on the order of writing.
    """

    def __init__(self, database: SqliteDatabase, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._database = database
        self._pause = pause

    def take_lock(self, holder: str, *, now_ms: int, until_ms: int) -> int:
        return self._database.write_now(
            lambda connection: knowledge_lock.take_lock(connection, holder, now_ms=now_ms, until_ms=until_ms)
        )

    def renew_lock(self, token: int, *, until_ms: int) -> None:
        self._database.write_now(
            lambda connection: knowledge_lock.renew_lock(connection, token, until_ms=until_ms)
        )

    def release_lock(self, token: int) -> None:
        self._database.write_now(lambda connection: knowledge_lock.release_lock(connection, token))

    def lock(self) -> SyncLock | None:
        return self._database.read_now(knowledge_lock.lock_of)

    def generations(self) -> tuple[Generation, ...]:
        return self._database.read_now(generations.generations_of)

    def open_build(self, token: int, fingerprint: str, *, at_ms: int) -> str:
        build = self._database.write_now(
            lambda connection: generations.open_build(connection, token, fingerprint, at_ms=at_ms)
        )
        self._drop_old_members()
        return build

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        return self._database.read_now(
            lambda connection: knowledge_members.digests_of(connection, generation)
        )

    def retired_articles(self, generation: str) -> frozenset[ArticleId]:
        return self._database.read_now(
            lambda connection: knowledge_members.retired_of(connection, generation)
        )

    def carry_over(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        self._database.write_now(
            lambda connection: knowledge_members.carry_over(connection, token, build, articles)
        )

    def replace_article(
        self,
        token: int,
        build: str,
        article: Article,
        digest: str,
        passages: Sequence[Passage],
        *,
        at_ms: int,
    ) -> None:
        self._database.write_now(
            lambda connection: knowledge_members.replace_article(
                connection, token, build, article, digest, passages, at_ms=at_ms
            )
        )

    def retire_articles(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        self._database.write_now(
            lambda connection: knowledge_members.retire_articles(connection, token, build, articles)
        )

    def leave_out(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        self._database.write_now(
            lambda connection: knowledge_members.leave_out(connection, token, build, articles)
        )

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        wanted = json.dumps(list(digests))
        rows = self._database.read_now(
            lambda connection: connection.execute(_KNOWN, (fingerprint, wanted)).fetchall()
        )
        return {row["digest"]: to_vector(row["vector"]) for row in rows}

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        self._database.write_now(lambda connection: _remember(connection, fingerprint, vectors))

    def nearest(self, generation: str, vectors: Sequence[Vector], *, limit: int) -> tuple[Near, ...]:
        return self._database.read_now(
            lambda connection: knowledge_probes.nearest(connection, generation, vectors, limit=limit)
        )

    def passages_of_generation(
        self, generation: str, *, limit: int
    ) -> tuple[tuple[PassageId, ArticleId, str], ...]:
        return self._database.read_now(
            lambda connection: knowledge_probes.sample_of(connection, generation, limit=limit)
        )

    def discard_build(self, token: int, build: str) -> None:
        self._database.write_now(lambda connection: generations.discard_build(connection, token, build))

    def publish(self, token: int, build: str, run: RunRecord, check: GenerationCheck) -> None:
        self._database.write_now(lambda connection: generations.publish(connection, token, build, run, check))
        # It is live: a failure to tidy up is left to the next run.
        with suppress(StoreUnavailable):
            self._drop_old_members()
            self._drop_unused_versions()

    def roll_back(self, token: int, run: RunRecord, *, refused: str) -> Generation:
        return self._database.write_now(
            lambda connection: generations.roll_back(connection, token, run, refused=refused)
        )

    def rolled_back(self) -> str:
        return self._database.read_now(generations.rolled_back)

    def record_run(self, run: RunRecord) -> None:
        self._database.write_now(lambda connection: generations.record_run(connection, run))

    def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        return self._database.read_now(lambda connection: generations.runs_of(connection, limit=limit))

    def store_calibration(self, calibration: Calibration) -> None:
        row = from_calibration(calibration)
        self._database.write_now(
            lambda connection: connection.execute("INSERT OR REPLACE INTO calibrations VALUES (?, ?)", row)
        )

    def _drop_old_members(self) -> None:
        while self._database.write_now(knowledge_garbage.drop_old_members):
            self._pause(PAUSE_S)

    def _drop_unused_versions(self) -> None:
        unused = self._database.read_now(knowledge_garbage.unused_versions)
        for start in range(0, len(unused), VERSIONS_AT_ONCE):
            some = unused[start : start + VERSIONS_AT_ONCE]
            self._database.write_now(partial(knowledge_garbage.drop_versions, versions=some))
            self._pause(PAUSE_S)


def _remember(connection: sqlite3.Connection, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
    if not vectors:
        return
    before = connection.execute(
        "SELECT length(vector) AS size FROM vectors WHERE fingerprint = ? LIMIT 1", (fingerprint,)
    ).fetchone()
    new = tuple(vectors.values())
    dimension = len(new[0]) if before is None else int(before["size"]) // STORED.itemsize
    checked_vectors(new, count=len(new), dimension=dimension)
    rows = [(fingerprint, digest, to_bytes(vector)) for digest, vector in vectors.items()]
    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

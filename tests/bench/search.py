"""Exact search against the bare NumPy product on the same matrix (DESIGN §9: within 1.5 times at 10,000 passages)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from rich.table import Table

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.loading import load
from bot.adapters.sqlite.matrix import Floats, PassageMatrix
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.core.indexing import passage_digest
from bot.core.knowledge import ArticleStatus, Passage, SearchQuery, Vector
from tests.bench.timing import Spread, measured_in_turns
from tests.knowledge_builders import a_check, a_passage, a_run, a_token, an_article

DIMENSION = 384
LIMIT = 20
QUERIES = 50
PASSAGES_AN_ARTICLE = 100
DRAFTS_EVERY = 10  # so that the filter has something to leave out
ROUNDS = {1_000: 500, 10_000: 300, 100_000: 60}
FINGERPRINT = "local/bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    index: SqlitePassageIndex
    matrix: PassageMatrix
    load_s: float


async def search_table(directory: Path) -> Table:
    table = Table(title=f"Exact search: {DIMENSION} dimensions, top {LIMIT}, filtered by status and locale")
    for heading in (
        "passages",
        "bare product p50",
        "scored and cut",
        "to product",
        "whole search p50",
        "to product",
        "whole search p99",
        "load",
    ):
        table.add_column(heading, justify="right")
    for passages, rounds in ROUNDS.items():
        with _bench(directory / f"{passages}.db", passages) as bench:
            table.add_row(f"{passages:,}", *_cells(await _measured(bench, rounds)), f"{bench.load_s:.2f} s")
    return table


def _cells(times: dict[str, Spread]) -> list[str]:
    product, scored, whole = times["product"], times["scored"], times["whole"]
    return [
        f"{product.p50_ms:.2f} ms",
        f"{scored.p50_ms:.2f} ms",
        f"{scored.p50_ms / product.p50_ms:.2f}",
        f"{whole.p50_ms:.2f} ms",
        f"{whole.p50_ms / product.p50_ms:.2f}",
        f"{whole.p99_ms:.2f} ms",
    ]


async def _measured(bench: _Bench, rounds: int) -> dict[str, Spread]:
    queries = [_vector(row) for row in _unit_rows(QUERIES, seed=2)]
    groups = bench.matrix.groups_of(frozenset({ArticleStatus.ACTIVE}))
    asked = {name: cycle(queries) for name in ("product", "scored", "whole")}

    async def product() -> Floats:
        return bench.matrix.rows @ np.asarray(next(asked["product"]), dtype=np.float32)

    async def scored() -> object:
        return bench.matrix.nearest(next(asked["scored"]), groups, LIMIT)

    async def whole() -> object:
        return await bench.index.search(
            SearchQuery(vector=next(asked["whole"]), locales=("en",), limit=LIMIT)
        )

    return await measured_in_turns({"product": product, "scored": scored, "whole": whole}, rounds=rounds)


@contextmanager
def _bench(path: Path, passages: int) -> Iterator[_Bench]:
    database = SqliteDatabase.open(path)
    try:
        _fill(SqliteKnowledgeWriter(database), passages)
        start = time.perf_counter()
        loaded = database.read_now(lambda connection: load(connection, fingerprint=FINGERPRINT))
        load_s = time.perf_counter() - start
        index = SqlitePassageIndex(database, fingerprint=FINGERPRINT)
        yield _Bench(index=index, matrix=loaded.matrix, load_s=load_s)
    finally:
        database.close()


def _fill(writer: SqliteKnowledgeWriter, passages: int) -> None:
    token = a_token(writer)
    build = writer.open_build(token, FINGERPRINT, at_ms=0)
    rows = _unit_rows(passages, seed=1)
    for number in range(passages // PASSAGES_AN_ARTICLE):
        name = f"KB{number:06}"
        status = ArticleStatus.ACTIVE if (number + 1) % DRAFTS_EVERY else ArticleStatus.DRAFT
        start = number * PASSAGES_AN_ARTICLE
        cut = [_passage(f"{name}#{place:03}") for place in range(PASSAGES_AN_ARTICLE)]
        vectors = {
            passage_digest(passage.embedded_text): _vector(rows[start + place])
            for place, passage in enumerate(cut)
        }
        writer.remember_vectors(FINGERPRINT, vectors)
        writer.replace_article(token, build, an_article(name, status=status), "digest", cut, at_ms=0)
    writer.publish(token, build, a_run(), a_check())


def _passage(passage_id: str) -> Passage:
    """Return a passage with a text of its own, and so with a vector of its own."""
    return a_passage(
        passage_id, text="Open My Lessons. " * 40, embedded_text=f"Open My Lessons. {passage_id}"
    )


def _unit_rows(count: int, *, seed: int) -> Floats:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _vector(row: Floats) -> Vector:
    return tuple(float(number) for number in row.tolist())

"""The live generation for people who keep it, and their decisions, in the SQLite file."""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TypeVar

from bot.adapters.sqlite.catalogue_pairs import (
    Nearest,
    articles_of,
    live_places,
    numbers_of,
    pairs_of,
    read_texts,
    slices_of,
    with_slice,
)
from bot.adapters.sqlite.catalogue_reads import (
    decisions_of,
    found_articles,
    listed_articles,
    live_generation,
    whole_article,
)
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.generations import generations_of, runs_of
from bot.adapters.sqlite.loading import matrix_of, revision_of
from bot.adapters.sqlite.standings import standings
from bot.core.content import ComparedPassage, Decision, ListedArticle, NearPair, PairKey
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus
from bot.errors import Refused, RetrievalUnavailable, StoreUnavailable
from bot.sync_ports import Generation, RunRecord

T = TypeVar("T")
_DECIDE = "INSERT INTO article_decisions VALUES (:key, :kind, :loser, :winner, :who, :at_ms)"
_WITHDRAW = "DELETE FROM article_decisions WHERE key = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What is live at a revision of what is searched, and which of its articles are active."""

    revision: int
    generation: str | None
    active: frozenset[ArticleId]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The near pairs as of one state."""

    state: _State
    least: float
    limit: int
    pairs: tuple[NearPair, ...]

    def within(self, state: _State) -> tuple[NearPair, ...] | None:
        """Return the pairs of a later state, None when they must be looked for: a decision only takes articles away from the same generation."""
        if state.generation != self.state.generation or not state.active <= self.state.active:
            return None
        kept = tuple(pair for pair in self.pairs if state.active.issuperset(pair.articles))
        if len(kept) == len(self.pairs):
            return self.pairs
        return kept if len(self.pairs) < self.limit else None


class SqliteArticleCatalogue:
    """Reads what is live at the time of each call. Near pairs are kept until an article or a decision changes."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._compared: _Compared | None = None
        self._comparing = asyncio.Lock()

    async def articles(self) -> tuple[ListedArticle, ...]:
        return await self._read(listed_articles)

    async def find_articles(self, text: str, *, limit: int) -> tuple[ArticleId, ...]:
        return await self._read(lambda connection: found_articles(connection, text, limit=limit))

    async def whole_article(self, article: ArticleId) -> Article | None:
        return await self._read(lambda connection: whole_article(connection, article))

    async def near_pairs(self, *, least: float, limit: int) -> tuple[NearPair, ...]:
        async with self._comparing:
            known = self._compared
            if known is None or (known.least, known.limit) != (least, limit):
                self._compared = known = await self._compare(least, limit)
            elif known.state.revision != await self._read(revision_of):
                state = await self._read(_state)
                pairs = known.within(state)
                again = (
                    await self._compare(least, limit)
                    if pairs is None
                    else replace(known, state=state, pairs=pairs)
                )
                self._compared = known = again
            return known.pairs

    async def decisions(self) -> tuple[Decision, ...]:
        return await self._read(decisions_of)

    async def decide(self, decision: Decision) -> None:
        await self._write(lambda connection: _decide(connection, decision))

    async def withdraw(self, key: PairKey) -> None:
        await self._write(lambda connection: connection.execute(_WITHDRAW, (key,)))

    async def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        return await self._read(lambda connection: runs_of(connection, limit=limit))

    async def generations(self) -> tuple[Generation, ...]:
        return await self._read(generations_of)

    async def _compare(self, least: float, limit: int) -> _Compared:
        """Multiply slice by slice; each is a call of its own, so that a turn's search waits for one at most."""
        state, (fingerprint, places) = await self._read(
            lambda connection: (_state(connection), live_places(connection))
        )
        matrix = await self._read(lambda connection: matrix_of(connection, fingerprint, places))
        articles, nearest = articles_of(matrix), Nearest()
        for some in slices_of(matrix):
            step = partial(with_slice, nearest, matrix, articles, some, least=least, limit=limit)
            nearest = await self._in_turn(step)
        texts: dict[int, ComparedPassage] = {}
        for numbers in numbers_of(matrix, nearest):
            texts |= await self._read(partial(read_texts, numbers=numbers))
        pairs = await self._in_turn(partial(pairs_of, matrix, nearest, texts))
        return _Compared(state=state, least=least, limit=limit, pairs=pairs)

    async def _in_turn(self, step: Callable[[], T]) -> T:
        return await self._read(lambda _: step())

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._database.read(work)
        except (StoreUnavailable, sqlite3.Error, ValueError) as exc:  # ValueError: a damaged row
            raise RetrievalUnavailable(f"the articles cannot be read: {exc}") from exc

    async def _write(self, work: Callable[[sqlite3.Connection], object]) -> None:
        try:
            await self._database.write(work)
        except (StoreUnavailable, sqlite3.Error) as exc:
            raise RetrievalUnavailable(f"the decision cannot be kept: {exc}") from exc


def _state(connection: sqlite3.Connection) -> _State:
    generation = live_generation(connection)
    return _State(
        revision=revision_of(connection), generation=generation, active=_active(connection, generation)
    )


def _active(connection: sqlite3.Connection, generation: str | None) -> frozenset[ArticleId]:
    known = () if generation is None else standings(connection, generation)
    statuses = statuses_in_force(known).items()
    return frozenset(article for article, status in statuses if status is ArticleStatus.ACTIVE)


def _decide(connection: sqlite3.Connection, decision: Decision) -> None:
    connection.execute(_WITHDRAW, (decision.key,))
    active = _active(connection, live_generation(connection))
    for article in (decision.loser, decision.winner):
        if article not in active:
            raise Refused(f"article {article} is not active any more, so there is nothing to decide")
    connection.execute(_DECIDE, asdict(decision))

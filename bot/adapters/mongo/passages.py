"""Search over the passages in MongoDB through Atlas's vector index, which is asked about before it is believed (FAULTS §5.1).

"Nothing found" in a knowledge base that has passages to search is a fault of the index, and never told as an answer.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge_documents import (
    articles_in,
    passages_in,
    to_article_text,
    to_found,
)
from bot.adapters.mongo.passages_loading import Loaded, load, state_of_knowledge
from bot.adapters.mongo.vector_index import cosine_of, search_stage
from bot.adapters.mongo.watched_index import WatchedIndex, is_refusal
from bot.core.indexing import searched_locales
from bot.core.knowledge import (
    LOOKED_AT_BESIDE,
    ArticleId,
    ArticleStatus,
    ArticleText,
    Calibration,
    FoundPassage,
    IndexState,
    IndexStatus,
    PassageId,
    SearchQuery,
    SearchResult,
    Vector,
)
from bot.core.vectors import checked_query
from bot.errors import IndexNotReady, RetrievalUnavailable, StoreUnavailable
from bot.ports import Clock
from bot.sync_ports import RunRecord

T = TypeVar("T")

DECIMALS = 6
_MORE = 20  # passages beyond the limit, so that equal scores at its end are ordered by id
_NOTHING_AMONG = "the vector index found nothing among"
_REMEDY = "it has read none of them that may be shown, or lost them; run python -m kb_sync SOURCE"
_UNLOADED = {"vector": 0, "terms": 0}

Filter = Mapping[str, Sequence[str]]


@dataclass(slots=True, kw_only=True)
class _Kept:
    """What is read again only when it has changed."""

    loaded: Loaded | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class MongoPassageIndex:
    """Searches the live generation; each call looks whether it changed."""

    def __init__(self, database: MongoDatabase, *, fingerprint: str, clock: Clock) -> None:
        self._database = database
        self._fingerprint = fingerprint
        self._watched = WatchedIndex(database=database, fingerprint=fingerprint, clock=clock)
        self._kept = _Kept()

    async def status(self) -> IndexStatus:
        return await self._reading(self._status)

    async def search(self, query: SearchQuery) -> SearchResult:
        return await self._reading(lambda: self._search(query))

    async def article(self, article: ArticleId) -> ArticleText | None:
        return await self._reading(lambda: self._article(article))

    async def _reading(self, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await work()
        except StoreUnavailable as exc:
            raise RetrievalUnavailable(f"the passages cannot be read: {exc}") from exc
        except (KeyError, TypeError, ValueError) as exc:  # a damaged document
            raise RetrievalUnavailable(f"the passages cannot be read: {exc!r}") from exc

    async def _current(self) -> Loaded:
        async with self._kept.reading:
            state = await state_of_knowledge(self._database)
            if self._kept.loaded is None or self._kept.loaded.revision != state.revision:
                self._kept.loaded = await load(self._database, state)
            return self._kept.loaded

    async def _status(self) -> IndexStatus:
        loaded = await self._current()
        state, detail = await self._watched.state(loaded)
        last_ms, every_s = await self._sync_times(loaded.recorded)
        return IndexStatus(
            state=state,
            fingerprint=loaded.contents.live_fingerprint,
            generation=loaded.generation,
            articles=loaded.articles,
            passages=loaded.contents.passages,
            last_sync_ms=last_ms,
            expected_every_s=every_s,
            calibration=await self._calibration(),
            detail=detail,
        )

    async def _search(self, query: SearchQuery) -> SearchResult:
        loaded = await self._current()
        state, detail = await self._watched.state(loaded)
        if state is not IndexState.READY or loaded.generation is None:
            raise IndexNotReady(detail)
        checked_query(query.vector, dimension=loaded.dimension)
        passages = loaded.locales(query.statuses)
        locales = searched_locales(query.locales, passages)
        among: Filter = {"status": sorted(loaded.carried(query.statuses)), "locale": sorted(locales)}
        expected = sum(passages[one] for one in locales)
        found, *beside = await self._nearest(loaded, query, among, expected)
        worded = loaded.worded(query.words)
        together = {**found, **await self._worded(loaded, query, worded, locales, found)}
        return SearchResult(
            passages=_by_cosine(_scored(one, worded) for one in together.values()),
            fingerprint=self._fingerprint,
            generation=loaded.generation,
            beside=tuple(_falling(one) for one in beside),
        )

    async def _nearest(
        self, loaded: Loaded, query: SearchQuery, among: Filter, expected: int
    ) -> list[dict[PassageId, FoundPassage]]:
        """Return the nearest to the query and to each vector beside it, all searched at once."""
        wanted = [(query.vector, query.limit), *((vector, LOOKED_AT_BESIDE) for vector in query.beside)]
        if not expected:
            return [{} for _ in wanted]
        searches = [
            self._vector_search(loaded, query.statuses, vector, among, limit) for vector, limit in wanted
        ]
        try:
            found = await asyncio.gather(*searches)
        except StoreUnavailable as exc:
            if is_refusal(exc) and (problem := await self._watched.problem(loaded)):
                raise IndexNotReady(problem) from exc
            raise
        if any(limit and not one for one, (_, limit) in zip(found, wanted, strict=True)):
            problem = (
                await self._watched.problem(loaded) or f"{_NOTHING_AMONG} {expected} passages; {_REMEDY}"
            )
            raise IndexNotReady(problem)
        return list(found)

    async def _vector_search(
        self,
        loaded: Loaded,
        statuses: frozenset[ArticleStatus],
        vector: Vector,
        among: Filter,
        limit: int,
    ) -> dict[PassageId, FoundPassage]:
        length = math.hypot(*vector)
        if not length:
            raise RetrievalUnavailable("the query vector has no length")
        stage = search_stage(vector, limit=limit + _MORE, passages=loaded.contents.passages, wanted=among)
        rows: list[Any] = await self._database.gather(passages_in(loaded.generation or ""), [stage, _SHAPE])
        found = [
            to_found(row, cosine=round(cosine_of(row["score"], length=length), DECIMALS), status=status)
            for row in rows
            if (status := _status_of(loaded, row)) in statuses
        ]
        return {one.passage.id: one for one in _by_cosine(found)[:limit]}

    async def _worded(
        self,
        loaded: Loaded,
        query: SearchQuery,
        worded: Mapping[str, float],
        locales: frozenset[str],
        found: Mapping[PassageId, FoundPassage],
    ) -> dict[PassageId, FoundPassage]:
        """Return the passages that hold the words best and are not among the nearest, with their cosines."""
        holding = [
            (-worded[id_], id_)
            for id_, place in loaded.places.items()
            if worded.get(id_, 0.0) > 0 and place.status in query.statuses and place.locale in locales
        ]
        missing = [id_ for _, id_ in sorted(holding)[: query.limit] if id_ not in found]
        if not missing:
            return {}
        rows: list[Any] = await self._database.find(
            passages_in(loaded.generation or ""), {"_id": {"$in": missing}}, fields={"terms": 0}
        )
        return {
            PassageId(row["_id"]): to_found(
                row, cosine=round(_product(row["vector"], query.vector), DECIMALS), status=status
            )
            for row in rows
            if (status := _status_of(loaded, row)) is not None
        }

    async def _article(self, article: ArticleId) -> ArticleText | None:
        loaded = await self._current()
        if loaded.generation is None or loaded.statuses.get(article) is not ArticleStatus.ACTIVE:
            return None
        found = await self._database.find_one(articles_in(loaded.generation), {"_id": article})
        rows = await self._database.find(
            passages_in(loaded.generation), {"article_id": article}, fields=_UNLOADED
        )
        digest = loaded.digests.get(article)
        return (
            None
            if found is None
            else to_article_text(found, [one for one in rows if one["article_digest"] == digest])
        )

    async def _calibration(self) -> Calibration | None:
        """Return the stored calibration; None when another version wrote it, for then it must be measured again."""
        found = await self._database.find_one("calibrations", {"_id": self._fingerprint})
        if found is None:
            return None
        fields: dict[str, Any] = {name: value for name, value in found.items() if name != "_id"}
        try:
            return Calibration(**fields)
        except TypeError:
            return None

    async def _sync_times(self, recorded: Sequence[RunRecord]) -> tuple[int | None, int | None]:
        """Return when the last good sync ended, and how often the last worker said that it comes; *recorded* are newer than the rest."""
        good: Any = await self._database.find_one(
            "sync_runs", {"outcome": "done", "ended_ms": {"$ne": None}}, order=[("number", -1)]
        )
        worker: Any = await self._database.find_one(
            "sync_runs", {"interval_s": {"$ne": None}}, order=[("number", -1)]
        )
        ended = [one.ended_ms for one in recorded if one.outcome == "done" and one.ended_ms is not None]
        intervals = [one.interval_s for one in recorded if one.interval_s is not None]
        ended_ms = None if good is None else int(good["ended_ms"])
        interval_s = None if worker is None else int(worker["interval_s"])
        return ended[-1] if ended else ended_ms, intervals[-1] if intervals else interval_s


_SHAPE = {
    "$project": {
        **dict.fromkeys(("article_id", "article_digest", "position", "headings", "text", "embedded_text"), 1),
        **dict.fromkeys(("title", "url", "locale", "last_modified_ms", "evergreen"), 1),
        "score": {"$meta": "vectorSearchScore"},
    }
}


def _status_of(loaded: Loaded, row: Mapping[str, Any]) -> ArticleStatus | None:
    """Return the status in force of a found passage's article; None for what is not in the generation's manifest."""
    if loaded.digests.get(ArticleId(row["article_id"])) != row["article_digest"]:
        return None
    place = loaded.places.get(PassageId(row["_id"]))
    return None if place is None else place.status


def _scored(found: FoundPassage, worded: Mapping[str, float]) -> FoundPassage:
    return replace(
        found,
        lexical=worded.get(found.passage.id, 0.0),
        article_lexical=worded.get(found.article_id, 0.0),
    )


def _product(stored: Sequence[float], query: Vector) -> float:
    return sum(one * other for one, other in zip(stored, query, strict=True))


def _by_cosine(found: Iterable[FoundPassage]) -> tuple[FoundPassage, ...]:
    return tuple(sorted(found, key=lambda one: (-one.cosine, one.passage.id)))


def _falling(found: Mapping[PassageId, FoundPassage]) -> tuple[float, ...]:
    return tuple(sorted((one.cosine for one in found.values()), reverse=True))

"""The live generation for people who keep it, and their decisions, in MongoDB. Decisions stand in the document of the state."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from bot.adapters.mongo.catalogue_pairs import near_rows
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge_documents import (
    articles_in,
    passages_in,
    to_article,
    to_passage,
    to_standing,
)
from bot.adapters.mongo.knowledge_runs import RUNS, to_run
from bot.adapters.mongo.knowledge_state import ATTEMPTS, COLLECTION, ID, State, from_state
from bot.adapters.mongo.passages_loading import state_of_knowledge
from bot.core.content import (
    ComparedPassage,
    Decision,
    ListedArticle,
    NearPair,
    PairKey,
    holds_word,
    replacements,
    words_sought,
)
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus
from bot.errors import Refused, RetrievalUnavailable, StoreUnavailable
from bot.sync_ports import Generation, GenerationState, RunRecord

T = TypeVar("T")
_WITHOUT_TEXT = {"body": 0, "terms": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The near pairs as of one revision."""

    asked: tuple[int, float, int]
    pairs: tuple[NearPair, ...]


class MongoArticleCatalogue:
    """Reads what is live at the time of each call. Near pairs are kept until an article or a decision changes."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._compared: _Compared | None = None
        self._comparing = asyncio.Lock()

    async def articles(self) -> tuple[ListedArticle, ...]:
        return await self._reading(self._articles)

    async def find_articles(self, text: str, *, limit: int) -> tuple[ArticleId, ...]:
        return await self._reading(lambda: self._find(text, limit))

    async def whole_article(self, article: ArticleId) -> Article | None:
        return await self._reading(lambda: self._whole(article))

    async def near_pairs(self, *, least: float, limit: int) -> tuple[NearPair, ...]:
        async with self._comparing:
            return await self._reading(lambda: self._pairs(least, limit))

    async def decisions(self) -> tuple[Decision, ...]:
        state = await self._reading(self._state)
        return tuple(sorted(state.decisions, key=lambda one: (-one.at_ms, one.key)))

    async def decide(self, decision: Decision) -> None:
        await self._reading(lambda: self._change(partial(self._decided, decision)))

    async def withdraw(self, key: PairKey) -> None:
        async def without(state: State) -> State:
            return replace(state, decisions=tuple(one for one in state.decisions if one.key != key))

        await self._reading(lambda: self._change(without))

    async def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        return await self._reading(lambda: self._runs(limit))

    async def generations(self) -> tuple[Generation, ...]:
        state = await self._reading(self._state)
        newest = sorted(state.generations, key=lambda one: one.created_ms, reverse=True)
        return tuple([await self._reading(partial(self._counted, one)) for one in newest])

    async def _reading(self, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await work()
        except (StoreUnavailable, KeyError, TypeError, ValueError) as exc:  # also a damaged document
            raise RetrievalUnavailable(f"the articles cannot be read: {exc}") from exc

    async def _state(self) -> State:
        return await state_of_knowledge(self._database)

    async def _articles(self) -> tuple[ListedArticle, ...]:
        state = await self._state()
        found = await self._live(state)
        known = state.decided(map(to_standing, found))
        in_force, replaced = statuses_in_force(known), replacements(known)
        return tuple(
            _listed(one, in_force[ArticleId(one["_id"])], replaced.get(ArticleId(one["_id"])))
            for one in found
        )

    async def _find(self, text: str, limit: int) -> tuple[ArticleId, ...]:
        sought = words_sought(text)
        if not sought:
            return ()
        found = await self._live(await self._state(), fields={"body": 0})
        return tuple(
            [ArticleId(one["_id"]) for one in found if all(_holds(one, word) for word in sought)][:limit]
        )

    async def _whole(self, article: ArticleId) -> Article | None:
        state = await self._state()
        if (live := state.in_state(GenerationState.LIVE)) is None:
            return None
        wanted = {"_id": article, **state.counting(live.id)}
        found = await self._database.find_one(articles_in(live.id), wanted)
        return None if found is None else to_article(found)

    async def _pairs(self, least: float, limit: int) -> tuple[NearPair, ...]:
        state = await self._state()
        asked = (state.revision, least, limit)
        if self._compared is None or self._compared.asked != asked:
            self._compared = _Compared(asked=asked, pairs=await self._compare(state, least, limit))
        return self._compared.pairs

    async def _compare(self, state: State, least: float, limit: int) -> tuple[NearPair, ...]:
        live = state.in_state(GenerationState.LIVE)
        if live is None:
            return ()
        statuses = statuses_in_force(state.decided(map(to_standing, await self._live(state))))
        rows: list[Any] = await self._database.find(
            passages_in(live.id), state.counting(live.id), order=[("_id", 1)], fields={"terms": 0}
        )
        active = [one for one in rows if statuses.get(one["article_id"]) is ArticleStatus.ACTIVE]
        near = await asyncio.to_thread(near_rows, active, least=least, limit=limit)
        wanted = sorted({active[place]["article_id"] for pair in near for place in pair[:2]})
        texts: list[Any] = await self._database.find(
            articles_in(live.id), {"_id": {"$in": wanted}}, fields={"body": 1}
        )
        bodies = {one["_id"]: one["body"] for one in texts}
        return tuple(_pair(active[left], active[right], cosine, bodies) for left, right, cosine in near)

    async def _decided(self, decision: Decision, state: State) -> State:
        others = replace(state, decisions=tuple(one for one in state.decisions if one.key != decision.key))
        statuses = statuses_in_force(others.decided(map(to_standing, await self._live(state))))
        for article in (decision.loser, decision.winner):
            if statuses.get(article) is not ArticleStatus.ACTIVE:
                raise Refused(f"article {article} is not active any more, so there is nothing to decide")
        return replace(others, decisions=(*others.decisions, decision))

    async def _change(self, decide: Callable[[State], Awaitable[State]]) -> None:
        """Replace the state, again when somebody else wrote meanwhile, and let the passages carry the statuses in force."""
        for _ in range(ATTEMPTS):
            before = await self._state()
            after = replace(await decide(before), revision=before.revision + 1)
            if await self._written(after):
                await self._settle(after)
                return
        raise StoreUnavailable(
            f"the state of the knowledge base was written by others {ATTEMPTS} times in a row"
        )

    async def _written(self, state: State) -> bool:
        document = from_state(state)
        if state.revision == 1:
            return await self._database.insert(COLLECTION, document)
        return await self._database.replace(COLLECTION, {"_id": ID, "revision": state.revision - 1}, document)

    async def _settle(self, state: State) -> None:
        """Write the statuses in force into what is live, and once more when somebody has decided meanwhile."""
        for _ in range(ATTEMPTS):
            await self._settle_once(state)
            now = await self._state()
            if now.decisions == state.decisions:
                return
            state = now

    async def _settle_once(self, state: State) -> None:
        live = state.in_state(GenerationState.LIVE)
        if live is None:
            return
        known = state.decided(map(to_standing, await self._live(state)))
        for article, status in statuses_in_force(known).items():
            other = {"article_id": article, "status": {"$ne": str(status)}}
            await self._database.update_all(passages_in(live.id), other, {"$set": {"status": str(status)}})

    async def _runs(self, limit: int) -> tuple[RunRecord, ...]:
        state = await self._state()
        flipped = {run.id: run for run in state.recorded}
        found: list[Any] = await self._database.find(RUNS, {})
        kept = [(one["started_ms"], one["number"], to_run(one)) for one in found if one["_id"] not in flipped]
        latest = 1 + max((number for _, number, _ in kept), default=0)
        newest = enumerate(flipped.values(), start=latest)
        rows = [*kept, *((run.started_ms, number, run) for number, run in newest)]
        return tuple(run for _, _, run in sorted(rows, key=lambda row: row[:2], reverse=True)[:limit])

    async def _counted(self, generation: Generation) -> Generation:
        if generation.state is not GenerationState.BUILDING:
            return generation
        ours = {"retired": 0, **(await self._state()).counting(generation.id)}
        found: list[Any] = await self._database.find(articles_in(generation.id), ours, fields={"passages": 1})
        return replace(generation, articles=len(found), passages=sum(int(one["passages"]) for one in found))

    async def _live(self, state: State, fields: Mapping[str, int] | None = None) -> list[Any]:
        live = state.in_state(GenerationState.LIVE)
        if live is None:
            return []
        return await self._database.find(
            articles_in(live.id),
            state.counting(live.id),
            order=[("_id", 1)],
            fields=_WITHOUT_TEXT if fields is None else fields,
        )


def _listed(kept: Mapping[str, Any], status: ArticleStatus, replaced: ArticleId | None) -> ListedArticle:
    return ListedArticle(
        id=ArticleId(kept["_id"]),
        title=kept["title"],
        url=kept["url"],
        category=kept["category"],
        tags=tuple(kept["tags"]),
        locale=kept["locale"],
        status=status,
        superseded_by=replaced,
        last_modified_ms=kept["last_modified_ms"],
        added_ms=kept["added_ms"],
        changed_ms=kept["written_ms"],
        evergreen=bool(kept["evergreen"]),
    )


def _holds(kept: Mapping[str, Any], word: str) -> bool:
    return any(term.startswith(word) for term in kept["terms"]) or holds_word(word, _names(kept))


def _names(kept: Mapping[str, Any]) -> Iterator[str]:
    yield from (kept["_id"], kept["title"], *kept["tags"])


def _pair(
    one: Mapping[str, Any], other: Mapping[str, Any], cosine: float, bodies: Mapping[str, str]
) -> NearPair:
    left, right = sorted((one, other), key=lambda row: str(row["article_id"]))
    return NearPair(left=_compared(left, bodies), right=_compared(right, bodies), cosine=cosine)


def _compared(row: Mapping[str, Any], bodies: Mapping[str, str]) -> ComparedPassage:
    return ComparedPassage(
        passage=to_passage(row),
        title=row["title"],
        body=bodies[row["article_id"]],
        url=row["url"],
        last_modified_ms=row["last_modified_ms"],
    )

"""What kb_sync writes into MongoDB: each generation is a collection of its own with a vector index of its own, and one document says which is live."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from bot.adapters.mongo import knowledge_build as building
from bot.adapters.mongo import knowledge_garbage as garbage
from bot.adapters.mongo import knowledge_probes as probes
from bot.adapters.mongo import knowledge_runs as recorded
from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.index_waiting import IndexWait
from bot.adapters.mongo.knowledge_documents import articles_in, passages_in
from bot.adapters.mongo.knowledge_state import State, StateDocument
from bot.adapters.mongo.schemas import ARTICLES, KNOWLEDGE, PASSAGES
from bot.core.indexing import generation_id
from bot.core.knowledge import (
    Article,
    ArticleId,
    Calibration,
    Passage,
    PassageId,
    Vector,
)
from bot.core.vectors import checked_vectors
from bot.errors import GenerationRefused, StoreUnavailable, SyncBusy
from bot.sync_ports import Generation, GenerationCheck, GenerationState, Near, RunRecord, SyncLock

_CALIBRATIONS = "calibrations"


class MongoKnowledgeWriter:
    """Writes through a client that blocks. Nothing that was published is ever changed, but for the statuses that people decide on."""

    def __init__(self, database: BlockingDatabase, *, monotonic_s: Callable[[], float]) -> None:
        self._database = database
        self._state = StateDocument(database=database, pause=database.pause)
        self._index = IndexWait(database=database, monotonic_s=monotonic_s)

    def take_lock(self, holder: str, *, now_ms: int, until_ms: int) -> int:
        def take(state: State) -> State:
            if state.lock is not None and state.lock.until_ms > now_ms:
                raise SyncBusy(state.lock.holder, since_ms=state.lock.taken_ms, until_ms=state.lock.until_ms)
            token = state.token + 1
            lock = SyncLock(token=token, holder=holder, taken_ms=now_ms, until_ms=until_ms)
            return replace(state, token=token, lock=lock)

        if (live := self._state.read().in_state(GenerationState.LIVE)) is not None:
            self._index.create_missing(live.id)  # dropped by hand: a sync without changes builds no other
        return self._state.change(take).token

    def renew_lock(self, token: int, *, until_ms: int) -> None:
        def renew(state: State) -> State:
            state.require_lock(token)
            return replace(state, lock=state.lock and replace(state.lock, until_ms=until_ms))

        self._state.change(renew)

    def release_lock(self, token: int) -> None:
        held = self._state.read().lock
        if held is not None and held.token == token:
            self._state.change(lambda s: replace(s, lock=None) if s.lock and s.lock.token == token else s)

    def lock(self) -> SyncLock | None:
        return self._state.read().lock

    def generations(self) -> tuple[Generation, ...]:
        newest = sorted(self._state.read().generations, key=lambda one: one.created_ms, reverse=True)
        return tuple(map(self._counted, newest))

    def open_build(self, token: int, fingerprint: str, *, at_ms: int) -> str:
        def begin(state: State) -> State:
            state.require_lock(token)
            build = state.in_state(GenerationState.BUILDING)
            if build is not None and build.fingerprint == fingerprint:
                return state
            kept = state if build is None else state.without(build.id)
            newest_ms = max(at_ms, state.newest_ms + 1)  # so that an id is never used again
            new = Generation(
                id=generation_id(fingerprint, at_ms=newest_ms),
                fingerprint=fingerprint,
                state=GenerationState.BUILDING,
                created_ms=newest_ms,
                published_ms=None,
                articles=0,
                passages=0,
            )
            return replace(kept.with_generation(new), newest_ms=newest_ms)

        opened = self._state.change(lambda state: begin(state).opened_by(token))
        build = opened.in_state(GenerationState.BUILDING)
        if build is None:
            raise StoreUnavailable("the build that was opened is gone; sync again")
        own = {articles_in(build.id): ARTICLES, passages_in(build.id): PASSAGES}
        for collection, schema in {**KNOWLEDGE, **own}.items():
            self._database.require_shape(collection, schema)
        building.take_over(self._database, token, build.id)
        garbage.drop_unused(self._state)
        return build.id

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        return building.digests_of(self._database, self._state.read(), generation)

    def retired_articles(self, generation: str) -> frozenset[ArticleId]:
        return building.retired_of(self._database, self._state.read(), generation)

    def carry_over(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        state = self._building(token, build)
        if state.in_state(GenerationState.LIVE) is not None:
            building.carry_over(self._database, token, state, build, articles)

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
        state = self._building(token, build)
        building.replace_article(
            self._database, token, (state, build), article, (digest, passages), at_ms=at_ms
        )

    def retire_articles(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        building.retire(self._database, token, self._building(token, build), build, articles)

    def leave_out(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        self._building(token, build)
        building.leave_out(self._database, token, build, articles)

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        return building.known_vectors(self._database, fingerprint, digests)

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        if not vectors:
            return
        before = self._database.find_one(building.VECTORS, {"fingerprint": fingerprint})
        new = tuple(vectors.values())
        dimension = len(new[0] if before is None else before["vector"])
        checked_vectors(new, count=len(new), dimension=dimension)
        known = self.known_vectors(fingerprint, tuple(vectors))
        self._database.insert_all(
            building.VECTORS,
            [
                {
                    "_id": f"{fingerprint}:{digest}",
                    "fingerprint": fingerprint,
                    "digest": digest,
                    "vector": list(vector),
                }
                for digest, vector in vectors.items()
                if digest not in known
            ],
        )

    def nearest(self, generation: str, vectors: Sequence[Vector], *, limit: int) -> tuple[Near, ...]:
        state = self._knowing(generation)
        return probes.nearest(
            self._database, state, generation, vectors, limit=limit, until_whole=self._index.until_whole
        )

    def passages_of_generation(
        self, generation: str, *, limit: int
    ) -> tuple[tuple[PassageId, ArticleId, str], ...]:
        return probes.sample_of(self._database, self._knowing(generation), generation, limit=limit)

    def discard_build(self, token: int, build: str) -> None:
        def discard(state: State) -> State:
            state.require_lock(token)
            return state.without(state.build(build).id)

        self._state.change(discard)
        garbage.drop_unused(self._state)

    def publish(self, token: int, build: str, run: RunRecord, check: GenerationCheck) -> None:
        state = self._building(token, build)
        building.drop_late(self._database, state, build)
        building.settle(self._database, state, build, token=token)
        self._index.until_whole(build)
        building.write_manifest(self._database, state, build, token=token)
        articles, passages = building.counted(self._database, state, build)

        def flip(state: State) -> State:
            state.require_lock(token)
            counted = replace(state.build(build), articles=articles, passages=passages)
            live, before = state.in_state(GenerationState.LIVE), state.in_state(GenerationState.PREVIOUS)
            kept = state if before is None else state.without(before.id)
            if live is not None:
                kept = kept.with_generation(replace(live, state=GenerationState.PREVIOUS))
            published = replace(counted, state=GenerationState.LIVE, published_ms=run.ended_ms, check=check)
            return replace(kept.with_generation(published), rolled_back="", recorded=(*state.recorded, run))

        # Settled once more, because somebody may have decided on a pair between the first time and the flip.
        self._state.change(flip)
        building.settle_as_decided(self._state, build, token=token)
        garbage.drop_unused(self._state)

    def roll_back(self, token: int, run: RunRecord, *, refused: str) -> Generation:
        def flip(state: State) -> State:
            state.require_lock(token)
            live, before = state.in_state(GenerationState.LIVE), state.in_state(GenerationState.PREVIOUS)
            if live is None or before is None:
                raise GenerationRefused("there is no generation before the live one to go back to")
            build = state.in_state(GenerationState.BUILDING)
            kept = state if build is None else state.without(build.id)
            kept = kept.with_generation(replace(live, state=GenerationState.PREVIOUS))
            kept = kept.with_generation(
                replace(before, state=GenerationState.LIVE, published_ms=run.ended_ms)
            )
            return replace(kept, rolled_back=refused, recorded=(*state.recorded, run))

        flipped = self._state.change(flip)
        live = flipped.in_state(GenerationState.LIVE)
        if live is None:
            raise StoreUnavailable("the generation that was gone back to is gone; sync again")
        building.settle_as_decided(self._state, live.id, token=token)
        return live

    def rolled_back(self) -> str:
        return self._state.read().rolled_back

    def record_run(self, run: RunRecord) -> None:
        recorded.copy_out(self._state)
        recorded.write(self._database, run)

    def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        recorded.copy_out(self._state)
        return recorded.newest(self._database, limit=limit)

    def store_calibration(self, calibration: Calibration) -> None:
        self._database.put(_CALIBRATIONS, {**asdict(calibration), "_id": calibration.fingerprint})

    def _building(self, token: int, build: str) -> State:
        state = self._state.read()
        state.require_lock(token)
        state.build(build)
        return state

    def _knowing(self, generation: str) -> State:
        state = self._state.read()
        if generation not in {one.id for one in state.generations}:
            raise StoreUnavailable(f"generation {generation} is gone; sync again")
        return state

    def _counted(self, generation: Generation) -> Generation:
        if generation.state is not GenerationState.BUILDING:
            return generation
        articles, passages = building.counted(self._database, self._state.read(), generation.id)
        return replace(generation, articles=articles, passages=passages)

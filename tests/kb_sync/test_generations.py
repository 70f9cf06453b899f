"""Whatever syncs, fails, changes its model or goes back: what is searched is one edition, whole, and of one model (FAULTS K6, K7)."""

import asyncio
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.memory.embedder import HashEmbedder
from bot.core.knowledge import Article
from bot.errors import GenerationRefused, IndexNotReady, RetrievalUnavailable
from tests.kb_sync.folders import an_article
from tests.kb_sync.sync_rig import SyncRig

MODELS = ("one", "two")
EDITIONS = (
    (an_article(1), an_article(2), an_article(3)),
    (an_article(1), an_article(2, body="Choose another day."), an_article(4)),
    (an_article(5),),
)
ALL = 100

syncs = st.tuples(st.just("sync"), st.sampled_from(EDITIONS), st.sampled_from(MODELS))
failures = st.tuples(st.just("fail"), st.sampled_from(EDITIONS), st.sampled_from(MODELS))
rollbacks = st.tuples(st.just("roll back"), st.none(), st.none())


class Gone(HashEmbedder):
    """A model that cannot be reached."""

    def _embed(self, texts):
        raise RetrievalUnavailable("the model is gone")


@dataclass(slots=True)
class Expected:
    """What must be searched, and with which model; `before` is what a rollback leads to."""

    rig: SyncRig = field(default_factory=SyncRig)
    live: tuple[tuple[Article, ...], str] | None = None
    before: tuple[tuple[Article, ...], str] | None = None

    async def sync(self, edition: tuple[Article, ...], model: str) -> None:
        self.rig.use(HashEmbedder(chunker=model))
        await self._sync(edition, model)

    async def fail(self, edition: tuple[Article, ...], model: str) -> None:
        """Fail if anything must be embedded; else it is a sync like any other."""
        self.rig.use(Gone(chunker=model))
        try:
            await self._sync(edition, model)
        except RetrievalUnavailable:
            assert self.rig.run.outcome == "failed"

    async def roll_back(self) -> None:
        try:
            await self.rig.roll_back()
        except GenerationRefused:
            assert self.before is None
        else:
            self.live, self.before = self.before, self.live

    async def check(self) -> None:
        for model in MODELS:
            self.rig.use(HashEmbedder(chunker=model))
            try:
                searched = await self.rig.searched()
            except IndexNotReady:
                assert self.live is None or self.live[1] != model
            else:
                assert self.live is not None
                assert (self.live[1], searched) == (model, {one.id: one.body for one in self.live[0]})

    async def _sync(self, edition: tuple[Article, ...], model: str) -> None:
        await self.rig.sync(*edition, retirements=ALL, rolled_back=True, worse=True)
        if self.live != (edition, model):
            self.live, self.before = (edition, model), self.live


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.one_of(syncs, failures, rollbacks), max_size=8))
def test_a_search_sees_one_whole_edition_of_one_model(steps):
    async def live_through() -> None:
        expected = Expected()
        for kind, edition, model in steps:
            if kind == "sync":
                await expected.sync(edition, model)
            elif kind == "fail":
                await expected.fail(edition, model)
            else:
                await expected.roll_back()
            await expected.check()

    asyncio.run(live_through())

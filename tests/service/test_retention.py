"""Retention: what is kept for long enough goes, in batches, and nothing else; without a setting everything stays."""

import asyncio
from contextlib import suppress

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.core.caps import DAY_MS
from bot.core.conversation import ConversationId
from bot.core.turn import RetrievalQuery
from bot.errors import StoreUnavailable
from bot.service import retention
from bot.service.retention import Retention
from tests.builders import NOON_MS, a_conversation
from tests.contract.scene import Scene
from tests.waiting import wait_until

QUERY = RetrievalQuery(text="my words", bare="my words", own="my words", used=(1,))


@pytest.fixture
def store() -> MemoryConversationStore:
    return MemoryConversationStore()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(now_ms=NOON_MS + 30 * DAY_MS)


class Scrubbed(MemoryErasure):
    """Counts how often it was asked to leave nothing behind."""

    scrubs = 0

    async def scrub(self, *, copying: bool) -> None:
        self.scrubs += 1


def retaining(store, clock, **days) -> Retention:
    erasure = MemoryErasure(store, MemoryCustomerStore(store))
    return Retention(erasure=erasure, clock=clock, between_s=0, **days)


async def open_some(store, count: int, *, created_ms: int = NOON_MS) -> None:
    for number in range(count):
        await store.open_conversation(a_conversation(id=ConversationId(f"c{number}"), created_ms=created_ms))


async def test_without_a_setting_everything_is_kept(store, clock):
    await open_some(store, 3)

    assert await retaining(store, clock).apply() == (0, 0)
    assert len(store.states()) == 3


async def test_idle_conversations_are_erased_however_many_there_are(store, clock):
    await open_some(store, 2 * retention.CONVERSATIONS_AT_ONCE + 1)

    assert await retaining(store, clock, conversation_days=29).apply() == (101, 0)
    assert store.states() == ()


async def test_what_an_earlier_round_could_not_scrub_is_scrubbed_by_the_next(store, clock):
    erasure = Scrubbed(store, MemoryCustomerStore(store))

    await Retention(erasure=erasure, clock=clock, conversation_days=29).apply()

    assert erasure.scrubs == 1


async def test_younger_ones_stay(store, clock):
    await open_some(store, 2)

    assert await retaining(store, clock, conversation_days=30).apply() == (0, 0)


async def test_old_evidence_is_reduced_and_its_conversation_stays(store, clock):
    scene = await Scene.open(store)
    await scene.customer_writes()
    await scene.bot_settles(await scene.turn_begins(), query=QUERY)

    assert await retaining(store, clock, evidence_days=29).apply() == (0, 1)
    assert [turn.query for turn in await store.turns(scene.id)] == [None]
    assert await retaining(store, clock, evidence_days=29).apply() == (0, 0)


class Away(MemoryErasure):
    """A store that is away the first time."""

    asked = 0

    async def idle(self, *, since_ms: int, limit: int):
        self.asked += 1
        if self.asked == 1:
            raise StoreUnavailable("away")
        return await super().idle(since_ms=since_ms, limit=limit)


async def test_a_store_that_is_away_is_tried_again(store, clock):
    await open_some(store, 1)
    erasure = Away(store, MemoryCustomerStore(store))
    keeping = Retention(erasure=erasure, clock=clock, conversation_days=1, every_s=0)
    task = asyncio.create_task(keeping.run_forever())

    await wait_until(lambda: not store.states())
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

"""What a write to MongoDB leaves behind is copied out once, by whoever comes next, wherever the writer died."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from bot.adapters.mongo.access import Driver
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.desk import MongoDeskStore
from bot.adapters.mongo.erasing import finish
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping, Kept, to_kept
from bot.core.outbox import EVERYTHING
from bot.errors import StoreUnavailable
from tests.builders import CONVERSATION, NOON_MS, a_handoff
from tests.contract.scene import ANNA, Scene
from tests.protocol.mongo import LosableDatabase
from tests.vendors.mongodb_server import emptied_database

REPLACED = 2  # the calls of an agent's move before its journal is copied


@pytest.fixture
async def plain(mongodb) -> AsyncIterator[MongoDatabase]:
    async with emptied_database(mongodb, Driver.PYMONGO) as database:
        yield database


@pytest.fixture
async def queued(plain) -> Scene:
    """A conversation that waits for a person."""
    scene = await Scene.open(MongoConversationStore(plain, told=EVERYTHING))
    await scene.bot_hands_over(a_handoff())
    return scene


async def claimed_and_died(plain: MongoDatabase, *, copied: int) -> Kept:
    """Let a process claim, and die when it has made so many calls to copy what that left behind; return what it left."""
    dying = LosableDatabase(plain._database)
    scene = Scene(MongoConversationStore(dying, told=EVERYTHING), CONVERSATION)
    read = await scene.state()
    dying.lose(after=REPLACED + copied, is_done=False)
    with capture_logs():
        await scene.changes(read, read.claimed_by(ANNA, now_ms=NOON_MS), what="claimed")
    return await as_stored(plain)


async def as_stored(plain: MongoDatabase) -> Kept:
    found = await plain.find_one(CONVERSATIONS, {"_id": CONVERSATION})
    assert found is not None
    return to_kept(found)


@pytest.mark.parametrize("copied", range(3))
async def test_what_a_dead_process_did_not_copy_is_read_by_the_next(plain, queued, copied):
    """FAULTS H10: of a claim that stands, the audit and what is told stand too."""
    assert (await claimed_and_died(plain, copied=copied)).journal

    audit = await queued.store.audit(CONVERSATION)

    assert [row.what for row in audit] == ["opened", "handoff", "claimed"]
    assert not (await as_stored(plain)).journal


@pytest.mark.parametrize("copied", range(3))
async def test_what_a_dead_process_did_not_copy_is_told(plain, queued, copied):
    await claimed_and_died(plain, copied=copied)

    told = [row.key for row in await queued.store.outbox(limit=99)]

    assert told.count("conversation.claimed:c1:2") == 1


async def test_what_a_dead_process_did_not_copy_is_in_the_queue_and_found(plain, queued):
    dying = LosableDatabase(plain._database)
    scene = Scene(MongoConversationStore(dying), CONVERSATION)
    dying.lose(after=REPLACED + 1, is_done=False)
    with capture_logs():
        await scene.customer_writes("quixotic")

    desk = MongoDeskStore(plain)

    assert [row.unread for row in await desk.queue()] == [2]
    assert [one.conversation.id for one in await desk.search("quixotic", limit=5)] == [CONVERSATION]


async def test_an_acknowledgement_that_was_lost_is_given_again_for_one_effect(plain, queued):
    """R-D2: the write was done, its reply was not heard, and the customer's browser sends it again."""
    dying = LosableDatabase(plain._database)
    scene = Scene(MongoConversationStore(dying), CONVERSATION)
    dying.lose(after=REPLACED, is_done=True)
    with pytest.raises(StoreUnavailable):
        await scene.customer_writes("Hello?", channel_message_id="m9")

    again = await queued.customer_writes("Hello?", channel_message_id="m9")

    assert again.duplicate
    assert (await queued.texts()).count("Hello?") == 1


async def test_many_who_copy_one_journal_at_once_copy_it_once(plain, queued):
    left = await claimed_and_died(plain, copied=0)

    await asyncio.gather(*(Keeping(database=plain).copy_out(left) for _ in range(8)))

    assert await plain.count("audit", {"what": "claimed"}) == 1
    assert await plain.count("outbox", {"kind": "conversation.claimed"}) == 1


async def test_a_late_copy_sets_no_handoff_back_and_empties_no_newer_journal(plain, queued):
    await claimed_and_died(plain, copied=0)
    late = await as_stored(plain)
    await queued.agent_replies()
    await queued.agent_resolves()
    closed = await plain.find("handoffs", {})
    before = await plain.find("outbox", {})

    await Keeping(database=plain).copy_out(late)

    assert await plain.find("handoffs", {}) == closed
    assert await plain.find("outbox", {}) == before


async def test_a_late_copy_tells_nothing_again(plain, queued):
    left = await claimed_and_died(plain, copied=0)
    for row in await queued.store.outbox(limit=99):
        await queued.store.delivered(row.key, at_ms=NOON_MS)

    await Keeping(database=plain).copy_out(left)

    assert await queued.store.outbox(limit=99) == ()


async def test_a_late_copy_brings_nothing_back_of_what_was_erased(plain, queued):
    left = await claimed_and_died(plain, copied=0)
    await MongoErasure(plain).erase([CONVERSATION], who="operator", at_ms=NOON_MS)

    await Keeping(database=plain).copy_out(left)

    assert await plain.count("outbox", {}) == 0
    assert await plain.count("handoffs", {}) == 0


async def test_what_a_process_that_died_copied_after_an_erasure_goes_at_the_next_start(plain, queued):
    left = await claimed_and_died(plain, copied=0)
    await MongoErasure(plain).erase([CONVERSATION], who="operator", at_ms=NOON_MS)
    dying = LosableDatabase(plain._database)
    dying.lose(after=3, is_done=False)
    with pytest.raises(StoreUnavailable):
        await Keeping(database=dying).copy_out(left)
    assert await plain.count("outbox", {}) > 0

    await finish(plain)

    assert await plain.count("outbox", {}) == 0

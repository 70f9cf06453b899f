"""What processes over one MongoDB database know of each other: who does what for all, and that something was written elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from bot.adapters.memory.clock import ManualClock
from bot.adapters.mongo.access import Driver, MongoAccess
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.duties import MongoDuties
from bot.adapters.mongo.elsewhere import MongoElsewhere, opened_elsewhere
from bot.adapters.mongo.opening import opened_database
from bot.adapters.system_clock import SystemClock
from bot.core.conversation import ConversationId
from bot.core.duties import KEPT_MS, Duty
from tests.builders import a_conversation
from tests.vendors.atlas import atlas
from tests.vendors.mongodb_front import MongoFront, refusal
from tests.waiting import wait_until

NO_STREAMS = refusal("The $changeStream stage is only supported on replica sets", 40573)
HISTORY_LOST = refusal("Resume of change stream was not possible", 286)


@pytest.fixture
def front() -> Iterator[MongoFront]:
    """The server that every test of this process uses, well again in the end."""
    front = atlas()
    was = front.refuse
    yield front
    front.refuse = was


@pytest.fixture(params=list(Driver))
async def database(request: pytest.FixtureRequest, front: MongoFront) -> AsyncIterator[MongoDatabase]:
    access = MongoAccess(uri=front.uri, database=f"processes_{request.param}", driver=request.param)
    async with opened_database(access) as database:
        yield database
        for collection in await database.collections():
            await database.delete(collection, {})


async def written(database: MongoDatabase, id: str) -> None:
    """Write a conversation as another process would."""
    now_ms = SystemClock().now_ms()
    conversation = replace(a_conversation(id=ConversationId(id)), created_ms=now_ms)
    await MongoConversationStore(database).open_conversation(conversation)


async def told(elsewhere: MongoElsewhere, id: str) -> bool:
    """Wait for a wake-up and look; whether the conversation is among what changed."""
    await elsewhere.woken(within_s=0.5)
    return ConversationId(id) in await elsewhere.changed()


async def test_of_many_who_want_a_duty_one_has_it(database):
    clock = ManualClock()
    crowd = [MongoDuties(database, clock=clock) for _ in range(8)]

    took = await asyncio.gather(*(one.mine(Duty.SWEEP) for one in crowd))

    assert sorted(took) == [False] * 7 + [True]
    assert [await one.mine(Duty.SWEEP) for one in crowd] == took


async def test_a_duty_of_a_process_that_died_passes_on_when_its_lease_ends(database):
    clock = ManualClock()
    dead, heir = MongoDuties(database, clock=clock), MongoDuties(database, clock=clock)
    assert await dead.mine(Duty.DELIVERY)
    assert not await heir.mine(Duty.DELIVERY)

    clock.advance(KEPT_MS[Duty.DELIVERY] + 1)

    assert await heir.mine(Duty.DELIVERY)
    assert not await dead.mine(Duty.DELIVERY)


async def test_a_process_that_ends_gives_its_duties_back_at_once(database):
    clock = ManualClock()
    ending, heir = MongoDuties(database, clock=clock), MongoDuties(database, clock=clock)
    assert await ending.mine(Duty.RETENTION)

    await ending.give_back()

    assert await heir.mine(Duty.RETENTION)


async def is_woken_by_writes(elsewhere, database) -> bool:
    """Write again and again, as the stream may not be open yet, until who would wait for an hour waits no more."""
    waiting = asyncio.create_task(elsewhere.woken(within_s=3_600))

    async def has_ended() -> bool:
        await written(database, f"c{uuid4().hex}")
        return waiting.done()

    return await wait_until(has_ended, deadline_s=20)


async def test_a_change_stream_says_at_once_that_something_was_written(database):
    async with opened_elsewhere(database, clock=SystemClock()) as elsewhere:
        await elsewhere.changed()

        assert await is_woken_by_writes(elsewhere, database)


@pytest.mark.parametrize("reply", [NO_STREAMS, HISTORY_LOST], ids=["there are none", "history lost"])
async def test_without_a_stream_what_others_write_is_found_all_the_same(database, front, reply):
    def refuse(command):
        streams = "$changeStream" in str(command.get("pipeline", ""))
        return reply if streams or (reply is HISTORY_LOST and "getMore" in command) else None

    front.refuse = refuse
    with capture_logs() as logs:
        async with opened_elsewhere(database, clock=SystemClock()) as elsewhere:
            await elsewhere.changed()
            await wait_until(lambda: any(one["event"] == "change_stream_ended" for one in logs))
            await written(database, "c1")

            assert await told(elsewhere, "c1")


async def test_a_stream_that_ended_is_opened_anew(database, front):
    elsewhere = MongoElsewhere(database, clock=SystemClock(), again_s=0.01)
    cuts = [HISTORY_LOST]

    def refuse(command):
        return cuts.pop() if cuts and "$changeStream" in str(command.get("pipeline", "")) else None

    front.refuse = refuse
    async with AsyncExitStack() as stack:
        following = asyncio.create_task(elsewhere.follow("conversations"))
        stack.callback(following.cancel)
        await wait_until(lambda: not cuts)

        assert await is_woken_by_writes(elsewhere, database)

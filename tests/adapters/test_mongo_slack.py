"""What a process leaves behind in Slack's collections when it dies at any call, or the server's reply is lost."""

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from bot.adapters.mongo.access import Driver
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.mongo.slack import MongoSlackStore
from bot.adapters.mongo.slack_inbox import THREADS
from bot.core.conversation import ConversationId
from bot.core.slack_rows import Side
from bot.errors import ConversationUnknown, StoreUnavailable
from tests.adapters.test_mongo_schemas import problems
from tests.builders import CONVERSATION, NOON_MS
from tests.contract.scene import Scene
from tests.protocol.mongo import LosableDatabase
from tests.slack_rows import a_person, a_place, a_post, a_thread, an_inbox_row
from tests.vendors.mongodb_server import emptied_database

OTHER = ConversationId("c2")
EFFECT = "T1:C1:2.000100"


@pytest.fixture
async def plain(mongodb) -> AsyncIterator[MongoDatabase]:
    async with emptied_database(mongodb, Driver.PYMONGO) as database:
        yield database


@pytest.fixture
async def scene(plain) -> Scene:
    return await Scene.open(MongoConversationStore(plain))


def cut_off(plain: MongoDatabase, *, after: int, is_done: bool = False) -> MongoSlackStore:
    """Return the store of a process whose server is lost after so many calls."""
    database = LosableDatabase(plain._database)
    database.lose(after=after, is_done=is_done)
    return MongoSlackStore(database)


@pytest.mark.parametrize("is_done", [True, False])
async def test_what_was_not_acknowledged_is_kept_or_can_be_kept(plain, is_done):
    """FAULTS SL2: Slack delivers again what nobody acknowledged, under the same id or another."""
    row, again = an_inbox_row(effect=EFFECT), an_inbox_row("T1:Ev2", effect=EFFECT)
    with pytest.raises(StoreUnavailable):
        await cut_off(plain, after=0, is_done=is_done).keep(row)
    slack = MongoSlackStore(plain)

    kept = [await slack.keep(again), await slack.keep(row)]

    assert kept == [not is_done, False]
    due = await slack.inbox_due(now_ms=NOON_MS, limit=9)
    assert due == ((row,) if is_done else (again,))


async def test_a_place_that_a_process_had_bound_when_it_died_is_bound(plain, scene):
    with pytest.raises(StoreUnavailable):
        await cut_off(plain, after=1).bind(a_thread())

    assert await MongoSlackStore(plain).bind(a_thread(user="UBO")) == a_thread()


async def test_a_place_that_was_bound_to_what_is_erased_makes_room(plain, scene):
    """A process that was late and died leaves a thread behind."""
    await Scene.open(scene.store, OTHER)
    slack = MongoSlackStore(plain)
    await slack.bind(a_thread())
    (left,) = await plain.find(THREADS, {})
    await MongoErasure(plain).erase((CONVERSATION,), who="operator", at_ms=NOON_MS)
    await plain.insert(THREADS, left)

    new = a_thread(conversation=OTHER)

    assert await slack.bind(new) is new
    with pytest.raises(ConversationUnknown):
        await slack.bind(a_thread(place=a_place(thread_ts="9.0")))
    assert await slack.thread(a_place(), Side.CUSTOMER) == new


async def test_a_post_whose_beginning_was_not_confirmed_is_somebody_elses(plain, scene):
    """Whether it was posted is to be looked up, so nobody is told that it is new."""
    post = a_post()
    with pytest.raises(StoreUnavailable):
        await cut_off(plain, after=0, is_done=True).begin_post(post)

    begun = await MongoSlackStore(plain).begin_post(post)

    assert (begun == post, begun is post) == (True, False)


@pytest.mark.parametrize("calls", [*range(3, 12), 25, 40])
async def test_an_erasure_that_was_cut_off_ends_without_what_came_in(plain, scene, calls):
    slack = MongoSlackStore(plain)
    await slack.bind(a_thread())
    await slack.keep(an_inbox_row())
    dying = LosableDatabase(plain._database)
    dying.lose(after=calls, is_done=False)
    with suppress(StoreUnavailable):
        await MongoErasure(dying).erase((CONVERSATION,), who="operator", at_ms=NOON_MS)

    await MongoErasure(plain).erase_again(at_ms=NOON_MS)
    await MongoErasure(plain).erase((CONVERSATION,), who="operator", at_ms=NOON_MS)

    assert (await slack.threads_of(CONVERSATION), await slack.inbox_due(now_ms=NOON_MS, limit=9)) == ((), ())


async def test_what_is_kept_has_the_shapes_that_the_server_is_told_to_insist_on(plain, scene):
    slack = MongoSlackStore(plain)
    for key in ("waits", "done", "dead"):
        await slack.keep(an_inbox_row(key, effect=None if key == "waits" else key))
    await slack.done("done", at_ms=NOON_MS)
    await slack.died("dead", at_ms=NOON_MS, error="KeyError")
    await slack.bind(a_thread())
    await slack.begin_post(a_post())
    await slack.link(a_person())

    kept = {name: await plain.find(name, {}) for name in await plain.collections() if "slack" in name}

    assert len(kept) == 4
    assert all(kept.values())
    assert [fault for name, some in kept.items() for one in some for fault in problems(name, one)] == []

"""Which outbox rows are due, on every store: oldest first, a conversation's webhooks one after the other, handoffs never behind them."""

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.core.conversation import ConversationId
from bot.core.outbox import DESK, EVERYTHING, SLACK, WEBHOOKS
from tests.builders import NOON_MS, a_handoff
from tests.contract.scene import Scene

HANDOFF = "handoff:c1:1"
FIRST, SECOND = "message.created:c1:1", "message.created:c1:2"


@pytest.fixture(params=["memory", "sqlite", "motor", "pymongo"])
def opened(request):
    """Opens a store that tells what it is told to tell."""

    if request.param == "memory":
        return lambda told: MemoryConversationStore(told=told)
    if request.param == "sqlite":
        database = request.getfixturevalue("database")
        return lambda told: SqliteConversationStore(database, told=told)
    deployment = request.getfixturevalue(request.param).database
    return lambda told: MongoConversationStore(deployment, told=told)


@pytest.fixture
def store(opened):
    """A store of which the desk and the webhooks are told."""
    return opened(DESK | WEBHOOKS)


async def due(store, *, now_ms: int = NOON_MS, limit: int = 9, kinds=EVERYTHING) -> list[str]:
    return [row.key for row in await store.outbox_due(now_ms=now_ms, limit=limit, kinds=kinds)]


async def test_of_a_conversation_only_the_first_row_for_webhooks_is_due(scene):
    await scene.bot_hands_over(a_handoff())

    assert await due(scene.store) == [FIRST, HANDOFF]


async def test_the_next_row_is_due_when_the_one_before_is_delivered(scene):
    await scene.bot_hands_over(a_handoff())
    told = []
    while rows := await due(scene.store, kinds=WEBHOOKS):
        told += rows
        await scene.store.delivered(rows[0], at_ms=NOON_MS)

    assert told == [FIRST, "conversation.handed_off:c1:1", SECOND]


async def test_a_process_whose_clock_is_behind_tells_nothing_before_what_was_written_first(scene):
    await scene.customer_writes("one", at_ms=NOON_MS)

    await scene.customer_writes("two", at_ms=NOON_MS - 60_000)

    assert await due(scene.store) == [FIRST]


async def test_a_row_that_is_postponed_holds_back_the_later_ones_of_its_conversation_alone(scene):
    await scene.bot_hands_over(a_handoff())
    other = await Scene.open(scene.store, ConversationId("c2"))
    await other.customer_writes(at_ms=NOON_MS + 2_000)

    await scene.store.postponed(FIRST, until_ms=NOON_MS + 1)

    assert await due(scene.store) == [HANDOFF, "message.created:c2:1"]
    assert await due(scene.store, now_ms=NOON_MS + 1) == [FIRST, HANDOFF, "message.created:c2:1"]


async def test_each_attempt_that_failed_is_counted(scene):
    await scene.customer_writes()
    await scene.store.postponed(FIRST, until_ms=NOON_MS)
    await scene.store.postponed(FIRST, until_ms=NOON_MS)

    (row,) = await scene.store.outbox_due(now_ms=NOON_MS, limit=9)

    assert (row.attempts, row.due_ms, row.created_ms) == (2, NOON_MS, NOON_MS)


async def test_a_row_that_was_delivered_is_not_postponed(scene):
    await scene.customer_writes()
    await scene.store.delivered(FIRST, at_ms=NOON_MS)

    await scene.store.postponed(FIRST, until_ms=NOON_MS)

    assert await due(scene.store) == []


async def test_the_desks_rows_are_found_behind_any_number_of_others(scene):
    for n in range(5):
        other = await Scene.open(scene.store, ConversationId(f"other {n}"))
        await other.customer_writes()
    await scene.bot_hands_over(a_handoff())

    assert await due(scene.store, limit=1, kinds=DESK) == [HANDOFF]


async def test_what_slack_is_shown_waits_for_no_webhook_but_for_what_slack_was_to_be_shown_before(opened):
    store = opened(EVERYTHING)
    scene = await Scene.open(store)
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()

    before = await due(store, kinds=SLACK)
    await store.delivered("slack:c1:1:2", at_ms=NOON_MS)

    assert (before, await due(store, kinds=SLACK)) == (["slack:c1:1:2"], ["slack:c1:2:2"])
    assert await due(store, kinds=WEBHOOKS) == [FIRST]


async def test_what_slack_could_not_be_shown_holds_nothing_back_and_comes_again_at_its_time(opened):
    store = opened(EVERYTHING)
    scene = await Scene.open(store)
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()

    await store.postponed("slack:c1:1:2", until_ms=NOON_MS + 1)

    assert await due(store, kinds=SLACK) == ["slack:c1:2:2"]
    later = await due(store, kinds=SLACK, now_ms=NOON_MS + 1)
    assert sorted(later) == ["slack:c1:1:2", "slack:c1:2:2"]

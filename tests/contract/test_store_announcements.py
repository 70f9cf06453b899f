"""Which outbox rows each change writes on every conversation store, by what there is somebody to be told of."""

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Channel
from bot.core.notes import Note
from bot.core.outbox import DESK, SLACK, WEBHOOKS
from tests.builders import NOON_MS, a_handoff
from tests.contract.scene import ANNA, Scene

BEN = AgentId("ben")
LATER_MS = NOON_MS + CLAIM_LEASE_MS


@pytest.fixture(params=["memory", "sqlite"])
def telling(request):
    """Opens one conversation on a store that tells what it is told to tell."""

    async def opened(told, **fields) -> Scene:
        if request.param == "memory":
            return await Scene.open(MemoryConversationStore(told=told), **fields)
        database = request.getfixturevalue("database")
        return await Scene.open(SqliteConversationStore(database, told=told), **fields)

    return opened


async def a_whole_life(scene: Scene) -> None:
    """Go through every change of owner, and every kind of message."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    queued = await scene.moves(held, held.released_by(ANNA, now_ms=NOON_MS))
    held = await scene.moves(queued, queued.claimed_by(BEN, now_ms=NOON_MS))
    await scene.moves(held, held.lease_expired(now_ms=LATER_MS))
    held = await scene.agent_claims()
    await scene.agent_replies()
    held = await scene.state()
    held = await scene.moves(held, held.transferred_by(ANNA, to=BEN, now_ms=NOON_MS))
    await scene.agent_returns_to_bot(BEN)
    await scene.agent_takes_over()
    await scene.agent_resolves()
    await scene.customer_writes("again")
    await scene.bot_settles(await scene.turn_begins(), turn="t2")


HANDOFFS = [f"handoff:c1:{epoch}" for epoch in (1, 3, 5)]
HANDED_OFF = [f"conversation.handed_off:c1:{epoch}" for epoch in (1, 3, 5)]
CLAIMED = [f"conversation.claimed:c1:{epoch}" for epoch in (2, 4, 6, 7, 9)]
MESSAGES = [f"message.created:c1:{seq}" for seq in (1, 2, 3, 4, 5)]
SHOWN_AT = ("1:2", "2:2", "3:2", "4:2", "5:2", "6:2", "6:3", "7:3", "8:3", "9:3", "10:3", "11:4", "11:5")
IN_SLACK = [f"slack:c1:{at}" for at in SHOWN_AT]  # epoch and newest message of each change


@pytest.mark.parametrize(
    ("told", "keys"),
    [
        pytest.param(frozenset(), [], id="nobody"),
        pytest.param(DESK, HANDOFFS, id="desk"),
        pytest.param(
            DESK | WEBHOOKS,
            [*HANDOFFS, *HANDED_OFF, *CLAIMED, "conversation.resolved:c1:10", *MESSAGES],
            id="webhooks",
        ),
        pytest.param(SLACK, IN_SLACK, id="slack"),
    ],
)
async def test_each_change_is_announced_once_to_those_who_are_told_of_it(telling, told, keys):
    scene = await telling(told)

    await a_whole_life(scene)

    assert sorted(row.key for row in await scene.store.outbox(limit=99)) == sorted(keys)


@pytest.mark.parametrize("end", ["release", "expiry"])
async def test_who_waits_again_is_announced_again(telling, end):
    """FAULTS §4.2: a lease that runs out without a post leaves a customer waiting, and nobody told."""
    scene = await telling(DESK)
    await scene.bot_hands_over(a_handoff())
    await scene.store.delivered("handoff:c1:1", at_ms=NOON_MS)
    held = await scene.agent_claims()
    ends = {"release": held.released_by(ANNA, now_ms=NOON_MS), "expiry": held.lease_expired(now_ms=LATER_MS)}

    await scene.moves(held, ends[end], at_ms=LATER_MS)

    (row,) = await scene.store.outbox(limit=9)
    assert (row.key, row.epoch, row.created_ms, row.seq) == ("handoff:c1:3", 3, LATER_MS, None)


async def test_a_message_is_announced_with_its_seq(telling):
    scene = await telling(DESK | WEBHOOKS)

    received = await scene.customer_writes()

    (row,) = await scene.store.outbox(limit=9)
    assert (row.kind, row.seq) == ("message.created", received.message.seq)


async def test_a_repeat_announces_nothing_again(telling):
    """R-H5: also after the row was delivered, under the same key."""
    scene = await telling(DESK | WEBHOOKS)
    for _ in range(2):
        await scene.customer_writes()
        for row in await scene.store.outbox(limit=9):
            await scene.store.delivered(row.key, at_ms=NOON_MS)

    assert await scene.store.outbox(limit=9) == ()


async def test_what_another_turn_had_shown_is_announced_when_a_new_one_shows_a_block(telling):
    """R-H5: after a crash the turn runs again, and what the customer had read of the first stays."""
    scene = await telling(DESK | WEBHOOKS)
    await scene.customer_writes()
    await scene.bot_shows(await scene.turn_begins(), "Open My Lessons", turn="t1")

    await scene.bot_shows(await scene.turn_begins(), "Open your lessons", turn="t2")

    assert [row.seq for row in await scene.store.outbox(limit=9)] == [1, 2]


async def test_an_interrupted_draft_is_announced_like_any_message(telling):
    scene = await telling(DESK | WEBHOOKS)
    await scene.customer_writes("one")
    await scene.bot_shows(await scene.turn_begins(), "Open My Lessons")

    await scene.customer_writes("two")

    assert [row.seq for row in await scene.store.outbox(limit=9)] == [1, 2, 3]


async def test_nothing_is_announced_to_slack_before_a_person_is_asked_for(telling):
    scene = await telling(SLACK)

    await scene.customer_writes()

    assert await scene.store.outbox(limit=9) == ()


async def test_a_customer_in_slack_is_shown_everything(telling):
    scene = await telling(SLACK, channel=Channel.SLACK)

    await scene.customer_writes()

    assert [row.key for row in await scene.store.outbox(limit=9)] == ["slack:c1:0:1"]


async def test_a_note_is_announced_to_slack_once(telling):
    scene = await telling(SLACK)
    note = Note(seq=0, author=ANNA, text="Ask Ben", at_ms=NOON_MS, key="n1")

    await scene.store.add_note(scene.id, note)
    await scene.store.add_note(scene.id, note)

    assert [row.key for row in await scene.store.outbox(limit=9)] == ["slack:c1:note:1"]

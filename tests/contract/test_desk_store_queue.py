"""The queue as the desk reads it: who waits, in which order, with which first line, and whose claim has run out."""

from functools import partial

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, AgentId, ConversationId, Kind
from bot.core.outcome import ReasonCode
from tests.builders import NOON_MS, a_handoff, a_revision
from tests.contract.scene import Scene

ANNA, BEN = AgentId("anna"), AgentId("ben")


@pytest.fixture
def opened(store):
    """Open a conversation."""
    return partial(Scene.open, store)


async def a_waiting(opened, name, *, since_ms):
    """Let the customer of a new conversation wait since then."""
    scene = await opened(ConversationId(name))
    await scene.customer_writes(f"from {name}", at_ms=since_ms)
    start = await scene.turn_begins()
    queued = start.conversation.queued(since_ms=since_ms, now_ms=since_ms)
    await scene.moves(start.conversation, queued, who="bot", what="handoff")
    return scene


async def queued_ids(desk):
    return [row.conversation.id for row in await desk.queue()]


async def test_the_longest_waiting_stand_first_and_those_where_nobody_waits_last(desk, opened):
    for name, since_ms in (("b", 20), ("c", 10), ("a", 20)):
        await a_waiting(opened, name, since_ms=NOON_MS + since_ms)
    answered = await a_waiting(opened, "answered", since_ms=NOON_MS)
    await answered.agent_claims()
    await answered.agent_replies()

    assert await queued_ids(desk) == ["c", "a", "b", "answered"]


async def test_only_the_queued_and_the_claimed_are_listed(desk, opened):
    with_bot = await opened(ConversationId("with-bot"))
    resolved = await a_waiting(opened, "resolved", since_ms=NOON_MS)
    claimed = await a_waiting(opened, "claimed", since_ms=NOON_MS)
    for scene in (resolved, claimed):
        await scene.agent_claims()
    await resolved.agent_resolves()

    (row,) = await desk.queue()

    assert row.conversation == await claimed.state()
    assert await desk.queue_row(claimed.id) == row
    for other in (with_bot.id, resolved.id, ConversationId("nobody")):
        assert await desk.queue_row(other) is None


async def test_a_row_says_why_the_bot_handed_over(desk, opened):
    scene = await opened()
    await scene.bot_hands_over(a_handoff(ReasonCode.CUSTOMER_ASKED))

    row = await desk.queue_row(scene.id)

    assert (row.conversation, row.reason) == (await scene.state(), "customer_asked")
    assert await desk.queue() == (row,)


async def test_a_conversation_that_was_taken_over_has_no_reason_of_an_earlier_handoff(desk, opened):
    scene = await opened()
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    await scene.agent_returns_to_bot()
    await scene.customer_writes("again")
    await scene.agent_takes_over()

    assert (await desk.queue_row(scene.id)).reason is None


@pytest.mark.parametrize(
    ("written", "since_ms", "shown"),
    [
        ([("earlier", 1), ("\n \n  Help me \nplease", 5), ("hello?", 6)], 5, "Help me"),
        ([("earlier", 1), ("latest", 2)], 5, "latest"),
        ([("earlier", 1), ("latest", 2)], None, "latest"),
        ([("x" * 300, 5)], 5, "x" * 200),
        ([(" \n", 5)], 5, ""),
        ([], 5, ""),
    ],
    ids=["first of the wait", "none in the wait", "nobody waits", "long", "blank", "nothing written"],
)
async def test_the_first_line_is_how_the_wait_began_else_the_latest_text(
    desk, opened, written, since_ms, shown
):
    scene = await opened()
    for text, at_ms in written:
        await scene.customer_writes(text, at_ms=at_ms)
    read = await scene.state()
    await scene.moves(read, read.queued(since_ms=since_ms, now_ms=6))

    assert (await desk.queue_row(scene.id)).first_line == shown


async def test_a_button_is_the_first_line_only_where_no_text_is(desk, opened):
    scene = await opened()
    button = {"channel_message_id": "b1", "kind": Kind.PERSON_REQUEST}
    await scene.customer_writes("A person, please", **button)
    read = await scene.state()
    await scene.moves(read, read.queued(since_ms=NOON_MS, now_ms=NOON_MS))
    pressed = await desk.queue_row(scene.id)
    await scene.customer_writes("My card is lost")

    written = await desk.queue_row(scene.id)

    assert (pressed.first_line, written.first_line) == ("A person, please", "My card is lost")


async def test_unread_are_the_customers_messages_after_what_agents_have_read(desk, opened):
    scene = await opened()
    await scene.bot_hands_over(a_handoff())
    await scene.customer_writes("two")
    await scene.customer_writes("three")

    unread = [(await desk.queue_row(scene.id)).unread]
    for seq in (1, 3, 4):
        await desk.mark_read(scene.id, agent=seq, customer=9)
        unread.append((await desk.queue_row(scene.id)).unread)

    assert unread == [3, 2, 1, 0]


async def test_the_place_in_the_queue_counts_the_queued_alone(desk, opened):
    scenes = {
        name: await a_waiting(opened, name, since_ms=NOON_MS + since_ms)
        for name, since_ms in (("b", 5), ("a", 5), ("first", 1), ("last", 9))
    }
    before = [await desk.position(scene.id) for scene in scenes.values()]
    await scenes["first"].agent_claims()

    after = [await desk.position(scene.id) for scene in scenes.values()]

    assert (before, after) == ([3, 2, 1, 4], [2, 1, None, 3])
    assert await desk.position(ConversationId("nobody")) is None


async def test_claims_that_have_run_out_are_listed_the_longest_ago_first(desk, opened):
    for name, at_ms in (("b", 2), ("c", 1), ("alive", 3)):
        scene = await a_waiting(opened, name, since_ms=NOON_MS)
        read = await scene.state()
        await scene.moves(read, read.claimed_by(BEN, now_ms=at_ms))
    await a_waiting(opened, "unclaimed", since_ms=NOON_MS)

    assert await desk.leases_over(now_ms=CLAIM_LEASE_MS + 2) == ("c", "b")
    assert await desk.leases_over(now_ms=CLAIM_LEASE_MS) == ()


async def test_an_agents_claims_are_its_own_alone_and_end_with_them(desk, opened):
    scenes = {name: await a_waiting(opened, name, since_ms=NOON_MS) for name in ("b", "a", "annas")}
    for name, agent in (("b", BEN), ("a", BEN), ("annas", ANNA)):
        read = await scenes[name].state()
        await scenes[name].moves(read, read.claimed_by(agent, now_ms=NOON_MS))
    await a_waiting(opened, "unclaimed", since_ms=NOON_MS)
    assert (await desk.claims_of(BEN), await desk.claims_of(ANNA)) == (("a", "b"), ("annas",))

    annas = await scenes["annas"].state()
    await scenes["annas"].moves(annas, annas.released_by(ANNA, now_ms=NOON_MS))

    assert await desk.claims_of(ANNA) == ()


async def test_waits_last_from_the_handoff_to_the_first_reply_and_the_newest_come_first(desk, opened):
    for name, opened_ms, replied_ms in (("a", 10, 100), ("b", 20, 300), ("c", 30, 200), ("old", 0, 99)):
        scene = await opened(ConversationId(name))
        await scene.bot_hands_over(a_handoff(), turn=f"t-{name}", settled_ms=opened_ms)
        read = await scene.state()
        await scene.moves(read, read.claimed_by(BEN, now_ms=replied_ms))
        for at_ms in (replied_ms, replied_ms + 5):
            await scene.agent_replies(agent=BEN, id=str(at_ms), at_ms=at_ms)
    await a_waiting(opened, "unreplied", since_ms=50)

    assert await desk.recent_waits(since_ms=100, limit=9) == (280, 170, 90)
    assert await desk.recent_waits(since_ms=100, limit=2) == (280, 170)


async def test_what_the_customer_edited_or_deleted_is_neither_shown_nor_counted(desk, opened, store):
    scene = await a_waiting(opened, "a", since_ms=NOON_MS)
    await scene.customer_writes("my card is 4242", channel_message_id="card", at_ms=NOON_MS + 1)
    about = {"conversation": scene.id}

    await store.receive(a_revision("card", None, **about), at_ms=NOON_MS + 2)
    await store.receive(a_revision("id of from a", "from Alma", **about), at_ms=NOON_MS + 3)

    (row,) = await desk.queue()
    assert (row.first_line, row.unread) == ("from Alma", 1)
    assert await desk.queue_row(scene.id) == row

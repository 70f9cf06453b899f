"""What the desk's numbers are counted from: what lies in a span of time, and what customers wrote in the day after it."""

import pytest

from bot.core.activity import AFTERWARDS_MS, Activity, HandoffTimes, SettledTurn
from bot.core.conversation import AgentId, ConversationId, Kind
from bot.core.outcome import Ask, ReasonCode
from tests.builders import CONVERSATION, NOON_MS, a_handoff, an_answer
from tests.contract.scene import ANNA, Scene

BEN = AgentId("ben")
SINCE, UNTIL = NOON_MS, NOON_MS + 1_000
SPAN = {"since_ms": SINCE, "until_ms": UNTIL}


@pytest.fixture
async def scene(store):
    return await Scene.open(store)


async def a_turn_settles(scene, outcome, *, at_ms):
    await scene.customer_writes(f"at {at_ms}", at_ms=at_ms)
    return await scene.bot_settles(
        await scene.turn_begins(), outcome, turn=f"{scene.id}-{at_ms}", settled_ms=at_ms
    )


async def helped(scene, verdict, *, at_ms):
    await scene.customer_writes(verdict, channel_message_id=f"f{at_ms}", kind=Kind.FEEDBACK, at_ms=at_ms)


async def is_claimed(scene, *, at_ms):
    read = await scene.state()
    return await scene.moves(read, read.claimed_by(ANNA, now_ms=at_ms), what="claimed", at_ms=at_ms)


async def test_a_conversation_comes_with_all_that_happened_in_it(desk, scene):
    await a_turn_settles(scene, an_answer(), at_ms=SINCE + 10)
    await helped(scene, "no", at_ms=SINCE + 20)
    await a_turn_settles(scene, a_handoff(ReasonCode.UNRESOLVED), at_ms=SINCE + 30)
    await is_claimed(scene, at_ms=SINCE + 40)
    await scene.agent_replies(at_ms=SINCE + 50)

    (activity,) = await desk.activity(**SPAN)

    assert activity == Activity(
        conversation=CONVERSATION,
        turns=(
            SettledTurn(settled_ms=SINCE + 10, outcome="answer", reason=None),
            SettledTurn(settled_ms=SINCE + 30, outcome="handoff", reason="unresolved"),
        ),
        handoffs=(
            HandoffTimes(
                reason="unresolved", opened_ms=SINCE + 30, claimed_ms=SINCE + 40, replied_ms=SINCE + 50
            ),
        ),
        wrote_ms=(SINCE + 10, SINCE + 30),
        helped=((SINCE + 20, False),),
        claimed_ms=(SINCE + 40,),
    )


async def test_the_span_begins_with_its_first_moment_and_ends_before_its_last(desk, store):
    for name, at_ms in (("a", SINCE - 1), ("b", SINCE), ("c", UNTIL - 1), ("d", UNTIL)):
        await a_turn_settles(await Scene.open(store, ConversationId(name)), a_handoff(), at_ms=at_ms)

    found = await desk.activity(**SPAN)

    assert [one.conversation for one in found] == ["b", "c"]
    assert [[row.opened_ms for row in one.handoffs] for one in found] == [[SINCE], [UNTIL - 1]]


async def test_what_customers_write_counts_for_a_day_after_the_span(desk, scene):
    await a_turn_settles(scene, an_answer(), at_ms=SINCE)
    for at_ms in (UNTIL + AFTERWARDS_MS - 1, UNTIL + AFTERWARDS_MS):
        await helped(scene, "yes", at_ms=at_ms)
        await scene.customer_writes(f"at {at_ms}", at_ms=at_ms)

    (activity,) = await desk.activity(**SPAN)

    assert activity.wrote_ms == (SINCE, UNTIL + AFTERWARDS_MS - 1)
    assert activity.helped == ((UNTIL + AFTERWARDS_MS - 1, True),)


async def test_only_what_is_typed_was_written_and_only_yes_or_no_is_a_verdict(desk, scene):
    await a_turn_settles(scene, an_answer(), at_ms=SINCE)
    for kind in set(Kind) - {Kind.TEXT}:
        await scene.customer_writes("maybe", channel_message_id=kind, kind=kind, at_ms=SINCE + 5)

    (activity,) = await desk.activity(**SPAN)

    assert (activity.wrote_ms, activity.helped) == ((SINCE,), ())


async def test_a_claim_counts_by_itself_and_a_transfer_or_a_renewal_is_none(desk, scene):
    await a_turn_settles(scene, a_handoff(), at_ms=SINCE - 10)
    claimed = await is_claimed(scene, at_ms=SINCE)
    renewed = await scene.moves(claimed, claimed.renewed_by(ANNA, now_ms=SINCE), at_ms=SINCE + 1)
    passed_on = renewed.transferred_by(ANNA, to=BEN, now_ms=SINCE)
    await scene.moves(renewed, passed_on, what="transferred", at_ms=SINCE + 2)

    (activity,) = await desk.activity(**SPAN)

    assert (activity.claimed_ms, activity.turns, activity.handoffs) == ((SINCE,), (), ())


async def test_a_conversation_in_which_only_the_customer_wrote_is_not_listed(desk, scene):
    await scene.customer_writes(at_ms=SINCE)

    assert await desk.activity(**SPAN) == ()


async def test_turns_that_handed_over_come_whole_and_oldest_first(desk, store):
    for name, at_ms, outcome in (
        ("a", SINCE + 5, a_handoff()),
        ("b", SINCE, a_handoff(ReasonCode.BOT_PAUSED)),
        ("c", SINCE + 1, Ask(text="Which?")),
        ("d", UNTIL, a_handoff()),
    ):
        await a_turn_settles(await Scene.open(store, ConversationId(name)), outcome, at_ms=at_ms)

    (of_a,), (of_b,) = [await store.turns(ConversationId(name)) for name in "ab"]
    assert await desk.handoff_turns(**SPAN) == (of_b, of_a)

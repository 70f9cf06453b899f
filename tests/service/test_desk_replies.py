"""What agents say to customers: once, under their name, only while they have the conversation, and never lost."""

import asyncio

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Kind, Message, Role, Status
from bot.core.inbound import MAX_TEXT_CHARACTERS
from bot.errors import ClaimLost, ConversationChanged, InputRejected, MessageConflict
from bot.service.moving import TRIES
from tests.service.desk_rig import ANNA, BEN, Desk, meanwhile
from tests.service.stand_ins import Point


async def test_a_reply_is_the_agents_and_answers_the_customer(desk: Desk):
    await desk.claimed()

    said = await desk.reply("  Which trout?\r\nThe brown one? ")

    state = await desk.rig.state()
    assert said == Message(
        seq=3, role=Role.AGENT, kind=Kind.TEXT, text="Which trout?\nThe brown one?", author=ANNA,
        at_ms=desk.rig.clock.now_ms(), channel_message_id="agent:anna:r1",
    )  # fmt: skip
    assert (await desk.rig.messages())[-1] == said
    assert (state.waiting_since_ms, state.answered_seq) == (None, state.last_customer_seq)
    assert [row.replied_ms for row in await desk.handoffs()] == [desk.rig.clock.now_ms()]


async def test_a_reply_that_is_sent_again_is_said_once(desk: Desk):
    await desk.claimed()
    first = await desk.reply("Trout?")

    again = await desk.reply("Trout?")

    assert again == first
    assert [m.text for m in await desk.rig.messages() if m.role is Role.AGENT] == ["Trout?"]


async def test_a_reply_whose_answer_was_lost_is_said_once_even_if_the_claim_is_over_by_then(desk: Desk):
    await desk.claimed()
    first = await desk.reply("Trout?")
    await desk.service.release(desk.rig.conversation, ANNA)

    assert await desk.reply("Trout?") == first
    assert await desk.own_draft() == ""


@pytest.mark.parametrize("held", [True, False], ids=["claimed", "released"])
async def test_an_id_that_came_with_another_text_is_refused(desk: Desk, held: bool):
    await desk.claimed()
    await desk.reply("Trout?")
    if not held:
        await desk.service.release(desk.rig.conversation, ANNA)

    with pytest.raises(MessageConflict):
        await desk.reply("Salmon?")


async def test_two_agents_ids_never_meet(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?", id="r1")
    await desk.service.transfer(desk.rig.conversation, ANNA, to=BEN)

    said = await desk.reply("Salmon?", agent=BEN, id="r1")

    assert (said.text, said.author) == ("Salmon?", BEN)


@pytest.mark.parametrize(
    ("text", "problem"),
    [(" \n\x00 ", "text: is empty"), ("a" * (MAX_TEXT_CHARACTERS + 1), "text: is 4,001 characters long")],
    ids=["empty", "too long"],
)
async def test_a_text_that_cannot_be_said_is_refused(desk: Desk, text: str, problem: str):
    await desk.claimed()

    with pytest.raises(InputRejected, match=problem):
        await desk.reply(text)


@pytest.mark.parametrize("swept", [False, True], ids=["before the sweep", "after the sweep"])
async def test_who_comes_back_after_the_lease_is_refused_and_keeps_the_text(desk: Desk, swept: bool):
    """R-H6, H6."""
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS)
    if swept:
        assert await desk.service.expire_leases() == 1

    with pytest.raises(ClaimLost):
        await desk.reply("Which trout?")

    assert await desk.own_draft() == "Which trout?"
    assert [m.text for m in await desk.rig.messages() if m.role is Role.AGENT] == []


@pytest.mark.parametrize("agent", [ANNA, BEN])
async def test_nobody_speaks_who_has_not_claimed(desk: Desk, agent: AgentId):
    await desk.hand_over()

    with pytest.raises(ClaimLost):
        await desk.reply("Trout?", agent=agent)

    assert await desk.own_draft(agent) == "Trout?"


async def test_a_reply_that_never_finds_the_conversation_as_it_read_it_is_given_up_and_kept(desk: Desk):
    await desk.claimed()
    desk.rig.store.at_change = Point(fails=ConversationChanged("it moves all the time"))

    with pytest.raises(ConversationChanged):
        await desk.reply("Trout?")

    assert (desk.rig.store.at_change.calls, await desk.own_draft()) == (TRIES, "Trout?")


async def test_what_was_sent_is_no_draft_any_more(desk: Desk):
    await desk.claimed()
    await desk.service.keep_draft(desk.rig.conversation, ANNA, "Trou")

    await desk.reply("Trout?")

    assert await desk.own_draft() == ""


async def test_a_message_that_the_agent_had_not_seen_waits_for_the_next_reply(desk: Desk):
    await desk.claimed()
    desk.rig.clock.advance(5_000)
    unseen = await desk.rig.say("And with salmon?")

    await desk.reply("Trout goes with Riesling.", seen=unseen.message.seq - 1)

    state = await desk.rig.state()
    assert state.waiting_since_ms == desk.rig.clock.now_ms()
    assert state.answered_seq == unseen.message.seq - 1


async def test_a_message_that_comes_while_the_reply_is_written_waits_too(desk: Desk):
    await desk.claimed()

    await meanwhile(desk, desk.reply("Riesling."), desk.rig.say("And with salmon?"))

    state = await desk.rig.state()
    assert state.waiting_since_ms == desk.rig.clock.now_ms()
    assert state.answered_seq < state.last_customer_seq


async def test_replies_and_messages_of_one_moment_have_one_order_for_everyone(desk: Desk):
    """R-H10."""
    await desk.claimed()
    sent = [desk.reply(f"From the console, {n}.", id=f"console-{n}") for n in range(3)]
    sent += [desk.reply(f"From elsewhere, {n}.", id=f"elsewhere-{n}") for n in range(3)]

    await asyncio.gather(*sent, *[desk.rig.say(f"And {n}?") for n in range(3)])

    as_customer = (await desk.rig.customers.snapshot(desk.rig.conversation, after=0)).messages
    as_agent = await desk.service.view(desk.rig.conversation, BEN, after=0, notes_after=0)
    assert as_customer == as_agent.messages
    assert [m.seq for m in as_customer] == list(range(1, 12))
    assert (await desk.rig.state()).status is Status.CLAIMED

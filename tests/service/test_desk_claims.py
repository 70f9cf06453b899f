"""Who has a conversation: one agent at a time, and nobody whose claim has run out."""

import asyncio
from collections import Counter

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Channel, Role, Status
from bot.core.outbox import Announcement
from bot.errors import ClaimLost, ClaimRefused, InputRejected, MoveRefused, StoreUnavailable
from bot.service.live import Changed, CutOff
from tests.service.desk_rig import ANNA, BEN, CLEO, DAN, Desk, meanwhile
from tests.service.rig import QUESTION
from tests.waiting import wait_until


async def test_an_agent_claims_what_the_bot_handed_over(desk: Desk):
    await desk.hand_over()

    claimed = await desk.claim()

    assert (claimed.status, claimed.agent) == (Status.CLAIMED, ANNA)
    assert (await desk.audit())[-1] == ("anna", "claimed")
    assert [row.claimed_ms for row in await desk.handoffs()] == [desk.rig.clock.now_ms()]


async def test_of_fifty_who_claim_at_once_one_wins_and_the_others_hear_who(desk: Desk):
    """H2."""
    await desk.hand_over()
    at_change = desk.rig.store.at_change
    at_change.waits = True
    claims = [asyncio.create_task(desk.claim(AgentId(f"agent {n}"))) for n in range(50)]
    await wait_until(lambda: at_change.calls == 50)  # each has read the state before the first one writes
    at_change.opened.set()

    ended = await asyncio.gather(*claims, return_exceptions=True)

    winner = (await desk.rig.state()).agent
    assert Counter(type(end).__name__ for end in ended) == {"Conversation": 1, "ClaimRefused": 49}
    assert {end.holder for end in ended if isinstance(end, ClaimRefused)} == {winner}
    assert Counter(what for _, what in await desk.audit())["claimed"] == 1


async def test_a_button_pressed_twice_claims_once_and_renews(desk: Desk):
    await desk.claimed()
    desk.rig.clock.advance(1_000)

    again = await desk.claim()

    assert again.lease_until_ms == desk.rig.clock.now_ms() + CLAIM_LEASE_MS
    assert Counter(what for _, what in await desk.audit())["claimed"] == 1


async def test_an_agent_who_takes_over_while_the_bot_writes_is_alone_from_then_on(desk: Desk):
    """R-H1, H1."""
    desk.rig.store.at_commit.waits = True
    await desk.rig.say(QUESTION)
    await desk.rig.store.at_commit.reached.wait()

    taken = await desk.claim()
    desk.rig.store.at_commit.opened.set()
    await desk.rig.idle()

    after = [m for m in await desk.rig.messages() if m.role is Role.BOT]
    assert (taken.agent, (await desk.audit())[-1]) == (ANNA, ("anna", "took_over"))
    assert [m.interrupted for m in after] == [True]  # what was shown already stays, and nothing follows it
    assert await desk.rig.turn_records() == ()


async def test_a_claim_of_what_another_has_is_refused_with_the_name(desk: Desk):
    await desk.claimed()

    with pytest.raises(ClaimRefused, match="anna"):
        await desk.claim(BEN)


@pytest.mark.parametrize("agent", [ANNA, BEN])
async def test_a_claim_that_has_run_out_is_ended_before_the_next_one_begins(desk: Desk, agent: AgentId):
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS)

    claimed = await desk.claim(agent)

    assert claimed.agent == agent
    assert (await desk.audit())[-2:] == [("sweep", "lease_expired"), (agent, "claimed")]


async def test_what_is_resolved_is_not_claimed(desk: Desk):
    await desk.claimed()
    await desk.resolve()

    with pytest.raises(MoveRefused, match="opens again when the customer writes"):
        await desk.claim(BEN)


async def test_what_is_released_waits_again_as_long_as_before_and_the_desk_is_told(desk: Desk):
    await desk.claimed()
    waiting_since_ms = (await desk.rig.state()).waiting_since_ms
    desk.rig.clock.advance(1_000)

    released = await desk.service.release(desk.rig.conversation, ANNA)

    assert (released.status, released.waiting_since_ms) == (Status.QUEUED, waiting_since_ms)
    assert (await desk.audit())[-1] == ("anna", "released")
    told = [row.kind for row in await desk.rig.store.outbox(limit=9)]
    assert told == [Announcement.HANDOFF, Announcement.HANDOFF]


async def test_an_agent_gives_a_conversation_to_another(desk: Desk):
    await desk.claimed()

    transferred = await desk.service.transfer(desk.rig.conversation, ANNA, to=BEN)
    await desk.reply("Ben here.", agent=BEN)

    assert transferred.agent == BEN
    assert [row.detail for row in await desk.service.history(desk.rig.conversation)][-1] == "ben"
    with pytest.raises(ClaimLost):
        await desk.reply("Anna again.", agent=ANNA)


@pytest.mark.parametrize("to", [CLEO, DAN, AgentId("nobody")], ids=["content", "disabled", "unknown"])
async def test_nobody_is_given_a_conversation_who_answers_no_customers(desk: Desk, to: AgentId):
    await desk.claimed()

    with pytest.raises(InputRejected, match="to: is nobody who answers customers"):
        await desk.service.transfer(desk.rig.conversation, ANNA, to=to)


async def test_a_sign_of_life_renews_every_claim_of_the_agent_and_tells_nobody(desk: Desk):
    """H6."""
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS - 1)

    with desk.rig.live.watch(desk.rig.conversation) as watcher:
        await desk.service.renew(ANNA)
        await desk.service.renew(BEN)
        watcher.offer(CutOff(overloaded=False))

        assert [event async for event in watcher.events()] == [CutOff(overloaded=False)]
    assert (await desk.rig.state()).lease_until_ms == desk.rig.clock.now_ms() + CLAIM_LEASE_MS


async def test_one_claim_that_cannot_be_renewed_does_not_cost_the_others(desk: Desk):
    """H6."""
    await desk.claimed()
    second = await desk.rig.customers.open(channel=Channel.WIDGET, locale="de")
    await desk.service.claim(second.id, ANNA)
    first, other = sorted([desk.rig.conversation, second.id])
    desk.rig.clock.advance(1)
    desk.rig.store.at_change.fails_once = StoreUnavailable("disk full")

    await desk.service.renew(ANNA)

    until = [(await desk.rig.store.conversation(one)).lease_until_ms for one in (first, other)]
    assert until == [desk.rig.clock.now_ms() - 1 + CLAIM_LEASE_MS, desk.rig.clock.now_ms() + CLAIM_LEASE_MS]


async def test_a_sign_of_life_does_not_revive_a_claim_that_has_run_out(desk: Desk):
    await desk.claimed()
    lease_until_ms = (await desk.rig.state()).lease_until_ms
    desk.rig.clock.advance(CLAIM_LEASE_MS)

    await desk.service.renew(ANNA)

    assert (await desk.rig.state()).lease_until_ms == lease_until_ms


async def test_who_watches_is_told_of_each_move(desk: Desk):
    await desk.hand_over()
    with desk.rig.live.watch(desk.rig.conversation) as watcher:
        await desk.claim()
        await desk.service.release(desk.rig.conversation, ANNA)
        watcher.offer(CutOff(overloaded=False))

        assert [e async for e in watcher.events()] == [Changed(), Changed(), CutOff(overloaded=False)]


async def test_a_move_that_somebody_got_in_the_way_of_is_decided_anew(desk: Desk):
    await desk.hand_over()

    with pytest.raises(ClaimRefused, match="ben"):
        await meanwhile(desk, desk.claim(ANNA), desk.claim(BEN))


async def test_the_bot_does_not_answer_for_an_agent_who_has_the_conversation(desk: Desk):
    """H8."""
    await desk.claimed()
    before = await desk.rig.messages()

    for _ in range(3):
        await desk.rig.say(QUESTION)
    await desk.rig.sweep.resume()
    await desk.rig.idle()

    added = (await desk.rig.messages())[len(before) :]
    assert [m.role for m in added] == [Role.CUSTOMER] * 3

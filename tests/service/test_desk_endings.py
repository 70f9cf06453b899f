"""How an agent's part ends: back to the bot, resolved, or by silence; and that somebody is there for the customer afterwards."""

from collections import Counter

import pytest

from bot.core.conversation import CLAIM_LEASE_MS, Channel, Kind, Role, Status
from bot.core.outbox import Announcement
from bot.core.outcome import Answer
from bot.errors import ClaimLost, CustomerWrote, StoreUnavailable
from tests.service.desk_rig import ANNA, Desk, meanwhile
from tests.service.rig import QUESTION, REPLIES, UNCOVERED


async def test_the_customer_is_told_that_the_bot_answers_again_and_it_does(desk: Desk):
    """H8."""
    await desk.claimed()
    await desk.reply("It answers the rest.")

    await desk.return_to_bot()
    turn = await desk.rig.ask(QUESTION)

    notice = [m for m in await desk.rig.messages() if m.kind is Kind.NOTICE]
    assert [(m.role, m.text) for m in notice] == [(Role.BOT, REPLIES.text("back_to_bot", "en"))]
    assert isinstance(turn.outcome, Answer)
    assert [row.closed_ms for row in await desk.handoffs()] == [desk.rig.clock.now_ms()]


async def test_the_bot_answers_what_the_agent_had_not(desk: Desk):
    """R-H9: the message came before."""
    await desk.claimed()
    await desk.rig.say(QUESTION)

    await desk.return_to_bot()
    await desk.rig.idle()

    turn = (await desk.rig.turn_records())[-1]
    assert (isinstance(turn.outcome, Answer), turn.covers) == (True, (3,))


async def test_a_message_that_comes_during_the_return_is_answered_once(desk: Desk):
    """R-H9: the message came between the reading and the writing."""
    await desk.claimed()

    await meanwhile(desk, desk.return_to_bot(), desk.rig.say(QUESTION))
    await desk.rig.idle()

    turns = await desk.rig.turn_records()
    assert [turn.covers for turn in turns] == [(1,), (3,)]
    assert (await desk.rig.state()).owes_a_turn is False


async def test_a_return_that_loses_to_a_message_for_the_agent_starts_nothing_by_itself(desk: Desk):
    """R-H9: nothing was left to answer."""
    await desk.claimed()
    await desk.rig.say(QUESTION)
    await desk.reply("Like this.")

    await desk.return_to_bot()

    assert not desk.rig.runner.is_running(desk.rig.conversation)


async def test_what_stays_unanswered_after_the_return_is_handed_over_after_a_minute(desk: Desk):
    """H4, R-H8: the minute begins when the bot gets the conversation."""
    await desk.claimed()
    await desk.rig.say(QUESTION)
    desk.rig.clock.advance(60_000)
    await desk.rig.runner.drain(grace_s=0)
    await desk.return_to_bot()

    assert await desk.rig.sweep.hand_over_lost() == 0
    desk.rig.clock.advance(60_001)
    assert await desk.rig.sweep.hand_over_lost() == 1

    assert await desk.rig.reasons() == ["no_evidence", "turn_lost"]
    assert [row.closed_ms is None for row in await desk.handoffs()] == [False, True]


async def test_a_resolved_conversation_says_so_and_keeps_the_code(desk: Desk):
    await desk.claimed()

    resolved = await desk.resolve()

    (row,) = [row for row in await desk.service.history(desk.rig.conversation) if row.what == "resolved"]
    assert (resolved.status, row.who, row.detail) == (Status.RESOLVED, "anna", "answered")
    assert (await desk.rig.messages())[-1].text == REPLIES.text("resolved", "en")


async def test_nothing_is_resolved_over_a_message_that_the_agent_has_not_seen(desk: Desk):
    await desk.claimed()
    unseen = await desk.rig.say("And with salmon?")

    with pytest.raises(CustomerWrote, match="read it before you resolve"):
        await desk.resolve(seen=unseen.message.seq - 1)

    assert (await desk.rig.state()).status is Status.CLAIMED


async def test_nor_over_one_that_comes_at_that_moment(desk: Desk):
    await desk.claimed()

    with pytest.raises(CustomerWrote):
        await meanwhile(desk, desk.resolve(seen=2), desk.rig.say("And with salmon?"))


async def test_a_reply_that_comes_after_the_end_is_refused_and_kept(desk: Desk):
    """R-H11: the one rule is that only the customer opens a resolved conversation again."""
    await desk.claimed()

    with pytest.raises(ClaimLost):
        await meanwhile(desk, desk.reply("One more thing."), desk.resolve())

    assert await desk.own_draft() == "One more thing."
    assert (await desk.rig.state()).status is Status.RESOLVED


async def test_the_customer_opens_it_again_and_the_bot_answers(desk: Desk):
    """R-H11."""
    await desk.claimed()
    await desk.resolve()

    turn = await desk.rig.ask(QUESTION)

    state = await desk.rig.state()
    assert (state.status, state.episode, isinstance(turn.outcome, Answer)) == (Status.BOT, 2, True)


async def test_the_sweep_queues_what_a_silent_agent_had_and_the_desk_is_told_again(desk: Desk):
    """H6, R-H6."""
    await desk.claimed()
    epoch = (await desk.rig.state()).epoch
    desk.rig.clock.advance(CLAIM_LEASE_MS)

    assert await desk.service.expire_leases() == 1
    assert await desk.service.expire_leases() == 0

    state = await desk.rig.state()
    assert (state.status, state.epoch, state.agent) == (Status.QUEUED, epoch + 1, None)
    assert (await desk.audit())[-1] == ("sweep", "lease_expired")
    assert Counter(row.kind for row in await desk.rig.store.outbox(limit=9)) == {Announcement.HANDOFF: 2}


async def test_a_claim_that_is_alive_outlives_the_sweep(desk: Desk):
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS - 1)

    assert await desk.service.expire_leases() == 0


async def test_an_agent_who_claims_again_at_the_last_moment_keeps_the_conversation(desk: Desk):
    await desk.claimed()
    desk.rig.clock.advance(CLAIM_LEASE_MS)

    assert await meanwhile(desk, desk.service.expire_leases(), desk.claim()) == 0

    assert (await desk.rig.state()).agent == ANNA


async def test_whoever_asks_for_a_person_at_once_there_is_one_handoff(desk: Desk):
    """R-H4, H3: a question without an article, the button for a person, and the watchdog."""
    desk.rig.store.at_commit.waits = True
    await desk.rig.say(UNCOVERED)
    await desk.rig.store.at_commit.reached.wait()
    await desk.rig.say("A person, please", kind=Kind.PERSON_REQUEST)
    desk.rig.clock.advance(60_001)
    desk.rig.store.at_commit.waits = False
    desk.rig.store.at_commit.opened.set()

    await desk.rig.sweep.hand_over_lost()
    await desk.rig.idle()

    assert len(await desk.handoffs()) == 1
    assert [m.refusal for m in await desk.rig.told()] == [True]
    assert len(await desk.rig.store.outbox(limit=9)) == 1


async def test_one_claim_that_cannot_be_ended_does_not_keep_the_others_waiting(desk: Desk):
    await desk.claimed()
    desk.rig.clock.advance(1)
    second = await desk.rig.customers.open(channel=Channel.WIDGET, locale="de")
    await desk.service.claim(second.id, ANNA)
    desk.rig.clock.advance(CLAIM_LEASE_MS)
    desk.rig.store.at_change.fails_once = StoreUnavailable("disk full")

    assert await desk.service.expire_leases() == 1

    assert (await desk.rig.state()).status is Status.CLAIMED
    assert (await desk.rig.store.conversation(second.id)).status is Status.QUEUED


async def test_only_who_has_it_ends_it(desk: Desk):
    await desk.hand_over()

    for end in (desk.return_to_bot, desk.resolve, lambda: desk.service.release(desk.rig.conversation, ANNA)):
        with pytest.raises(ClaimLost):
            await end()

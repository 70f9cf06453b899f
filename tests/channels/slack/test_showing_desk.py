"""Agents in Slack see one card for each handoff, what became of it, and in its thread what goes on, each thing once."""

import pytest

from bot.core.desk import Resolution
from bot.core.notes import BOT, Note, summary_key
from tests.channels.slack.sending_rig import HOME, a_sending
from tests.service.desk_rig import ANNA, BEN
from tests.service.rig import QUESTION, UNCOVERED
from tests.vendors.slack_server import AGENT, DESK


@pytest.fixture
async def sending(slack):
    return await a_sending(slack)


async def test_a_handoff_posts_one_card_with_the_reason_and_the_evidence(sending):
    await sending.desk.hand_over()

    await sending.told()
    await sending.told()

    (card,) = sending.cards()
    assert "is waiting for a person" in card
    assert "Why: " in card.replace("*", "")
    assert "that it takes" in card
    assert f"Customer: {UNCOVERED}" in card
    assert "[Claim]" in card


async def test_what_only_the_bot_answered_is_not_shown_to_the_desk(sending):
    await sending.rig.ask(QUESTION)

    await sending.told()

    assert sending.cards() == []


async def test_the_card_links_to_the_console_and_shows_who_has_it(sending):
    await sending.claimed()

    await sending.told()

    (card,) = sending.cards()
    assert "is with *Anna*" in card
    assert "[Reply]" in card
    posted = str(sending.server.posted(DESK))
    assert f"https://support.example/console#/conversation/{sending.id}" in posted


async def test_the_summary_comes_onto_the_card_and_not_into_the_thread(sending):
    await sending.desk.hand_over()
    await sending.told()
    epoch = (await sending.rig.state()).epoch
    note = Note(seq=0, author=BOT, text="Asked: about trout", at_ms=0, key=summary_key(epoch))

    await sending.rig.store.add_note(sending.id, note)
    await sending.told()

    assert "Asked: about trout" in sending.cards()[0]
    assert await sending.in_room() == []


async def test_the_thread_has_what_followed_the_handoff_in_order(sending):
    await sending.claimed()
    await sending.customer_says("Are you there?")
    await sending.agent_says("Yes, I am.")
    sending.rig.clock.advance(1_000)
    await sending.desk.service.add_note(sending.id, ANNA, text="She is new.", message_id="n1")

    await sending.told()

    claimed, asked, replied, noted = await sending.in_room()
    assert "Anna* claimed the conversation" in claimed
    assert "wrote\nAre you there?" in asked
    assert "Anna* replied to the customer\nYes, I am." in replied
    assert "Anna* noted" in noted
    assert "She is new." in noted


async def test_the_card_shows_the_customers_newest_message(sending):
    await sending.claimed()
    await sending.told()

    await sending.customer_says("It is the blue one.")
    await sending.told()

    (card,) = sending.cards()
    assert "Customer: It is the blue one." in card


async def test_what_an_agent_wrote_in_the_thread_is_not_repeated_there(sending):
    await sending.claimed()
    await sending.told()
    written = f"slack:{HOME.team}:{HOME.channel}:1750000001.000001"

    await sending.agent_says("From Slack.", id=written)
    await sending.desk.service.add_note(sending.id, ANNA, text="A note.", message_id=f"{written}.n")
    await sending.told()

    assert len(await sending.in_room()) == 1  # who claimed it
    thread = (await sending.store.threads_of(sending.id))[0]
    assert thread.shown_seq == (await sending.rig.state()).last_seq


async def test_who_waits_again_is_told_to_the_whole_channel(sending):
    await sending.claimed()
    await sending.told()
    sending.rig.clock.advance(1_000)

    await sending.desk.service.release(sending.id, ANNA)
    await sending.told()

    card, again = sending.cards()
    assert "is waiting for a person" in card
    assert "is waiting for a person again" in again
    assert again in await sending.in_room()


async def test_a_conversation_given_to_a_colleague_keeps_its_card(sending):
    await sending.claimed()
    sending.rig.clock.advance(1_000)

    await sending.desk.service.transfer(sending.id, ANNA, to=BEN)
    await sending.told()

    (card,) = sending.cards()
    assert "is with *Ben*" in card
    assert "gave the conversation to a colleague: Ben" in (await sending.in_room())[-1]


async def test_a_finished_conversation_says_how_it_ended_and_offers_nothing(sending):
    await sending.claimed()
    sending.rig.clock.advance(1_000)

    await sending.desk.service.resolve(sending.id, ANNA, Resolution.ANSWERED, seen=99)
    await sending.told()

    (card,) = sending.cards()
    assert "is done: Question answered" in card
    assert "[Claim]" not in card


async def test_the_next_handoff_has_a_card_and_a_thread_of_its_own(sending):
    await sending.claimed()
    sending.rig.clock.advance(1_000)
    await sending.desk.return_to_bot()
    await sending.told()
    first = await sending.room()

    await sending.customer_says(QUESTION)
    await sending.customer_says(f"{UNCOVERED} Really.")
    await sending.told()

    bot_again, waiting = sending.cards()
    assert "is with the bot again" in bot_again
    assert "is waiting for a person" in waiting
    assert first != await sending.room()
    assert "wrote" not in str(sending.server.transcript(DESK, first))


async def test_no_card_comes_of_what_was_over_before_slack_was_set_up(sending):
    await sending.claimed()
    await sending.desk.return_to_bot()
    for row in await sending.waiting():
        await sending.rig.store.delivered(row.key, at_ms=0)

    await sending.customer_says(QUESTION)
    await sending.told()

    assert sending.cards() == []


async def test_a_handoff_that_was_settled_while_slack_was_down_has_its_card_all_the_same(sending):
    await sending.claimed()
    sending.rig.clock.advance(1_000)
    await sending.desk.return_to_bot()

    await sending.told()

    (card,) = sending.cards()
    assert "is with the bot again" in card


async def test_whoever_waits_gets_a_new_card_when_somebody_deleted_the_old_one(sending):
    await sending.desk.hand_over()
    await sending.told()
    await sending.server.deletes(DESK, await sending.room())

    await sending.desk.claim()
    await sending.told_in_the_end()

    (card,) = sending.cards()
    assert "is with *Anna*" in card
    assert "claimed the conversation" in (await sending.in_room())[0]


async def test_whoever_waits_gets_a_new_card_when_the_old_one_was_deleted_above_its_thread(sending):
    await sending.desk.hand_over()
    await sending.told()
    old = await sending.room()
    await sending.server.says(AGENT, DESK, "Who takes it?", thread_ts=old)
    await sending.server.deletes(DESK, old)

    await sending.desk.claim()
    await sending.told_in_the_end()

    gone, card = sending.cards()
    assert "This message was deleted" in gone
    assert "is with *Anna*" in card
    assert await sending.room() != old


async def test_what_has_lost_its_thread_is_said_under_a_new_card(sending):
    await sending.desk.hand_over()
    await sending.told()
    await sending.server.deletes(DESK, await sending.room())

    await sending.desk.service.add_note(sending.id, ANNA, text="She is new.", message_id="n1")
    await sending.told_in_the_end()

    (card,) = sending.cards()
    assert "is waiting for a person" in card
    assert "She is new." in (await sending.in_room())[0]


async def test_a_card_that_was_deleted_stays_so_when_nobody_waits_any_more(sending):
    await sending.desk.hand_over()
    await sending.told()
    await sending.server.deletes(DESK, await sending.room())

    await sending.desk.claim()
    await sending.desk.return_to_bot()
    await sending.told_in_the_end()

    assert sending.cards() == []
    assert await sending.waiting() == ()


async def test_a_customer_in_slack_needs_no_channel_of_the_desk(slack):
    sending = await a_sending(slack, has_desk=False)
    await sending.asks_in_slack()

    await sending.claimed()
    await sending.agent_says("Hello, Anna here.")
    await sending.told()

    assert sending.cards() == []
    assert "Hello, Anna here." in sending.with_customer()[-1]

"""Customers and agents in different places: what one writes or does is seen by the other, wherever each of them is."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.slack.actions import Action
from bot.channels.slack.modals import REPLY_BLOCK, RESOLUTION_BLOCK
from bot.core.desk import Resolution
from tests.channels.slack.cross_channel import Whole, whole_service
from tests.vendors.slack_faults import breaks
from tests.vendors.slack_server import AGENT, CUSTOMER, DESK, OTHER_AGENT
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(90)

PLEASE = "I want to talk to a person about my broken microphone, please"
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Whole]:
    async with whole_service(tmp_path) as running:
        yield running


async def test_a_customer_in_the_widget_and_an_agent_in_slack(whole: Whole):
    customer = await whole.browser()
    await customer.says(PLEASE)
    card = await whole.card()
    await whole.slack.presses(AGENT, DESK, card, Action.CLAIM)
    await whole.shows(DESK, "is with *Max Agent*")

    ts = await whole.slack.says(AGENT, DESK, "&gt;&gt; We send another", thread_ts=card)
    await customer.sees("We send another")
    await customer.says("Thank you!")
    await whole.shows(DESK, "Thank you!", thread=card)

    await whole.slack.edits(DESK, ts, "&gt;&gt; We send two")
    await customer.sees("We send two")
    await customer.misses("We send another")
    await whole.slack.deletes(DESK, ts)
    await customer.misses("We send two")
    audit = [row.what for row in await whole.candor.store.audit(customer.conversation)]
    assert audit[-2:] == ["edited", "deleted"]


async def test_what_an_agent_says_among_colleagues_never_reaches_the_widget(whole: Whole):
    customer = await whole.browser()
    await customer.says(PLEASE)
    card = await whole.card()
    await whole.slack.presses(AGENT, DESK, card, Action.CLAIM)
    await whole.shows(DESK, "is with *Max Agent*")

    await whole.slack.says(AGENT, DESK, "An old acquaintance", thread_ts=card)
    await whole.slack.says(OTHER_AGENT, DESK, "&gt;&gt; Not again", thread_ts=card)
    await whole.whispers(OTHER_AGENT, "was not sent")
    await whole.slack.says(AGENT, DESK, "&gt;&gt; Good morning", thread_ts=card)
    await customer.sees("Good morning")

    shown = " ".join(await customer.reads())
    assert "acquaintance" not in shown
    assert "again" not in shown


async def test_a_customer_in_slack_and_an_agent_in_the_console(whole: Whole):
    await whole.slack.says(CUSTOMER, CUSTOMER, PLEASE)
    direct = whole.slack.workspace.direct(CUSTOMER).id
    conversation = await whole.queued()
    lena = await whole.hire("Lena")
    assert (await lena.does(conversation, "claim")).status == 200

    said = await lena.does(conversation, "reply", text="We send another", client_message_id="r1", seen=100)
    assert said.status == 200
    await whole.shows(direct, "We send another")
    await whole.slack.says(CUSTOMER, CUSTOMER, "Thank you!")
    await lena.sees(conversation, "Thank you!")
    seen = (await whole.state(conversation)).last_seq
    assert (await lena.does(conversation, "resolve", code="answered", seen=seen)).status == 200

    await whole.shows(DESK, "is done: Question answered")


async def test_a_customer_in_slack_and_an_agent_in_slack(whole: Whole):
    await whole.slack.says(CUSTOMER, CUSTOMER, PLEASE)
    direct = whole.slack.workspace.direct(CUSTOMER).id
    card = await whole.card()
    await whole.slack.presses(AGENT, DESK, card, Action.CLAIM)
    await whole.shows(DESK, "is with *Max Agent*")
    await whole.slack.presses(AGENT, DESK, card, Action.REPLY)
    await whole.slack.submits(AGENT, **{REPLY_BLOCK: "We send another"})
    await whole.shows(direct, "We send another")
    await whole.shows(DESK, "We send another", thread=card)

    await whole.slack.presses(AGENT, DESK, card, Action.RESOLVE)
    await whole.slack.submits(AGENT, **{RESOLUTION_BLOCK: Resolution.DONE_FOR_CUSTOMER})

    await whole.shows(DESK, "is done: Done for the customer")


async def test_of_two_who_claim_at_once_in_both_places_one_wins_everywhere(whole: Whole):
    customer = await whole.browser()
    await customer.says(PLEASE)
    card, lena = await whole.card(), await whole.hire("Lena")

    in_console, _ = await asyncio.gather(
        lena.does(customer.conversation, "claim"),
        whole.slack.presses(AGENT, DESK, card, Action.CLAIM),
    )

    if in_console.status == 200:
        await whole.whispers(AGENT, "Already claimed by")
        await whole.shows(DESK, "is with *Lena*")
    else:
        assert in_console.said == "Max Agent has already claimed it."
        await whole.shows(DESK, "is with *Max Agent*")
    audit = await whole.candor.store.audit(customer.conversation)
    assert [row.what for row in audit].count("claimed") == 1


async def test_one_agent_is_the_same_in_slack_and_in_the_console(whole: Whole):
    max_ = await whole.hire("Max", email=f"{AGENT.lower()}@acme.example")
    customer = await whole.browser()
    await customer.says(PLEASE)
    await whole.slack.presses(AGENT, DESK, await whole.card(), Action.CLAIM)
    await whole.shows(DESK, "is with *Max*")

    said = await max_.does(
        customer.conversation, "reply", text="We send another", client_message_id="r1", seen=100
    )

    assert said.status == 200
    await customer.sees("We send another")


async def test_what_is_done_in_the_console_shows_on_the_card_and_the_other_way_round(whole: Whole):
    customer, lena = await whole.browser(), await whole.hire("Lena")
    await customer.says(PLEASE)
    card = await whole.card()
    assert (await lena.does(customer.conversation, "claim")).status == 200
    await whole.shows(DESK, "is with *Lena*")
    await lena.does(customer.conversation, "reply", text="Good day", client_message_id="r1", seen=100)
    await whole.shows(DESK, "Good day", thread=card)

    await lena.does(customer.conversation, "release")
    await whole.shows(DESK, "is waiting for a person again")
    await whole.slack.presses(AGENT, DESK, card, Action.CLAIM)
    await whole.shows(DESK, "is with *Max Agent*")
    await whole.slack.says(AGENT, DESK, "&gt;&gt; Me again", thread_ts=card)

    await lena.sees(customer.conversation, "Me again")
    refused = await lena.does(customer.conversation, "reply", text="No, me", client_message_id="r2", seen=100)
    assert (refused.status, refused.said.split(".")[0]) == (409, "Max Agent has this conversation now")


async def test_while_slack_is_down_for_an_hour_the_console_works_and_afterwards_slack_catches_up_in_order(
    whole: Whole,
):
    customer, lena = await whole.browser(), await whole.hire("Lena")
    whole.slack.goes_down(breaks(503))
    await customer.says(PLEASE)
    conversation = await whole.queued()
    await lena.does(conversation, "claim")
    for at in (1, 2, 3):
        text = f"Answer {at}"
        await lena.does(conversation, "reply", text=text, client_message_id=f"r{at}", seen=100)
        await customer.sees(text)
        await customer.says(f"Question {at}")
    await wait_until(lambda: len(whole.slack.calls) >= 3, deadline_s=30)
    assert whole.slack.posted(DESK) == []

    whole.clock.ahead_ms += HOUR_MS
    whole.slack.comes_back()

    (card,) = await wait_until(lambda: whole.slack.posted(DESK), deadline_s=30)

    def in_room() -> str:
        return "\n".join(whole.slack.transcript(DESK, card["ts"])[1:])

    await wait_until(lambda: "Question 3" in in_room(), deadline_s=30)
    said = [f"{what} {at}" for at in (1, 2, 3) for what in ("Answer", "Question")]
    assert [in_room().count(text) for text in said] == [1] * 6
    assert sorted(said, key=in_room().index) == said


async def test_a_claim_in_slack_ends_after_a_quarter_of_an_hour_and_a_late_reply_is_kept_and_offered(
    whole: Whole,
):
    customer = await whole.browser()
    await customer.says(PLEASE)
    card = await whole.card()
    await whole.slack.presses(AGENT, DESK, card, Action.CLAIM)
    await whole.shows(DESK, "is with *Max Agent*")
    await whole.passes(14 * MINUTE_MS)
    assert (await whole.state(customer.conversation)).agent is not None
    await whole.passes(2 * MINUTE_MS)
    await whole.shows(DESK, "is waiting for a person again")

    await whole.slack.says(AGENT, DESK, "&gt;&gt; We send another", thread_ts=card)
    await whole.whispers(AGENT, "was not sent")
    assert "We send another" not in await customer.reads()
    offer = str(whole.slack.whispered(AGENT)[-1]["ts"])
    await whole.slack.presses(AGENT, DESK, offer, Action.TAKE_OVER)

    await customer.sees("We send another")

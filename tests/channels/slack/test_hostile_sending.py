"""Whatever customers and agents write is plain text in Slack: nobody is pinged, nothing is disguised, nothing is lost (FAULTS SL11, R-S19)."""

import pytest

from bot.core.customers import Customer, Subject
from tests.channels.slack.sending_rig import DIRECT, a_sending
from tests.vendors.slack_server import DESK
from tests.vendors.slack_transcripts import pings

HOSTILE = (
    "<!channel>",
    "<@U0AGENT> look",
    "<!subteam^S1|@all>",
    "<http://evil.example|bank>",
    "[bank](http://evil.example)",
    "*bold* _it_ ~no~ `code` ```fence",
    "&lt;!here&gt; &amp;",
    "> quoted\n>>> all of it",
    "\u202eevil\u202c",
    "word " * 799,
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
async def test_what_a_customer_writes_stands_in_the_room_as_it_was_written(slack, text):
    sending = await a_sending(slack)
    await sending.claimed()

    await sending.customer_says(text)
    await sending.told()

    shown = "".join(sending.server.transcript(DESK, await sending.room()))
    assert text.strip().split()[-1] in shown
    posted = sending.server.posted(DESK, await sending.room())
    assert [ping for message in posted for ping in pings(message)] == []
    assert "bank (http" not in shown


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
async def test_what_an_agent_writes_reaches_the_customer_as_it_was_written(slack, text):
    sending = await a_sending(slack)
    await sending.asks_in_slack()
    await sending.claimed()

    await sending.agent_says(text)
    await sending.told()

    assert text.strip().split()[-1] in sending.with_customer()[-1]
    posted = sending.server.posted(DIRECT.channel)
    assert [ping for message in posted for ping in pings(message)] == []
    assert "bank (http" not in sending.with_customer()[-1]


async def test_a_name_pings_nobody_either(slack):
    sending = await a_sending(slack)
    customer = Customer(subject=Subject("s1"), name="<!channel> *Bob*")
    await sending.desk.store._customers.save_profile(sending.id, customer)

    await sending.desk.hand_over()
    await sending.told()

    assert [ping for message in sending.server.posted(DESK) for ping in pings(message)] == []
    assert "<!channel>" in sending.cards()[0]

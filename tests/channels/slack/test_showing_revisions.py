"""What is edited or deleted is so on both sides of Slack, whenever that comes to be told (FAULTS SL7)."""

import pytest

from tests.channels.slack.sending_rig import DIRECT, Sending, a_sending
from tests.service.desk_rig import ANNA
from tests.vendors.slack_faults import refuses

LATER = "1750000009.000001"


@pytest.fixture
async def sending(slack):
    made = await a_sending(slack)
    await made.asks_in_slack()
    return made


async def edited(sending: Sending, text: str | None) -> None:
    """Let Anna say something else in place of her first reply."""
    await sending.desk.service.revise(sending.id, ANNA, message_id="r1", text=text, revision=LATER)


async def deleted(sending: Sending) -> None:
    await edited(sending, None)


async def test_what_an_agent_edits_is_changed_where_it_stands(sending):
    await sending.claimed()
    await sending.agent_says("Red wine.")
    await sending.agent_says("Enjoy!", id="r2")
    await sending.told()

    await edited(sending, "White wine.")
    await sending.told()

    changed, last = sending.with_customer()[-2:]
    assert "White wine." in changed
    assert "Enjoy!" in last
    assert "Red wine." not in str(sending.server.transcript(DIRECT.channel) + await sending.in_room())


async def test_what_an_agent_deletes_is_taken_back_on_both_sides(sending):
    await sending.claimed()
    await sending.agent_says("Wrong customer, sorry.")
    await sending.told()

    await deleted(sending)
    await sending.told()

    assert "Wrong customer" not in str(sending.with_customer() + await sending.in_room())
    assert await sending.waiting() == ()


async def test_what_was_deleted_before_it_was_told_is_never_posted(sending):
    await sending.claimed()
    await sending.agent_says("Wrong customer, sorry.")

    await deleted(sending)
    await sending.told()

    assert "Wrong customer" not in str(sending.server.called("chat.postMessage"))


async def test_what_slack_does_not_let_go_says_that_it_was_deleted(sending):
    await sending.claimed()
    await sending.agent_says("Wrong customer, sorry.")
    await sending.told()
    sending.server.fails("chat.delete", refuses("cant_delete_message"))

    await deleted(sending)
    await sending.told()

    assert "deleted" in sending.with_customer()[-1]


async def test_what_the_customer_edits_goes_to_the_agents_anew(sending):
    await sending.claimed()
    await sending.customer_says("The blu one.", id="m7")
    await sending.told()

    await sending.customer_says("The blue one.", id="m7#1750000009.1", revises="m7")
    await sending.told()

    room = await sending.in_room()
    assert [line for line in room if "The blu one." in line] == []
    assert "The blue one." in room[-1]

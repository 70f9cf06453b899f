"""What is erased goes from Slack as well, as far as Slack allows; an erasure never fails because of it (FAULTS R-L17)."""

from dataclasses import replace

import pytest

from tests.channels.slack.sending_rig import DIRECT, a_sending
from tests.vendors.slack_faults import drops, hangs, refuses
from tests.vendors.slack_server import CUSTOMER


@pytest.fixture
async def sending(slack):
    made = await a_sending(slack)
    await made.asks_in_slack()
    await made.claimed()
    await made.agent_says("Hello.")
    await made.told()
    return made


async def test_every_post_of_an_erased_conversation_is_taken_back(sending):
    await sending.notifier.forget(sending.id)

    assert sending.with_customer() == []
    assert "Hello." not in str(sending.server.workspace.channels)


async def test_what_others_wrote_stays(sending):
    await sending.server.says(CUSTOMER, DIRECT.channel, "My own words")

    await sending.notifier.forget(sending.id)

    assert sending.with_customer() == ["Ana Customer: My own words"]


@pytest.mark.parametrize("fault", [refuses("token_revoked"), drops(), refuses("internal_error")])
async def test_slack_in_trouble_stops_no_erasure(sending, fault):
    sending.server.goes_down(fault)

    await sending.notifier.forget(sending.id)

    assert "Hello." in sending.with_customer()[-1]


async def test_slack_without_an_answer_holds_no_erasure_up(sending):
    hurried = replace(sending.notifier, forgetting_s=0.05)
    sending.server.goes_down(hangs())

    await hurried.forget(sending.id)

    assert "Hello." in sending.with_customer()[-1]


async def test_what_was_erased_meanwhile_is_told_to_nobody(sending):
    await sending.agent_says("One more.", id="r2")
    await sending.notifier.forget(sending.id)
    rows = await sending.waiting()

    sending.rig.store.erase(sending.id, at_ms=0)
    sending.store.forget(sending.id)
    for row in rows:
        await sending.notifier.tell(row)

    assert sending.with_customer() == []

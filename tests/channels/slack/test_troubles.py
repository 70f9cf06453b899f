"""What only an operator can mend raises an alarm with its cause; nothing is lost, the console works, and it ends by itself (FAULTS SL13, R-S18)."""

import pytest

from bot.channels.slack.health import SILENT
from bot.channels.slack.outcomes import REMEDIES, Scope
from tests.channels.slack.sending_rig import a_sending
from tests.vendors.slack_faults import drops, refuses
from tests.vendors.slack_server import DESK
from tests.vendors.slack_workspace import BOT_USER

CODES = [(scope, code) for scope, remedies in REMEDIES.items() for code in remedies]
HOUR_MS = 3_600_000


@pytest.fixture
async def sending(slack):
    return await a_sending(slack)


@pytest.mark.parametrize(("scope", "code"), CODES, ids=[code for _, code in CODES])
async def test_each_cause_is_an_alarm_keeps_what_is_to_tell_and_ends_when_mended(sending, scope, code):
    await sending.desk.hand_over()
    sending.server.goes_down(refuses(code))

    await sending.told()

    where = {Scope.WORKSPACE: "", Scope.METHOD: "chat.postMessage", Scope.CHANNEL: DESK}[scope]
    assert [(trouble.cause, trouble.where) for trouble in sending.health.troubles] == [(code, where)]
    assert len(await sending.waiting()) > 0
    sending.server.comes_back()
    await sending.told_in_the_end()
    assert len(sending.cards()) == 1
    assert sending.health.troubles == ()


async def test_readiness_is_degraded_and_says_why(sending):
    await sending.desk.hand_over()
    sending.server.workspace.channel(DESK).archived = True

    await sending.told()

    found = await sending.health.check()
    assert (found["degraded"], found["causes"]) == (True, f"is_archived ({DESK})")


async def test_the_console_claims_and_answers_all_the_same(sending):
    await sending.desk.hand_over()
    sending.server.workspace.channel(DESK).members.remove(BOT_USER)
    await sending.told()

    await sending.desk.claim()
    await sending.agent_says("From the console.")

    assert (await sending.rig.messages())[-1].text == "From the console."
    assert [trouble.cause for trouble in sending.health.troubles] == ["not_in_channel"]


async def test_trouble_in_the_desks_channel_keeps_nothing_from_a_customer_in_slack(sending):
    await sending.asks_in_slack()
    await sending.claimed()
    sending.server.workspace.channel(DESK).archived = True
    for _ in range(5):
        await sending.told()
        sending.rig.clock.advance(60_000)

    await sending.agent_says("Hello there.")
    await sending.told()

    assert "Hello there." in sending.with_customer()[-1]
    assert len(await sending.waiting()) > 0


async def test_what_was_said_while_slack_was_down_for_an_hour_is_told_in_order(sending):
    await sending.claimed()
    sending.server.goes_down(drops())
    for number in range(12):
        await sending.customer_says(f"Question {number}")
        await sending.agent_says(f"Reply {number}", id=f"r{number}")
        await sending.told()
        sending.rig.clock.advance(HOUR_MS // 12)
    assert (await sending.health.check())["causes"] == SILENT

    sending.server.comes_back()
    await sending.told_in_the_end()

    said = [line.rpartition("\n")[2] for line in await sending.in_room()]
    assert sending.health.troubles == ()
    assert said[1:] == [text for n in range(12) for text in (f"Question {n}", f"Reply {n}")]
    assert len(sending.cards()) == 1

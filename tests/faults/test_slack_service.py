"""Slack beside whole services: what comes twice, to a process that dies, or over a socket is answered once (FAULTS R-S1, R-S7, SL2)."""

import asyncio

import pytest
from pydantic import SecretStr

from bot.settings import Settings
from tests.faults.knowledge import QUESTION
from tests.faults.moments import Moment
from tests.faults.processes import Machine
from tests.vendors.slack_faults import refuses
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import APP_TOKEN, BOT_TOKEN, CUSTOMER, HELP, SlackServer
from tests.vendors.slack_transcripts import shown_text
from tests.waiting import wait_until

KILLED = -9
REST_S = 31  # after so long what a dead process kept is everybody's; a question is given up after 60
ANSWERED_WITHIN_S = 30.0
OPENING = "Support is open from 8 to 20"

pytestmark = pytest.mark.timeout(180)


def tell_of_slack(machine: Machine, slack: SlackServer, **ways_in: SecretStr) -> None:
    """Let the machine's processes speak in this Slack, and hear of it in the given way."""
    machine.settings = Settings(
        data_dir=machine.data_dir,
        slack_bot_token=SecretStr(BOT_TOKEN),
        slack_base_url=slack.api_url.rstrip("/"),
        **ways_in,
    )


async def answers(machine: Machine, slack: SlackServer, ts: str) -> list[str]:
    """Return what the bot said in the thread of a question, once there is nothing more to say."""

    def all_is_said() -> bool:
        return bool(slack.posted(HELP, ts)) and machine.kept.is_quiet(None)

    await wait_until(all_is_said, deadline_s=ANSWERED_WITHIN_S)
    return [shown_text(message) for message in slack.posted(HELP, ts)]


async def asks(slack: SlackServer) -> str:
    return await slack.says(CUSTOMER, HELP, f"{MENTION} {QUESTION}")


async def test_an_event_that_comes_four_times_to_two_services_is_answered_once(machine, slack):
    """R-S1, SL3: and a mention is two events each time."""
    tell_of_slack(machine, slack, slack_signing_secret=SecretStr(SIGNING_SECRET))
    services = [machine.start(), machine.start()]
    addresses = [await service.address() for service in services]
    slack.pushes.held = True
    ts = await asks(slack)

    deliveries = await asyncio.gather(
        *(
            slack.pushes.deliver(push, url=address)
            for push in tuple(slack.pushes.told)
            for address in (*addresses, *addresses)
        )
    )

    assert [delivery.status for delivery in deliveries] == [200] * 8
    (answer,) = await answers(machine, slack, ts)
    assert OPENING in answer


@pytest.mark.parametrize("moment", ["before receive", "after receive", "before search", "after commit_turn"])
async def test_a_question_that_was_acknowledged_outlives_its_process(machine, slack, moment):
    """R-S7, SL2: through Bolt and the customers' listener, at the steps of the conversations' store."""
    tell_of_slack(machine, slack, slack_signing_secret=SecretStr(SIGNING_SECRET))
    first = machine.start(dies_at=Moment(name=moment))
    slack.app_url = await first.address()
    ts = await asks(slack)
    assert await first.exit_code() == KILLED
    assert 200 in [push.last.status for push in slack.pushes.told]

    second = machine.start(ahead_s=REST_S)
    await second.address()

    (answer,) = await answers(machine, slack, ts)
    assert OPENING in answer


async def test_without_an_address_slack_is_heard_over_a_socket(machine, slack):
    """Socket Mode, as the settings alone choose it."""
    tell_of_slack(machine, slack, slack_app_token=SecretStr(APP_TOKEN))
    await machine.start().address()
    await wait_until(lambda: slack.sockets.open, deadline_s=ANSWERED_WITHIN_S)

    ts = await asks(slack)

    (answer,) = await answers(machine, slack, ts)
    assert OPENING in answer


async def test_a_token_that_was_revoked_is_told_by_readyz_before_anybody_writes(machine, slack, http):
    """R-S18, SL13: the widget and the console are served all the same."""
    slack.goes_down(refuses("token_revoked"))
    tell_of_slack(machine, slack, slack_signing_secret=SecretStr(SIGNING_SECRET))
    address = await machine.start().address()

    async def in_trouble() -> bool:
        async with http.get(f"{address}/readyz") as answer:
            told = (await answer.json())["checks"]["slack"]
        return answer.status == 200 and told["degraded"] and "token_revoked" in told["causes"]

    await wait_until(in_trouble, deadline_s=ANSWERED_WITHIN_S)

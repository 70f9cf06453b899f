"""Who is in the desk's channel and who somebody is, as Slack says it: all pages, and no answer is an error of ours."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.slack.calling import Calling
from bot.channels.slack.directory import Colleague, SlackDirectory
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.pacing import Pacing
from bot.errors import NotDelivered
from tests.vendors.slack_apps import web_client
from tests.vendors.slack_faults import breaks, garbles, limits, refuses
from tests.vendors.slack_server import AGENT, DESK, OTHER_AGENT, SlackServer, slack_server
from tests.vendors.slack_workspace import BOT_USER, TEAM

FAULTS = [
    pytest.param(breaks(), id="fails"),
    pytest.param(garbles(), id="answers with a page"),
    pytest.param(limits("1.5"), id="has had too much"),
    pytest.param(refuses("missing_scope"), id="does not allow it"),
]


@pytest.fixture
async def slack():
    async with slack_server() as running:
        yield running


def directory(slack: SlackServer) -> SlackDirectory:
    calling = Calling(pacing=Pacing(clock=ManualClock()), health=SlackHealth())
    return SlackDirectory(client=web_client(slack), calling=calling, channel=DESK)


async def test_the_members_of_all_pages_are_found(slack: SlackServer):
    more = [f"U1{number:04d}" for number in range(450)]
    slack.workspace.channels[DESK].members.extend(more)

    found = await directory(slack).members()

    assert found == {BOT_USER, AGENT, OTHER_AGENT, *more}
    assert len(slack.called("conversations.members")) > 1


async def test_somebody_is_found_with_name_and_address(slack: SlackServer):
    found = await directory(slack).colleague(AGENT)

    assert found == Colleague(
        user=AGENT, teams=frozenset({TEAM}), name="Max Agent", email=f"{AGENT.lower()}@acme.example"
    )


@pytest.mark.parametrize("fault", FAULTS)
async def test_when_slack_does_not_say_who_is_there_that_is_an_error(slack: SlackServer, fault):
    slack.fails("conversations.members", fault)

    with pytest.raises(NotDelivered):
        await directory(slack).members()


@pytest.mark.parametrize("fault", FAULTS)
async def test_when_slack_does_not_say_who_somebody_is_that_is_an_error(slack: SlackServer, fault):
    slack.fails("users.info", fault)

    with pytest.raises(NotDelivered):
        await directory(slack).colleague(AGENT)

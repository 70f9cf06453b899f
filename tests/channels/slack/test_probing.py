"""What Slack is asked at the start: R-S18, before a customer meets with it, and what an operator reads of it."""

import pytest
from structlog.testing import capture_logs

from bot.adapters.memory.clock import ManualClock
from bot.channels.slack.calling import Calling
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.manifest import SCOPES
from bot.channels.slack.pacing import Pacing
from bot.channels.slack.probing import SlackProbe
from bot.errors import NotDelivered
from tests.builders import NOON_MS
from tests.vendors.slack_apps import web_client
from tests.vendors.slack_faults import drops, refuses
from tests.vendors.slack_server import DESK, HELP, SlackServer
from tests.vendors.slack_workspace import BOT_USER


def a_probe(slack: SlackServer, *, channel: str | None = DESK) -> SlackProbe:
    calling = Calling(pacing=Pacing(clock=ManualClock(NOON_MS)), health=SlackHealth())
    return SlackProbe(client=web_client(slack), calling=calling, channel=channel)


async def test_a_bot_that_may_do_everything_says_who_it_is(slack):
    probe = a_probe(slack)
    slack.workspace.channel(DESK).members.append(BOT_USER)

    assert await probe.look() == {"team": "Acme", "user": "candor"}
    assert probe.calling.health.troubles == ()


@pytest.mark.parametrize("scope", sorted(SCOPES))
async def test_a_scope_that_was_not_granted_is_named_before_it_is_missed(slack, scope):
    """R-S18: whatever the first call would be that needs it."""
    slack.scopes = frozenset(SCOPES) - {scope}
    probe = a_probe(slack, channel=None)

    with pytest.raises(NotDelivered, match=f"missing_scope .*{scope}"):
        await probe.look()

    assert [trouble.cause for trouble in probe.calling.health.troubles] == ["missing_scope"]


async def test_a_channel_without_the_bot_is_an_alarm(slack):
    slack.workspace.channel(HELP).members.clear()
    probe = a_probe(slack, channel=HELP)

    with pytest.raises(NotDelivered, match="not_in_channel"):
        await probe.look()

    assert [(trouble.cause, trouble.where) for trouble in probe.calling.health.troubles] == [
        ("not_in_channel", HELP)
    ]


async def test_an_archived_channel_is_an_alarm(slack):
    slack.workspace.channel(DESK).archived = True
    probe = a_probe(slack)

    with pytest.raises(NotDelivered, match="is_archived"):
        await probe.look()


@pytest.mark.parametrize("fault", [refuses("token_revoked"), refuses("internal_error"), drops()])
async def test_a_start_goes_on_whatever_slack_says(slack, fault):
    slack.goes_down(fault)

    with capture_logs() as lines:
        await a_probe(slack).warn()

    assert "slack_not_confirmed" in [line["event"] for line in lines]

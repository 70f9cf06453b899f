"""How the local Slack server misbehaves, as slack_sdk's client sees it."""

import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from tests.vendors.slack_apps import web_client
from tests.vendors.slack_faults import breaks, drops, garbles, hangs, limits, refuses, waits_for, works
from tests.vendors.slack_server import ANYTHING, DESK, SlackServer
from tests.waiting import wait_until

METHOD = "chat.postMessage"


async def say(slack: SlackServer, text: str = "Hello") -> None:
    await web_client(slack).chat_postMessage(channel=DESK, text=text)


@pytest.mark.parametrize("code", ["token_revoked", "missing_scope", "not_in_channel", "internal_error"])
async def test_a_method_is_refused_once(slack: SlackServer, code):
    slack.fails(METHOD, refuses(code))

    with pytest.raises(SlackApiError, match=code):
        await say(slack)
    await say(slack)

    assert len(slack.posted(DESK)) == 1


@pytest.mark.parametrize("retry_after", ["30", "1.5", "86400", None])
async def test_too_many_calls_are_told_with_any_time_to_wait(slack: SlackServer, retry_after):
    slack.fails(METHOD, limits(retry_after))

    with pytest.raises(SlackApiError) as refused:
        await say(slack)

    response = refused.value.response
    assert (response.status_code, response.headers.get("Retry-After")) == (429, retry_after)


@pytest.mark.parametrize(
    ("after", "stands"), [pytest.param(False, 0, id="before"), pytest.param(True, 1, id="after")]
)
async def test_the_connection_drops_before_or_after_the_effect(slack: SlackServer, after, stands):
    slack.fails(METHOD, drops(after=after))

    with pytest.raises(aiohttp.ClientError):
        await say(slack)

    assert len(slack.posted(DESK)) == stands


@pytest.mark.parametrize(
    ("after", "stands"), [pytest.param(False, 0, id="before"), pytest.param(True, 1, id="after")]
)
async def test_no_answer_comes_before_or_after_the_effect(slack: SlackServer, after, stands):
    slack.fails(METHOD, hangs(after=after))
    asked = asyncio.create_task(say(slack))
    await wait_until(lambda: slack.calls)
    asked.cancel()

    assert len(slack.posted(DESK)) == stands
    with pytest.raises(asyncio.CancelledError):
        await asked


@pytest.mark.parametrize("fault", [breaks(), garbles()], ids=["500", "no JSON"])
async def test_the_server_breaks(slack: SlackServer, fault):
    slack.fails(METHOD, fault)

    with pytest.raises(SlackApiError):
        await say(slack)


async def test_an_answer_that_is_no_json_may_follow_an_effect(slack: SlackServer):
    slack.fails(METHOD, garbles(after=True))

    with pytest.raises(SlackApiError):
        await say(slack)

    assert len(slack.posted(DESK)) == 1


async def test_a_slow_call_is_done_when_the_test_says_so(slack: SlackServer):
    moment = asyncio.Event()
    slack.fails(METHOD, waits_for(moment))
    asked = asyncio.create_task(say(slack))
    await wait_until(lambda: slack.calls)
    assert slack.posted(DESK) == []

    moment.set()
    await asked

    assert len(slack.posted(DESK)) == 1


async def test_faults_come_in_order_and_may_let_a_call_through(slack: SlackServer):
    slack.fails(ANYTHING, works(), refuses("ratelimited"))
    await say(slack, "one")

    with pytest.raises(SlackApiError, match="ratelimited"):
        await say(slack, "two")
    await say(slack, "three")

    assert [message["text"] for message in slack.posted(DESK)] == ["one", "three"]


async def test_slack_is_down_until_it_comes_back(slack: SlackServer):
    slack.goes_down(drops())
    for _ in range(2):
        with pytest.raises(aiohttp.ClientError):
            await say(slack)

    slack.comes_back()
    await say(slack)

    assert len(slack.called(METHOD)) == 3
    assert len(slack.posted(DESK)) == 1

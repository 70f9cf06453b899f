"""Socket Mode of the local Slack server, with Bolt's own handler and slack_sdk's client on the other side."""

from functools import partial

from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from tests.vendors.slack_apps import bolt_app, connected, web_client
from tests.vendors.slack_blocks import a_button, actions
from tests.vendors.slack_server import AGENT, APP_TOKEN, CUSTOMER, DESK, HELP, SlackServer
from tests.waiting import wait_until


def keeping(app: AsyncApp) -> list[str]:
    """Let *app* keep the text of every message."""
    kept: list[str] = []

    @app.event("message")
    async def keep(event):
        kept.append(event["text"])

    return kept


async def test_an_event_comes_over_the_socket_and_is_acknowledged(slack: SlackServer):
    kept = keeping(app := bolt_app(slack))
    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        await slack.says(CUSTOMER, HELP, "Hello")

    assert (kept, slack.pushes.told[0].last.status) == (["Hello"], 200)


async def test_a_press_comes_over_the_socket_and_its_answer_back(slack: SlackServer):
    app = bolt_app(slack)

    @app.action("claim")
    async def claim(ack):
        await ack({"text": "claimed"})

    card = await web_client(slack).chat_postMessage(channel=DESK, text="A card", blocks=[actions(a_button())])
    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        delivery = await slack.presses(AGENT, DESK, card["ts"], "claim")

    assert delivery.answer == {"text": "claimed"}


async def test_a_listener_that_raises_acknowledges_nothing_and_is_told_again(slack: SlackServer):
    app, attempts = bolt_app(slack), []
    slack.sockets.ack_s = 0.2

    @app.event("message")
    async def fail_once(request):
        attempts.append(request.headers.get("x-slack-retry-num", [""])[0])
        if len(attempts) == 1:
            raise RuntimeError("not yet")

    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        await slack.says(CUSTOMER, HELP, "Hello")
        await slack.pushes.retries()

    assert attempts[0] in {"", "0"}
    assert attempts[1] == "1"
    assert [delivery.status for delivery in slack.pushes.told[0].deliveries] == [0, 200]


async def test_a_refresh_brings_a_new_socket(slack: SlackServer):
    async with connected(slack, bolt_app(slack)):
        await wait_until(lambda: slack.sockets.open)
        await slack.sockets.disconnect("refresh_requested")
        await wait_until(lambda: slack.sockets.accepted == 2 and len(slack.sockets.open) == 1)


async def test_a_cut_connection_comes_back(slack: SlackServer):
    kept = keeping(app := bolt_app(slack))
    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        slack.sockets.cut()
        await wait_until(lambda: slack.sockets.accepted == 2 and len(slack.sockets.open) == 1)
        await slack.says(CUSTOMER, HELP, "Hello")

    assert kept == ["Hello"]


async def test_beyond_the_limit_a_socket_is_told_so(slack: SlackServer):
    slack.sockets.most = 0
    told: list[object] = []

    async def keep(_client, message, _raw):
        told.append(message)

    client = SocketModeClient(
        APP_TOKEN, web_client=web_client(slack, APP_TOKEN), auto_reconnect_enabled=False
    )
    client.message_listeners.append(keep)
    client.connect_to_new_endpoint = stay  # type: ignore[method-assign]  # one connection is enough here
    await client.connect()
    await wait_until(lambda: told)
    await client.close()


async def stay(*_args: object, **_more: object) -> None:
    """Open no other connection."""


async def test_a_frozen_server_takes_nothing_until_it_thaws(slack: SlackServer):
    kept = keeping(app := bolt_app(slack))
    slack.sockets.ack_s = 0.05
    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        slack.sockets.frozen = True
        await slack.says(CUSTOMER, HELP, "Hello")
        assert slack.pushes.told[0].last.status == 0
        await wait_until(lambda: slack.sockets.accepted > 1)  # the client heard no pong and tried again

        slack.sockets.frozen = False
        await wait_until(partial(told_again, slack))

    assert kept == ["Hello"]


async def test_a_half_open_socket_is_silent_while_a_new_one_works(slack: SlackServer):
    kept = keeping(app := bolt_app(slack))
    slack.sockets.ack_s = 0.05
    async with connected(slack, app):
        await wait_until(lambda: slack.sockets.open)
        slack.sockets.lose()
        await slack.says(CUSTOMER, HELP, "Hello")
        assert kept == []
        async with connected(slack, app):
            await wait_until(partial(told_again, slack))

    assert kept == ["Hello"]


async def told_again(slack: SlackServer) -> bool:
    """Tell the first event once more, over whatever socket is there; was it taken?"""
    if not slack.sockets.open:
        return False
    return (await slack.pushes.deliver(slack.pushes.told[0], retry=1)).taken

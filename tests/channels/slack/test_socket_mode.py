"""Socket Mode against a local Slack: kept before it is acknowledged, and alive again whatever became of the socket (FAULTS R-S17)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.system_clock import SystemClock
from bot.channels.slack.health import SlackHealth, SocketState
from bot.channels.slack.socket_frames import Envelope, Hello, Leave, to_said
from bot.channels.slack.socket_mode import SlackSocket
from bot.channels.slack.socket_supervisor import SocketSupervisor, Timing
from bot.errors import InputRejected, StoreUnavailable
from tests.vendors.slack_faults import refuses
from tests.vendors.slack_server import APP_TOKEN, CUSTOMER, SlackServer, slack_server
from tests.waiting import wait_until

# Forty times as fast as usual.
FAST = Timing(
    ping_s=0.25, rebuilt_after_s=1.5, deaf_after_s=2.0, looks_every_s=0.025, try_s=2.0,
    pause_s=0.125, longest_pause_s=0.375, steady_after_s=0.75, late_s=5.0,
)  # fmt: skip


class App:
    """What takes the payloads in; set `failing` to have it refuse them."""

    def __init__(self, slack: SlackServer) -> None:
        self.slack = slack
        self.health = SlackHealth()
        self.taken: list[object] = []
        self.failing: Exception | None = None

    async def take(self, payload):
        if self.failing:
            raise self.failing
        self.taken.append(payload.get("event_id"))

    def opened(self) -> SlackSocket:
        client = AsyncWebClient(base_url=self.slack.api_url, retry_handlers=[])
        return SlackSocket(app_token=APP_TOKEN, web_client=client, take=self.take, ping_s=FAST.ping_s)

    async def hears(self):
        """Wait until the socket is open and Slack's words arrive."""
        await wait_until(lambda: self.health.socket is SocketState.OPEN and self.slack.sockets.open)

    async def is_told(self):
        """Let a customer write, and return what came of telling it."""
        await self.slack.says(CUSTOMER, self.slack.workspace.direct(CUSTOMER).id, "Hello")
        return self.slack.pushes.told[-1]


@asynccontextmanager
async def an_app(slack: SlackServer) -> AsyncIterator[App]:
    app = App(slack)
    supervisor = SocketSupervisor(
        opened=app.opened, health=app.health, clock=SystemClock(), jitter=lambda: 1.0, timing=FAST
    )
    running = asyncio.create_task(supervisor.run_forever())
    try:
        yield app
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with slack_server() as slack, an_app(slack) as app:
        slack.sockets.ack_s = 0.5
        await app.hears()
        yield app


async def test_what_is_said_is_kept_and_acknowledged(app):
    push = await app.is_told()

    assert push.last.taken
    assert app.taken == [push.body["event_id"]]


async def test_what_could_not_be_kept_is_not_acknowledged_and_comes_again(app):
    app.failing = StoreUnavailable("down")
    push = await app.is_told()
    assert not push.last.taken

    app.failing = None
    await app.slack.pushes.retries()

    assert push.last.taken
    assert app.taken == [push.body["event_id"]]


async def test_nonsense_is_acknowledged_because_it_would_come_again_as_nonsense(app):
    app.failing = InputRejected("body", "lacks the ids", "send them")

    push = await app.is_told()

    assert push.last.taken


@pytest.mark.parametrize("reason", ["warning", "refresh_requested", "link_disabled"])
async def test_a_socket_that_slack_ends_is_replaced(app, reason):
    await app.slack.sockets.disconnect(reason)

    await wait_until(lambda: app.slack.sockets.accepted > 1)
    await app.hears()
    await wait_until(lambda: len(app.slack.sockets.open) == 1)
    assert (await app.is_told()).last.taken


async def cut(slack):
    slack.sockets.cut()


async def close(slack):
    await slack.sockets.close()


async def lose(slack):
    slack.sockets.lose()


@pytest.mark.parametrize("fault", [cut, close, lose], ids=lambda fault: fault.__name__)
async def test_a_socket_that_is_gone_is_replaced(app, fault):
    await fault(app.slack)

    await wait_until(lambda: app.slack.sockets.accepted > 1)
    await wait_until(lambda: len(app.slack.sockets.open) == 1)
    await app.hears()
    assert (await app.is_told()).last.taken


async def test_a_peer_that_is_gone_holds_no_stop_up(app):
    """The client by itself would wait ten seconds for its goodbye."""
    app.slack.sockets.lose()
    socket = app.opened()

    async with asyncio.timeout(8):
        await socket.connect()
        app.slack.sockets.lose()
        await socket.close()


async def test_a_frozen_slack_is_an_alarm_and_heard_again_once_it_thaws(app):
    app.slack.sockets.frozen = True
    await wait_until(lambda: app.health.socket is SocketState.DEAF)
    assert (await app.health.check())["degraded"]

    app.slack.sockets.frozen = False

    await app.hears()
    await wait_until(lambda: len(app.slack.sockets.open) == 1)
    assert (await app.is_told()).last.taken
    assert not (await app.health.check())["degraded"]


async def test_one_socket_too_many_tries_again_until_there_is_room(app):
    app.slack.sockets.most = 0
    await app.slack.sockets.disconnect("too_many_websockets")
    await wait_until(lambda: app.health.socket is SocketState.DEAF)

    app.slack.sockets.most = 10

    await app.hears()
    assert not (await app.health.check())["degraded"]


async def test_a_token_that_is_refused_is_an_alarm():
    async with slack_server() as slack:
        slack.goes_down(refuses("invalid_auth"))
        async with an_app(slack) as app:
            await wait_until(lambda: app.health.socket is SocketState.DEAF)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"type": "hello", "num_connections": 1}', Hello()),
        ('{"type": "disconnect", "reason": "warning"}', Leave(reason="warning")),
        ('{"type": "disconnect"}', Leave(reason="")),
        (
            '{"type": "events_api", "envelope_id": "e1", "payload": {"a": 1}}',
            Envelope(id="e1", payload={"a": 1}),
        ),
        ('{"type": "events_api", "envelope_id": 1, "payload": {}}', None),
        ('{"type": "events_api", "envelope_id": "e1", "payload": []}', None),
        ('{"type": "events_api", "envelope_id": "e1"}', None),
        ("[]", None),
        ("{", None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_a_frame_is_read_or_left_alone(text, said):
    assert to_said(text) == said

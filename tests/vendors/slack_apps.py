"""A small app of slack_bolt for the tests of the Slack server: over HTTP as Bolt verifies it, or over Bolt's own Socket Mode."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import APP_TOKEN, BOT_TOKEN, SlackServer


def web_client(slack: SlackServer, token: str = BOT_TOKEN) -> AsyncWebClient:
    """Return the SDK's client of *slack*, which sends nothing twice."""
    return AsyncWebClient(token=token, base_url=slack.api_url, retry_handlers=[], timeout=5)


def bolt_app(slack: SlackServer) -> AsyncApp:
    """Return an app that answers an event when its listener is done."""
    return AsyncApp(client=web_client(slack), signing_secret=SIGNING_SECRET, process_before_response=True)


@asynccontextmanager
async def listening(slack: SlackServer, app: AsyncApp) -> AsyncIterator[str]:
    """Let *app* listen on a free port, and tell *slack* where."""

    async def dispatch(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    server = web.Application()
    server.add_routes([web.post("/slack/events", dispatch), web.post("/slack/actions", dispatch)])
    runner = web.AppRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    slack.app_url = f"http://{host}:{port}"
    try:
        yield slack.app_url
    finally:
        await slack.pushes.settled()
        slack.app_url = ""
        await runner.cleanup()


@asynccontextmanager
async def connected(slack: SlackServer, app: AsyncApp) -> AsyncIterator[AsyncSocketModeHandler]:
    """Let *app* open a socket."""
    handler = AsyncSocketModeHandler(app, APP_TOKEN, web_client=web_client(slack), ping_interval=0.05)
    await handler.connect_async()
    try:
        yield handler
    finally:
        await handler.close_async()

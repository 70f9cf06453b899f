"""What the vendors' local servers share: a list of replies, the last one again and again, and replies that any server may give."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Body = dict[str, Any]
Reply = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]

RELEASED: web.AppKey[asyncio.Event] = web.AppKey("released", asyncio.Event)


@dataclass(slots=True, kw_only=True)
class LocalServer:
    """A running server. Set `replies`; read `headers`."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    async def replied(self, request: web.Request, body: Body) -> web.StreamResponse:
        """Keep the headers and play the next reply."""
        self.headers.append(request.headers.copy())
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return await reply(request, body)


@asynccontextmanager
async def serving(server: LocalServer, routes: Iterable[web.RouteDef]) -> AsyncIterator[None]:
    """Serve *routes* on a free port of this machine; what hangs is let go in the end."""
    app = web.Application(client_max_size=10_000_000)
    released = app[RELEASED] = asyncio.Event()
    app.add_routes(routes)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}"
    try:
        yield
    finally:
        released.set()
        await runner.cleanup()


def refusal(status: int, body: Mapping[str, object], retry_after: str | None) -> Reply:
    """Fail with *status* and what a vendor says of it."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        headers = {} if retry_after is None else {"retry-after": retry_after}
        return web.json_response(body, status=status, headers=headers)

    return reply


def sends(body: str, content_type: str = "text/html", *, status: int = 200) -> Reply:
    """Answer with something that is no answer."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(text=body, content_type=content_type, status=status)

    return reply


def hangs() -> Reply:
    """Accept the request and say nothing."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        await request.app[RELEASED].wait()
        return web.Response(status=503)

    return reply


def resets() -> Reply:
    """Drop the connection without an answer."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        drop(request)
        return web.Response()

    return reply


def drop(request: web.Request) -> None:
    """Drop the connection of *request*."""
    assert request.transport is not None
    request.transport.abort()

"""A local server in the place of an integrator's: it keeps what it is sent, whose signature it verifies, and answers as it is told."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from aiohttp import web

from tests.vendors.local_server import RELEASED, Body, LocalServer, Reply, serving

SECRET = "a secret that both sides know, and nobody else"  # noqa: S105 - a test's own


@dataclass(slots=True, kw_only=True)
class WebhookReceiver(LocalServer):
    """The running server. Set `replies`; read `bodies`, `headers` and `redirected`."""

    bodies: list[Body] = field(default_factory=list)
    redirected: int = 0

    async def receive(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        if not is_signed(request.headers, raw):
            return web.Response(status=401)
        body: Body = await request.json()
        self.bodies.append(body)
        return await self.replied(request, body)

    async def elsewhere(self, request: web.Request) -> web.StreamResponse:
        self.redirected += 1
        return web.Response()

    @property
    def deliveries(self) -> list[str]:
        """What arrived, by delivery id."""
        return [headers["X-Candor-Delivery"] for headers in self.headers]


@asynccontextmanager
async def webhook_receiver(*replies: Reply) -> AsyncIterator[WebhookReceiver]:
    """Serve *replies* on a free port of this machine; takes everything unless it is told otherwise."""
    server = WebhookReceiver(replies=list(replies) or [takes()])
    routes = [web.post("/hook", server.receive), web.route("*", "/elsewhere", server.elsewhere)]
    async with serving(server, routes):
        yield server


def is_signed(headers: Mapping[str, str], raw: bytes) -> bool:
    """Verify as the documentation tells integrators to."""
    signed = headers["X-Candor-Timestamp"].encode() + b"." + raw
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers["X-Candor-Signature"], f"sha256={expected}")


def takes(status: int = 204) -> Reply:
    """Take the delivery."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(status=status)

    return reply


def redirects() -> Reply:
    """Point to another address of this server."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(status=308, headers={"Location": "/elsewhere"})

    return reply


def floods() -> Reply:
    """Take the delivery, and answer with ten megabytes."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        answer = web.StreamResponse()
        with suppress(ConnectionError):  # nobody reads it
            await answer.prepare(request)
            for _ in range(160):
                await answer.write(bytes(65_536))
        return answer

    return reply


def drips_headers() -> Reply:
    """Send the head of an answer that never ends, a line at a time."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        released = request.app[RELEASED]
        assert request.transport is not None
        request.transport.write(b"HTTP/1.1 200 OK\r\n")
        while not released.is_set() and not request.transport.is_closing():
            request.transport.write(b"X-Slow: 1\r\n")
            with suppress(TimeoutError):
                await asyncio.wait_for(released.wait(), 0.01)
        return web.Response()

    return reply

"""A dead-man's switch on this machine: it keeps what it is told, and answers as a test says."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from kb_sync.pings import Pings, opened_pings
from tests.vendors.local_server import LocalServer, Reply, sends, serving

PATH = "/0f5a"


@dataclass(slots=True, kw_only=True)
class Switch(LocalServer):
    """The running server. `heard` is what it was told, `told` what was said about it."""

    heard: list[tuple[str, str, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    async def hear(self, request: web.Request) -> web.StreamResponse:
        self.heard.append((request.method, request.path_qs, await request.text()))
        return await self.replied(request, {})


@asynccontextmanager
async def switched(*replies: Reply) -> AsyncIterator[tuple[Switch, Pings]]:
    """Serve *replies*, and open what pings them."""
    switch = Switch(replies=list(replies) or [sends("OK")])
    async with (
        serving(switch, [web.route("*", "/{path:.*}", switch.hear)]),
        opened_pings(f"{switch.url}{PATH}", switch.told.append, deadline_s=0.2) as pings,
    ):
        yield switch, pings

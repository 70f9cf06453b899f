"""Serves the document. It says nothing of this very server, so everybody may read it."""

import json
from dataclasses import dataclass
from functools import cache

from aiohttp import web

from bot.channels.openapi import console, content, desk, keeping, pages, widget
from bot.channels.openapi.document import document

OPERATIONS = (
    *widget.OPERATIONS,
    *keeping.OPERATIONS,
    *console.OPERATIONS,
    *desk.OPERATIONS,
    *content.OPERATIONS,
    *pages.OPERATIONS,
)
VERSION = "1.0"  # of the interface, whose routes have /v1/ in their addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenApi:
    """The channel of the document."""

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/openapi.json", self.read)]

    async def read(self, _request: web.Request) -> web.Response:
        headers = {"Cache-Control": "no-cache"}
        return web.Response(body=_written(), content_type="application/json", headers=headers)


@cache
def _written() -> bytes:
    """Put the document together when it is first asked for, so that no start waits for it."""
    return json.dumps(document(OPERATIONS, version=VERSION)).encode()

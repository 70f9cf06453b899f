"""A local website that plays a reply for each path, or one after the other, the last one again and again; 404 for any other path.

Replies are made by the functions below and by those of local_server: `page(…)` is a page of HTML, `leads_to(…)` a redirect, and so on.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.vendors.local_server import LocalServer, Reply, drop, serving


@dataclass(slots=True, kw_only=True)
class WebsiteServer(LocalServer):
    """The running site. Set `pages`; read `requests`, `headers` and the most requests at once, `busiest`."""

    pages: dict[str, Reply | Sequence[Reply]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    busiest: int = 0
    busy: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request.path_qs)
        self.headers.append(request.headers.copy())
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            return await self._reply(request.path_qs)(request, {})
        finally:
            self.busy -= 1

    def _reply(self, path: str) -> Reply:
        replies = self.pages.get(path, gives("nothing here", status=404))
        if callable(replies):
            return replies
        return replies[min(self.requests.count(path), len(replies)) - 1]


@asynccontextmanager
async def website_server(
    pages: Mapping[str, Reply | Sequence[Reply]] | None = None,
) -> AsyncIterator[WebsiteServer]:
    """Serve *pages* on a free port of this machine."""
    server = WebsiteServer(pages=dict(pages or {}))
    async with serving(server, [web.get("/{path:.*}", server.answer)]):
        yield server


def gives(
    body: str | bytes,
    content_type: str = "text/html; charset=utf-8",
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """Answer with *body*."""

    async def reply(_request: web.Request, _body: object) -> web.StreamResponse:
        data = body if isinstance(body, bytes) else body.encode()
        return web.Response(
            body=data, status=status, headers={"Content-Type": content_type} | dict(headers or {})
        )

    return reply


def page(main: str, *, title: str = "A page", head: str = "", lang: str = 'lang="en"') -> Reply:
    """Answer with a page that has a menu above its *main* text and small print below it."""
    return gives(
        f"<!doctype html><html {lang}><head><title>{title}</title>{head}</head><body>"
        '<nav><a href="/">Home</a> <a href="/help">Help</a></nav>'
        f"<main>{main}</main><footer>© Example, all rights reserved</footer></body></html>"
    )


def leads_to(location: str, status: int = 301) -> Reply:
    """Answer with a redirect."""
    return gives("", status=status, headers={"Location": location})


def breaks_off() -> Reply:
    """Send half of an answer and drop the connection."""

    async def reply(request: web.Request, _body: object) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        response.content_length = 1_000
        await response.prepare(request)
        await response.write(b"<html><body><main><p>Half of")
        drop(request)
        return response

    return reply


def waits_for(others: asyncio.Barrier, reply: Reply) -> Reply:
    """Answer with *reply* when as many requests wait as *others* has parties."""

    async def waiting(request: web.Request, body: dict[str, object]) -> web.StreamResponse:
        await others.wait()
        return await reply(request, body)

    return waiting


def sitemap(*addresses: str, further: Sequence[str] = ()) -> str:
    """Return a sitemap that lists *addresses*, each as `address` or `address lastmod`, or *further* sitemaps."""
    entries = "".join(_entry("url", *address.split()) for address in addresses)
    if not further:
        return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    maps = "".join(_entry("sitemap", address) for address in further)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{maps}</sitemapindex>'


def _entry(kind: str, address: str, lastmod: str = "") -> str:
    return f"<{kind}><loc>{address}</loc>{f'<lastmod>{lastmod}</lastmod>' if lastmod else ''}</{kind}>"

"""The pages and files of the widget, with the policies that confine them."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aiohttp import web

from bot.channels.policies import page_policy, with_socket
from bot.channels.proxies import Proxies
from bot.channels.static_files import SHARED, StaticFiles, files_of
from bot.channels.widget.demo import DemoSignIn
from bot.channels.widget.entrance import Entrance

FOLDER = Path(__file__).parent / "static"
DEMO = "demo/index.html"
SIGN_IN = re.compile(rb"<!-- sign in -->.*?<!-- /sign in -->\s*", re.DOTALL)
LOADER_CACHE = "public, max-age=300"  # its address never changes, so that an embedding page need not either


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Serves the loader, the frame and the demo page, which offers to sign in where there is somebody to sign in."""

    origins: frozenset[str]
    proxies: Proxies
    sign_in: DemoSignIn | None = None

    @property
    def files(self) -> StaticFiles:
        """Return what is served."""
        return _files(offers_sign_in=self.sign_in is not None)

    def routes(self) -> list[web.RouteDef]:
        return [
            *self._sign_in_routes(),
            web.get("/", self.demo),
            web.get("/widget.js", self.loader),
            web.get("/widget/frame", self.frame),
            web.get("/widget/static/{release}/{name:.+}", self.file),
        ]

    def _sign_in_routes(self) -> list[web.RouteDef]:
        """Return none without a customer; sites that embed the widget have customers of their own."""
        if self.sign_in is None:
            return []
        own_page = Entrance(proxies=self.proxies)
        return [web.post("/demo/identity", own_page.own(self.sign_in.answer))]

    async def demo(self, request: web.Request) -> web.Response:
        response = self.files.respond(request, DEMO)
        response.headers["Content-Security-Policy"] = page_policy(frame="'self'")
        return response

    async def loader(self, request: web.Request) -> web.Response:
        response = self.files.respond(request, "widget.js", cached=LOADER_CACHE)
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    async def frame(self, request: web.Request) -> web.Response:
        """The widget itself; only listed sites and our own pages may show it."""
        response = self.files.respond(request, "frame.html")
        ancestors = " ".join(["'self'", *sorted(self.origins)])
        response.headers["Content-Security-Policy"] = page_policy(
            connect=with_socket(self.proxies.own_origin(request)), ancestors=ancestors
        )
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    async def file(self, request: web.Request) -> web.Response:
        caching = self.files.caching_for(request.match_info["release"])
        return self.files.respond(request, request.match_info["name"], cached=caching)


@cache
def _files(*, offers_sign_in: bool) -> StaticFiles:
    every = files_of(SHARED, FOLDER)
    return every if offers_sign_in else every.without(DEMO, SIGN_IN)

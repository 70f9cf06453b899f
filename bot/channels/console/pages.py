"""The pages and files of the console, with the policy that confines them (FAULTS W15)."""

from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from bot.channels.policies import page_policy, with_socket
from bot.channels.proxies import Proxies
from bot.channels.static_files import SHARED, StaticFiles, files_of

FOLDER = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Serves the console and the page on which an invitation is used; what they show, they ask for with a session."""

    proxies: Proxies
    files: StaticFiles = field(default_factory=lambda: files_of(SHARED, FOLDER))

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/console", self.console),
            web.get("/console/content", self.console),  # the page goes on to its view of the content
            web.get("/console/join", self.join),
            web.get("/console/static/{release}/{name:.+}", self.file),
        ]

    async def console(self, request: web.Request) -> web.Response:
        return self._page(request, "console.html")

    async def join(self, request: web.Request) -> web.Response:
        return self._page(request, "join.html")

    async def file(self, request: web.Request) -> web.Response:
        caching = self.files.caching_for(request.match_info["release"])
        return self.files.respond(request, request.match_info["name"], cached=caching)

    def _page(self, request: web.Request, name: str) -> web.Response:
        response = self.files.respond(request, name)
        connect = with_socket(self.proxies.own_origin(request))
        response.headers["Content-Security-Policy"] = page_policy(connect=connect)
        return response

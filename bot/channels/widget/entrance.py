"""Which sites may call the widget's routes: listed ones and our own, and for what only reads also whoever names none."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.channels.problems import ProblemJson
from bot.channels.proxies import Proxies
from bot.channels.widget.origins import is_allowed

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Looks at the Origin before a handler runs. `origins` are the sites that may embed the widget."""

    origins: frozenset[str] = frozenset()
    proxies: Proxies = field(default_factory=Proxies)

    def own(self, handler: Handler) -> Handler:
        """Serve *handler* to allowed origins only."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            self._require_origin(request)
            return await handler(request)

        return guarded

    def reading(self, handler: Handler) -> Handler:
        """Do the same for what only reads: browsers leave the origin out of a page's own GET."""

        async def guarded(request: web.Request) -> web.StreamResponse:
            if "Origin" in request.headers:
                self._require_origin(request)
            return await handler(request)

        return guarded

    def _require_origin(self, request: web.Request) -> None:
        own = self.proxies.own_origin(request)
        if not is_allowed(request.headers.get("Origin"), own=own, listed=self.origins):
            raise ProblemJson(403, "origin_refused", "This site may not use the widget.")

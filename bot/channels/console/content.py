"""The content team's page below /console/v1/content: every role reads it, content people and admins decide."""

from dataclasses import dataclass

from aiohttp import web

from bot.channels.console.content_library import ContentLibrary
from bot.channels.console.content_traffic import ContentTraffic
from bot.channels.console.guard import Guard
from bot.channels.console.showing import Showing
from bot.service.content import Content
from bot.service.gaps import Gaps
from bot.service.supposing import Supposing
from bot.service.trying import Trying


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentServices:
    """What the page shows and does."""

    content: Content
    gaps: Gaps
    trying: Trying
    supposing: Supposing


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPage:
    """All routes of the page."""

    services: ContentServices
    guard: Guard
    showing: Showing

    def routes(self) -> list[web.RouteDef]:
        services = self.services
        return [
            *ContentLibrary(content=services.content, guard=self.guard, showing=self.showing).routes(),
            *ContentTraffic(
                gaps=services.gaps,
                trying=services.trying,
                supposing=services.supposing,
                guard=self.guard,
                showing=self.showing,
            ).routes(),
        ]

"""Builds the web application: the widget's channel, the article pages, and health."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prompt_files import Language
from bot.channels.articles.routes import Articles
from bot.channels.health import Check, Health
from bot.channels.open_sockets import SocketObserver
from bot.channels.proxies import Proxies
from bot.channels.rendering import forget_rendered
from bot.channels.slack.routes import SlackDoor
from bot.channels.web import web_application
from bot.console_wiring import ConsoleParts, console_of
from bot.desk_wiring import Desk
from bot.service.arrivals import Arrivals
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.stores import Stores
from bot.turn_wiring import Parts
from bot.widget_wiring import WidgetParts, widget_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """What the channels show and do."""

    parts: Parts
    arrivals: Arrivals
    stores: Stores
    agents: DeskService
    desk: Desk
    spoken: Language
    checks: Mapping[str, Check]
    metrics: Callable[[], bytes]
    refresh: Callable[[], Awaitable[None]]
    sockets: SocketObserver
    slack: SlackDoor | None = None


def web_of(settings: Settings, parts: WebParts) -> web.Application:
    """Return the application that `serve` runs."""
    proxies = Proxies(networks=settings.trusted_proxies)
    parts.agents.live.when_erased(forget_rendered)
    return web_application(
        widget=widget_of(settings, _widget_parts(parts), proxies),
        articles=Articles(read=parts.parts.index.article),
        console=console_of(settings, _console_parts(parts)),
        health=Health(checks=parts.checks, metrics=parts.metrics, refresh=parts.refresh),
        slack=parts.slack,
    )


def _console_parts(parts: WebParts) -> ConsoleParts:
    return ConsoleParts(
        agents=parts.agents,
        desk=parts.desk,
        spoken=parts.spoken,
        parts=parts.parts,
        traffic=parts.stores.traffic,
        sockets=parts.sockets,
    )


def _widget_parts(parts: WebParts) -> WidgetParts:
    return WidgetParts(
        parts=parts.parts,
        arrivals=parts.arrivals,
        stores=parts.stores,
        desk=parts.desk,
        spoken=parts.spoken,
        sockets=parts.sockets,
    )

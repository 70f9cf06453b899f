"""Builds the web application: the widget's channel, the article pages, and health."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prompt_files import Language
from bot.adapters.secret_file import kept_secret
from bot.channels.articles.routes import Articles
from bot.channels.health import Check, Health
from bot.channels.open_sockets import LOCAL_FACTOR, OpenSockets, SocketObserver
from bot.channels.proxies import Proxies
from bot.channels.web import web_application
from bot.channels.widget.access import Access
from bot.channels.widget.identities import IdentityTokens
from bot.channels.widget.routes import Widget
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.console_wiring import console_of
from bot.desk_wiring import Desk
from bot.service.arrivals import Arrivals
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.turn_wiring import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """What the channels show and do."""

    parts: Parts
    arrivals: Arrivals
    agents: DeskService
    desk: Desk
    spoken: Language
    checks: Mapping[str, Check]
    metrics: Callable[[], bytes]
    refresh: Callable[[], Awaitable[None]]
    sockets: SocketObserver


def web_of(settings: Settings, parts: WebParts) -> web.Application:
    """Return the application that `serve` runs."""
    proxies = Proxies(networks=settings.trusted_proxies)
    return web_application(
        widget=_widget(settings, parts, proxies),
        articles=Articles(read=parts.parts.index.article),
        console=console_of(settings, parts.agents, parts.desk, parts.spoken, parts.parts, parts.sockets),
        health=Health(checks=parts.checks, metrics=parts.metrics, refresh=parts.refresh),
    )


def _widget(settings: Settings, parts: WebParts, proxies: Proxies) -> Widget:
    clock, desk = parts.parts.clock, parts.agents.desk
    return Widget(
        customers=parts.arrivals.customers,
        access=Access(
            tokens=SessionTokens((_signing_key(settings),), clock=clock, audience=settings.site),
            arrivals=parts.arrivals,
        ),
        identities=IdentityTokens(_identity_keys(settings), clock=clock, audience=settings.site),
        throttle=_throttle(settings, parts.sockets),
        origins=frozenset(settings.widget_origins),
        proxies=proxies,
        standings=Standings(
            wait_of=parts.desk.waiting.of,
            names=parts.desk.names,
            read_marks=desk.read_marks,
        ),
    )


def _throttle(settings: Settings, observer: SocketObserver) -> Throttle:
    sessions = settings.widget_conversations_per_address
    return Throttle(
        sessions=f"{sessions}/12 hours",
        local_sessions=f"{sessions * LOCAL_FACTOR}/12 hours",
        places=OpenSockets(
            channel="widget",
            per_address=settings.widget_sockets_per_address,
            per_holder=settings.widget_sockets_per_customer,
            observer=observer,
        ),
    )


def _identity_keys(settings: Settings) -> tuple[str, ...]:
    """Return the secrets that a site may sign with; none where it vouches for nobody."""
    secrets = (settings.widget_jwt_secret, settings.widget_jwt_secret_old)
    return tuple(secret.get_secret_value() for secret in secrets if secret is not None)


def _signing_key(settings: Settings) -> str:
    given = settings.secret_key
    return given.get_secret_value() if given else kept_secret(settings.data_dir / "secret.key")

"""Builds the widget's channel: who gets in, what is offered, and how much one customer may ask."""

from dataclasses import dataclass

from bot.adapters.prompt_files import Language
from bot.adapters.secret_file import kept_secret
from bot.channels.open_sockets import LOCAL_FACTOR, OpenSockets, SocketObserver
from bot.channels.proxies import Proxies
from bot.channels.widget.access import Access
from bot.channels.widget.offers import Offers
from bot.channels.widget.routes import Widget
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.desk_wiring import Desk
from bot.identity_wiring import demo_sign_in, identities_of
from bot.service.arrivals import Arrivals
from bot.service.article_count import ArticleCount
from bot.service.files import FileService
from bot.service.rating import RatingService
from bot.settings import Settings
from bot.stores import Stores
from bot.turn_wiring import Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetParts:
    """What the channel is built over."""

    parts: Parts
    arrivals: Arrivals
    stores: Stores
    desk: Desk
    spoken: Language
    sockets: SocketObserver


def widget_of(settings: Settings, parts: WidgetParts, proxies: Proxies) -> Widget:
    """Return the channel."""
    clock, customers = parts.parts.clock, parts.arrivals.customers
    demo = demo_sign_in(settings, clock)
    ratings = RatingService(
        store=customers.store, ratings=parts.stores.ratings, clock=clock, live=customers.live
    )
    return Widget(
        customers=customers,
        access=Access(
            tokens=SessionTokens((_signing_key(settings),), clock=clock, audience=settings.site),
            arrivals=parts.arrivals,
        ),
        identities=identities_of(settings, demo, clock),
        throttle=_throttle(settings, parts.sockets),
        offers=_offers(settings, parts),
        ratings=ratings,
        replies=parts.spoken.replies,
        origins=frozenset(settings.widget_origins),
        proxies=proxies,
        standings=Standings(
            wait_of=parts.desk.waiting.of,
            names=parts.desk.names,
            read_marks=parts.stores.desk.read_marks,
            rating_of=ratings.score_of,
        ),
        demo=demo,
    )


def _offers(settings: Settings, parts: WidgetParts) -> Offers:
    return Offers(
        files=FileService(
            customers=parts.arrivals.customers,
            attachments=parts.stores.attachments if settings.attachments else None,
        ),
        categories=parts.spoken.categories,
        count_articles=ArticleCount(status=parts.parts.index.status, clock=parts.parts.clock).known,
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


def _signing_key(settings: Settings) -> str:
    given = settings.secret_key
    return given.get_secret_value() if given else kept_secret(settings.data_dir / "secret.key")

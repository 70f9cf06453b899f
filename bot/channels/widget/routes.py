"""The widget's channel: its pages, how a browser begins, and what its customer may do and read there."""

from dataclasses import dataclass, field

from aiohttp import web

from bot.channels.proxies import Proxies
from bot.channels.widget.access import Access
from bot.channels.widget.demo import DemoSignIn
from bot.channels.widget.entrance import Entrance
from bot.channels.widget.identities import IdentityTokens
from bot.channels.widget.messages import Messages
from bot.channels.widget.offers import Offers
from bot.channels.widget.pages import Pages
from bot.channels.widget.ratings import Ratings
from bot.channels.widget.sessions import Sessions
from bot.channels.widget.sockets import Sockets
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.transcripts import Transcripts
from bot.channels.widget.uploads import Uploads
from bot.core.replies import Replies
from bot.service.customer import CustomerService
from bot.service.rating import RatingService


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """The widget's channel. `origins` may embed it and call it, beside its own pages; `demo` is for the demo page."""

    customers: CustomerService
    access: Access
    identities: IdentityTokens
    throttle: Throttle
    offers: Offers
    ratings: RatingService
    replies: Replies
    origins: frozenset[str] = frozenset()
    proxies: Proxies = field(default_factory=Proxies)
    standings: Standings = field(default_factory=Standings)
    demo: DemoSignIn | None = None

    def routes(self) -> list[web.RouteDef]:
        pages = Pages(origins=self.origins, proxies=self.proxies, sign_in=self.demo)
        entrance = Entrance(origins=self.origins, proxies=self.proxies)
        return [
            *pages.routes(),
            *self._session_routes(entrance),
            *self._message_routes(entrance),
            *self._keeping_routes(entrance),
        ]

    def _session_routes(self, entrance: Entrance) -> list[web.RouteDef]:
        sessions = Sessions(
            access=self.access,
            identities=self.identities,
            throttle=self.throttle,
            proxies=self.proxies,
            standings=self.standings,
            offers=self.offers,
        )
        return [
            web.get("/widget/v1/welcome", entrance.reading(self.offers.welcome), allow_head=False),
            web.post("/widget/v1/sessions", entrance.own(sessions.open)),
            web.post("/widget/v1/identify", entrance.own(sessions.identify)),
            web.post("/widget/v1/logout", entrance.own(sessions.sign_out)),
        ]

    def _message_routes(self, entrance: Entrance) -> list[web.RouteDef]:
        messages = Messages(
            customers=self.customers, access=self.access, throttle=self.throttle, standings=self.standings
        )
        sockets = Sockets(
            customers=self.customers,
            access=self.access,
            standings=self.standings,
            places=self.throttle.places,
            proxies=self.proxies,
        )
        return [
            web.post("/widget/v1/messages", entrance.own(messages.send)),
            web.post("/widget/v1/handoff", entrance.own(messages.ask_for_a_person)),
            web.post("/widget/v1/feedback", entrance.own(messages.give_feedback)),
            web.get("/widget/v1/events", entrance.reading(messages.read_events), allow_head=False),
            web.get("/widget/v1/socket", entrance.own(sockets.serve), allow_head=False),
        ]

    def _keeping_routes(self, entrance: Entrance) -> list[web.RouteDef]:
        """Return the routes of what is kept beside messages, or handed out to keep."""
        uploads = Uploads(access=self.access, throttle=self.throttle, files=self.offers.files)
        ratings = Ratings(access=self.access, throttle=self.throttle, ratings=self.ratings)
        transcripts = Transcripts(
            access=self.access, customers=self.customers, names=self.standings.names, replies=self.replies
        )
        return [
            web.post("/widget/v1/attachments", entrance.own(uploads.receive)),
            web.post("/widget/v1/rating", entrance.own(ratings.rate)),
            web.get("/widget/v1/transcript", entrance.reading(transcripts.read), allow_head=False),
        ]

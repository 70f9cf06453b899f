"""The console's channel: its pages, who gets in, and what agents read and do there."""

from dataclasses import dataclass, field

from aiohttp import web

from bot.channels.console.content import ContentPage, ContentServices
from bot.channels.console.conversations import Conversations
from bot.channels.console.guard import Guard
from bot.channels.console.library import Library
from bot.channels.console.lookups import Lookups
from bot.channels.console.numbers import NumbersRoute
from bot.channels.console.pages import Pages
from bot.channels.console.roster import Roster
from bot.channels.console.sessions import Sessions
from bot.channels.console.showing import Contacts, Showing
from bot.channels.console.socket import TICK_S, Sockets
from bot.channels.console.throttle import Throttle
from bot.core.replies import DEFAULT_LANGUAGE, Replies
from bot.desk_ports import AccountStore
from bot.ports import Clock
from bot.service.desk import DeskService
from bot.service.numbers import Numbers
from bot.service.suggesting import Suggesting


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """Everything below /console. `locale` is the language in which agents read reasons."""

    desk: DeskService
    guard: Guard
    accounts: AccountStore
    replies: Replies
    clock: Clock
    numbers: Numbers
    suggesting: Suggesting
    content: ContentServices | None = None
    throttle: Throttle = field(default_factory=Throttle)
    locale: str = DEFAULT_LANGUAGE
    tick_s: float = TICK_S

    @property
    def showing(self) -> Showing:
        """What is shown to any agent, with what it has read of names and addresses."""
        contacts = Contacts(store=self.desk.store)
        self.desk.live.when_erased(contacts.forget)
        return Showing(
            roster=Roster(accounts=self.accounts, clock=self.clock),
            contacts=contacts,
            replies=self.replies,
            clock=self.clock,
            locale=self.locale,
        )

    def routes(self) -> list[web.RouteDef]:
        showing = self.showing
        sockets = Sockets(
            desk=self.desk, guard=self.guard, showing=showing, places=self.throttle.places, tick_s=self.tick_s
        )
        return [
            *Pages(proxies=self.guard.proxies).routes(),
            *Sessions(guard=self.guard, throttle=self.throttle).routes(),
            *Library(desk=self.desk, guard=self.guard, showing=showing).routes(),
            *Conversations(desk=self.desk, guard=self.guard, showing=showing).routes(),
            *Lookups(desk=self.desk, guard=self.guard, showing=showing, suggesting=self.suggesting).routes(),
            *NumbersRoute(
                numbers=self.numbers, guard=self.guard, replies=self.replies, locale=self.locale
            ).routes(),
            *self._content_routes(showing),
            web.get("/console/v1/socket", sockets.serve, allow_head=False),
        ]

    def _content_routes(self, showing: Showing) -> list[web.RouteDef]:
        if self.content is None:
            return []
        return ContentPage(services=self.content, guard=self.guard, showing=showing).routes()

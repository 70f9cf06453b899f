"""One open socket: the first frame names the customer, then the feed is sent, and what the browser says of its reader is heard."""

from dataclasses import dataclass, field
from functools import partial

from aiohttp import web

from bot.channels.bodies import parse
from bot.channels.open_sockets import OpenSockets
from bot.channels.proxies import Proxies
from bot.channels.websockets import (
    HEARTBEAT_S,
    NOT_AUTHENTICATED,
    TOO_MANY,
    Closing,
    first_frame,
    hold,
    send,
    serve_socket,
)
from bot.channels.widget.access import Access
from bot.channels.widget.feed import Feed
from bot.channels.widget.frames import AuthFrame, ClientFrame, PingFrame, ReadFrame, TypingFrame
from bot.channels.widget.standing import Standings
from bot.core.conversation import ConversationId
from bot.core.customers import Ticket
from bot.errors import ConversationUnknown
from bot.service.customer import CustomerService

AUTH_S = 5.0
TYPING_S = 2.0  # browsers of ours say it every three seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Opens sockets for customers."""

    customers: CustomerService
    access: Access
    standings: Standings = field(default_factory=Standings)
    places: OpenSockets = field(default_factory=OpenSockets)
    proxies: Proxies = field(default_factory=Proxies)
    auth_s: float = AUTH_S
    heartbeat_s: float = HEARTBEAT_S

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Hold the socket until either side ends it."""
        with self.places.at(self.proxies.client_address(request)):
            return await serve_socket(request, self._converse, heartbeat_s=self.heartbeat_s)

    async def _converse(self, ws: web.WebSocketResponse) -> Closing:
        opened = await self._authenticate(ws)
        if isinstance(opened, Closing):
            return opened
        ticket, after = opened
        with self.places.held_by(ticket.conversation) as has_place:
            return await self._follow(ws, ticket, after) if has_place else TOO_MANY

    async def _follow(self, ws: web.WebSocketResponse, ticket: Ticket, after: int) -> Closing:
        conversation = ticket.conversation
        try:
            with self.customers.live.watch(conversation) as watcher:
                admitted = partial(self.access.is_admitted, ticket)
                feed = Feed(self.customers, self.standings, conversation, after, admitted=admitted)
                hearing = Hearing(ws, self.customers, feed, conversation)
                return await hold(ws, feed.frames(watcher), hearing.hear)
        except ConversationUnknown:
            return NOT_AUTHENTICATED

    async def _authenticate(self, ws: web.WebSocketResponse) -> tuple[Ticket, int] | Closing:
        frame = await first_frame(ws, AuthFrame, within_s=self.auth_s)
        if isinstance(frame, Closing):
            return frame
        ticket = self.access.tokens.ticket_of(frame.token)
        if ticket is None or not await self.access.is_admitted(ticket):
            return NOT_AUTHENTICATED
        return ticket, frame.after


class Hearing:
    """Passes on what one browser says of its reader, and no more than a reader can do, because others are shown it."""

    def __init__(
        self,
        ws: web.WebSocketResponse,
        customers: CustomerService,
        feed: Feed,
        conversation: ConversationId,
    ) -> None:
        self._ws = ws
        self._customers = customers
        self._feed = feed
        self._id = conversation
        self._read = 0
        self._typed_s = -TYPING_S

    async def hear(self, text: str) -> None:
        """Take in one frame; InputRejected when it is none of the protocol's."""
        match parse(ClientFrame, text).root:
            case PingFrame():
                await send(self._ws, {"type": "pong"})
            case TypingFrame():
                await self._type()
            case ReadFrame(seq=seq):
                await self._read_up_to(seq)

    async def _type(self) -> None:
        now_s = self._customers.clock.monotonic_s()
        if now_s - self._typed_s >= TYPING_S:
            self._typed_s = now_s
            await self._customers.typing(self._id)

    async def _read_up_to(self, seq: int) -> None:
        """Nobody has read what was not sent; each message is noted once."""
        seen = min(seq, self._feed.cursor)
        if seen > self._read:
            self._read = seen
            await self._customers.read(self._id, seen)

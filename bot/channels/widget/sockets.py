"""One open socket: the first frame names the customer, then the feed is sent, and what the browser says of its reader is heard."""

from dataclasses import dataclass, field

from aiohttp import web

from bot.channels.bodies import parse
from bot.channels.websockets import NOT_AUTHENTICATED, Closing, first_frame, hold, send, serve_socket
from bot.channels.widget.feed import Feed
from bot.channels.widget.frames import AuthFrame, ClientFrame, PingFrame, ReadFrame, TypingFrame
from bot.channels.widget.standing import Standings
from bot.channels.widget.tokens import SessionTokens
from bot.core.conversation import ConversationId
from bot.errors import ConversationUnknown
from bot.service.customer import CustomerService

AUTH_S = 5.0
TYPING_S = 2.0  # browsers of ours say it every three seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Opens sockets for customers."""

    customers: CustomerService
    tokens: SessionTokens
    standings: Standings = field(default_factory=Standings)
    auth_s: float = AUTH_S

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Hold the socket until either side ends it."""
        return await serve_socket(request, self._converse)

    async def _converse(self, ws: web.WebSocketResponse) -> Closing:
        opened = await self._authenticate(ws)
        if isinstance(opened, Closing):
            return opened
        conversation, after = opened

        try:
            with self.customers.live.watch(conversation) as watcher:
                feed = Feed(self.customers, self.standings, conversation, after)
                hearing = Hearing(ws, self.customers, feed, conversation)
                return await hold(ws, feed.frames(watcher), hearing.hear)
        except ConversationUnknown:
            return NOT_AUTHENTICATED

    async def _authenticate(self, ws: web.WebSocketResponse) -> tuple[ConversationId, int] | Closing:
        frame = await first_frame(ws, AuthFrame, within_s=self.auth_s)
        if isinstance(frame, Closing):
            return frame
        conversation = self.tokens.conversation_of(frame.token)
        return NOT_AUTHENTICATED if conversation is None else (conversation, frame.after)


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

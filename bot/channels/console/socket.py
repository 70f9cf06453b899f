"""The console's socket: who opens it is known before the upgrade, and looked at again while it is open.

It tells of the queue, and of the one conversation that is in view; its signs of life keep the agent's claims.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from aiohttp import web

from bot.channels.bodies import parse
from bot.channels.console.board import Board
from bot.channels.console.frames import (
    AliveFrame,
    ClientFrame,
    HelloFrame,
    ReadFrame,
    TypingFrame,
    UnwatchFrame,
    WatchFrame,
)
from bot.channels.console.guard import Guard
from bot.channels.console.showing import Showing
from bot.channels.console.streams import Frames, Streams
from bot.channels.console.watching import Watching
from bot.channels.open_sockets import OpenSockets
from bot.channels.problems import ProblemJson
from bot.channels.websockets import NOT_AUTHENTICATED, Closing, first_frame, hold, serve_socket
from bot.core.accounts import Agent
from bot.core.conversation import ConversationId
from bot.errors import ConversationUnknown
from bot.service.desk import DeskService

HELLO_S = 5.0
TICK_S = 5.0
RECHECK_S = 30.0  # of the 60 s after which nobody may listen on who has signed out (FAULTS W16)
QUEUE, AGING, SESSION, CONVERSATION = "queue", "aging", "session", "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Opens sockets for agents."""

    desk: DeskService
    guard: Guard
    showing: Showing
    places: OpenSockets = field(default_factory=OpenSockets)
    hello_s: float = HELLO_S
    tick_s: float = TICK_S

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Hold the socket until either side ends it."""
        agent = (await self.guard.watcher(request)).agent
        with self.places.at(self.guard.proxies.client_address(request)):
            return await serve_socket(request, partial(self._converse, request, agent))

    async def _converse(self, request: web.Request, agent: Agent, ws: web.WebSocketResponse) -> Closing:
        first = await first_frame(ws, HelloFrame, within_s=self.hello_s)
        if isinstance(first, Closing):
            return first
        line = Line(sockets=self, request=request, agent=agent)
        with self.showing.roster.here(agent.id), self.desk.live.watch_all() as everything:
            board = Board(desk=self.desk, showing=self.showing, agent=agent.id)
            line.streams.follow(QUEUE, board.frames(everything))
            line.streams.follow(AGING, board.aging(every_s=self.tick_s))
            line.streams.follow(SESSION, line.session())
            try:
                return await hold(ws, line.streams.frames(), line.answer)
            finally:
                await line.streams.close()


@dataclass(slots=True, kw_only=True)
class Line:
    """One open socket of one agent."""

    sockets: Sockets
    request: web.Request
    agent: Agent
    streams: Streams = field(default_factory=Streams)
    _looked_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._looked_s = self._now_s

    async def session(self) -> Frames:
        """Yield the end when the agent has signed out elsewhere, was disabled, or the session is too old."""
        while True:
            await asyncio.sleep(self.sockets.tick_s)
            if self._now_s - self._looked_s >= RECHECK_S and not await self._is_signed_in():
                yield NOT_AUTHENTICATED

    async def answer(self, text: str) -> Closing | None:
        """Do what a frame asks for."""
        match parse(ClientFrame, text).root:
            case AliveFrame():
                return await self._stay()
            case WatchFrame() as wanted:
                self.streams.follow(CONVERSATION, self._watching(wanted).frames())
            case UnwatchFrame():
                self.streams.stop(CONVERSATION)
            case TypingFrame(conversation=conversation):
                await self._tell_typing(ConversationId(conversation))
            case ReadFrame(conversation=conversation, seq=seq):
                await self._tell_read(ConversationId(conversation), seq)
        return None

    async def _stay(self) -> Closing | None:
        if not await self._is_signed_in():
            return NOT_AUTHENTICATED
        await self.sockets.desk.renew(self.agent.id)
        await self.streams.put({"type": "alive", "now": self.sockets.showing.clock.now_ms()})
        return None

    async def _is_signed_in(self) -> bool:
        try:
            await self.sockets.guard.watcher(self.request)
        except ProblemJson:
            return False
        self._looked_s = self._now_s
        return True

    def _watching(self, wanted: WatchFrame) -> Watching:
        return Watching(
            desk=self.sockets.desk,
            showing=self.sockets.showing,
            agent=self.agent.id,
            conversation=ConversationId(wanted.conversation),
            after=wanted.after,
            notes_after=wanted.notes_after,
        )

    async def _tell_typing(self, conversation: ConversationId) -> None:
        with suppress(ConversationUnknown):
            await self.sockets.desk.typing(conversation, self.agent.id)

    async def _tell_read(self, conversation: ConversationId, seq: int) -> None:
        """Who speaks to no customer may read without the customer's being told that somebody has."""
        if self.agent.answers_customers:
            with suppress(ConversationUnknown):
                await self.sockets.desk.read(conversation, self.agent.id, seq)

    @property
    def _now_s(self) -> float:
        return self.sockets.showing.clock.monotonic_s()

"""One open socket: the first frame names the customer, then what was missed is replayed, then events as they come.

The store is the record. Live events say when to read it, and a socket that falls behind is closed and resumes by cursor.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import structlog
from aiohttp import WSMessage, WSMsgType, web

from bot.channels.widget.frames import (
    AuthFrame,
    Event,
    PingFrame,
    parse,
    to_draft_event,
    to_message_event,
    to_progress_event,
    to_snapshot,
    to_status_event,
)
from bot.channels.widget.tokens import SessionTokens
from bot.core.conversation import Conversation, ConversationId
from bot.errors import ConversationUnknown, InputRejected, OutsideFailure
from bot.ports import Snapshot
from bot.service.customer import CustomerService
from bot.service.live import Changed, CutOff, DraftShown, LiveEvent, Progressed, Watcher

MAX_FRAME_BYTES = 16 * 1024
HEARTBEAT_S = 25.0  # routers cut a silent line at 55 s
AUTH_S = 5.0
SEND_S = 20.0  # one frame; a reader that takes longer is cut off like one whose queue is full
CLOSE_S = 2.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Why a socket is closed, in the protocol's numbers; 44xx are ours and follow HTTP's."""

    code: int
    message: str


BINARY = Closing(code=1003, message="text frames only")
MALFORMED = Closing(code=4400, message="frame not understood")
NOT_AUTHENTICATED = Closing(code=4401, message="no valid token")
TOO_LATE = Closing(code=4408, message="no token in time")
FAILED = Closing(code=1011, message="unavailable")
STOPPING = Closing(code=1012, message="restarting")
OVERLOADED = Closing(code=1013, message="too slow")
GONE = Closing(code=1000, message="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Opens sockets for customers."""

    customers: CustomerService
    tokens: SessionTokens
    auth_s: float = AUTH_S

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Hold the socket until either side ends it."""
        ws = web.WebSocketResponse(
            heartbeat=HEARTBEAT_S, max_msg_size=MAX_FRAME_BYTES, compress=False, timeout=CLOSE_S
        )
        await ws.prepare(request)
        closing = await self._converse(ws)
        try:
            async with asyncio.timeout(2 * CLOSE_S):
                await ws.close(code=closing.code, message=closing.message.encode())
        except TimeoutError:
            log.info(
                "socket_aborted", code=closing.code
            )  # it never read what was sent; the transport is closed
        return ws

    async def _converse(self, ws: web.WebSocketResponse) -> Closing:
        try:
            opened = await self._authenticate(ws)
            if isinstance(opened, Closing):
                return opened
            conversation, after = opened
            with self.customers.live.watch(conversation) as watcher:
                return await self._hold(ws, Feed(self.customers, conversation, after), watcher)
        except ConversationUnknown:
            return NOT_AUTHENTICATED
        except OutsideFailure:
            return FAILED
        except ConnectionError:
            return GONE
        except Exception:
            log.exception("socket_failed")
            return FAILED

    async def _authenticate(self, ws: web.WebSocketResponse) -> tuple[ConversationId, int] | Closing:
        try:
            first = await ws.receive(timeout=self.auth_s)
        except TimeoutError:
            return TOO_LATE
        if first.type is not WSMsgType.TEXT:
            return BINARY if first.type is WSMsgType.BINARY else GONE
        try:
            frame = parse(AuthFrame, first.data)
        except InputRejected:
            return MALFORMED
        conversation = self.tokens.conversation_of(frame.token)
        return NOT_AUTHENTICATED if conversation is None else (conversation, frame.after)

    async def _hold(self, ws: web.WebSocketResponse, feed: "Feed", watcher: Watcher) -> Closing:
        """Send and receive side by side; whichever ends first ends both."""
        sending = asyncio.create_task(_send(ws, feed, watcher))
        receiving = asyncio.create_task(_receive(ws))
        tasks = (sending, receiving)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return (sending if sending in done else receiving).result()


async def _send(ws: web.WebSocketResponse, feed: "Feed", watcher: Watcher) -> Closing:
    try:
        async for frame in feed.frames(watcher):
            if isinstance(frame, Closing):
                return frame
            async with asyncio.timeout(SEND_S):
                await ws.send_json(frame)
    except TimeoutError:
        return OVERLOADED
    return STOPPING


async def _receive(ws: web.WebSocketResponse) -> Closing:
    """Answer pings until the peer leaves or breaks a rule."""
    async for message in ws:
        closing = await _answer(ws, message)
        if closing is not None:
            return closing
    return GONE


async def _answer(ws: web.WebSocketResponse, message: WSMessage) -> Closing | None:
    if message.type is WSMsgType.BINARY:
        return BINARY
    if message.type is not WSMsgType.TEXT:
        return GONE
    try:
        parse(PingFrame, message.data)
    except InputRejected:
        return MALFORMED
    async with asyncio.timeout(SEND_S):
        await ws.send_json({"type": "pong"})
    return None


class Feed:
    """What one customer has not seen yet, in order."""

    def __init__(self, customers: CustomerService, conversation: ConversationId, after: int) -> None:
        self._customers = customers
        self._id = conversation
        self._cursor = after
        self._known: Conversation | None = None

    async def frames(self, watcher: Watcher) -> AsyncIterator[Event | Closing]:
        """Yield the replay, then what happens; a Closing is the last."""
        yield {"type": "snapshot", **await self._replay()}
        async for event in watcher.events():
            for frame in await self._frames_of(event):
                yield frame

    async def _frames_of(self, event: LiveEvent) -> list[Event] | list[Closing]:
        match event:
            case Changed():
                return await self._news()
            case CutOff(overloaded=overloaded):
                return [OVERLOADED if overloaded else STOPPING]
            case Progressed(step=step):
                return [to_progress_event(step)] if self._is_answering else []
            case DraftShown():
                return [to_draft_event(event)] if self._is_answering else []

    @property
    def _is_answering(self) -> bool:
        """A queued step or block of a turn that the last read showed as settled is old news."""
        return self._known is not None and self._known.owes_a_turn

    async def _replay(self) -> Event:
        snapshot, reset = await resumed(self._customers, self._id, after=self._cursor)
        self._advance(snapshot)
        return to_snapshot(snapshot, reset=reset)

    async def _news(self) -> list[Event]:
        before = self._known
        snapshot = await self._customers.snapshot(self._id, after=self._cursor)
        self._advance(snapshot)
        events = [to_message_event(message) for message in snapshot.messages]
        state = to_status_event(snapshot.conversation)
        return events if before and state == to_status_event(before) else [*events, state]

    def _advance(self, snapshot: Snapshot) -> None:
        self._known = snapshot.conversation
        self._cursor = max((message.seq for message in snapshot.messages), default=self._cursor)


async def resumed(
    customers: CustomerService, conversation: ConversationId, *, after: int
) -> tuple[Snapshot, bool]:
    """Read from a cursor; from the start, and say so, when it lies in a future that never happened."""
    snapshot = await customers.snapshot(conversation, after=after)
    if after <= snapshot.conversation.last_seq:
        return snapshot, False
    return await customers.snapshot(conversation, after=0), True

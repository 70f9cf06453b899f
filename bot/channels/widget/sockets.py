"""One open socket: the first frame names the customer, then what was missed is replayed, then events as they come.

The store is the record. Live events say when to read it, and a socket that falls behind is closed and resumes by cursor.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import web

from bot.channels.bodies import parse
from bot.channels.events import Event, to_draft_event, to_message_event, to_progress_event
from bot.channels.websockets import (
    NOT_AUTHENTICATED,
    OVERLOADED,
    STOPPING,
    Closing,
    first_frame,
    hold,
    send,
    serve_socket,
)
from bot.channels.widget.frames import (
    AuthFrame,
    PingFrame,
    to_snapshot,
    to_status_event,
)
from bot.channels.widget.tokens import SessionTokens
from bot.core.conversation import Conversation, ConversationId
from bot.errors import ConversationUnknown
from bot.ports import Snapshot
from bot.service.customer import CustomerService
from bot.service.live import Changed, CutOff, DraftShown, LiveEvent, Progressed, ReadUpTo, Typed, Watcher

AUTH_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sockets:
    """Opens sockets for customers."""

    customers: CustomerService
    tokens: SessionTokens
    auth_s: float = AUTH_S

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Hold the socket until either side ends it."""
        return await serve_socket(request, self._converse)

    async def _converse(self, ws: web.WebSocketResponse) -> Closing:
        opened = await self._authenticate(ws)
        if isinstance(opened, Closing):
            return opened
        conversation, after = opened

        async def pong(text: str) -> None:
            parse(PingFrame, text)
            await send(ws, {"type": "pong"})

        try:
            with self.customers.live.watch(conversation) as watcher:
                feed = Feed(self.customers, conversation, after)
                return await hold(ws, feed.frames(watcher), pong)
        except ConversationUnknown:
            return NOT_AUTHENTICATED

    async def _authenticate(self, ws: web.WebSocketResponse) -> tuple[ConversationId, int] | Closing:
        frame = await first_frame(ws, AuthFrame, within_s=self.auth_s)
        if isinstance(frame, Closing):
            return frame
        conversation = self.tokens.conversation_of(frame.token)
        return NOT_AUTHENTICATED if conversation is None else (conversation, frame.after)


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
            case Typed() | ReadUpTo():
                return []

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

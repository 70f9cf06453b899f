"""What one customer has not seen yet: first what was missed is replayed, then events as they come.

The store is the record. Live events say when to read it, and a socket that falls behind is closed and resumes by cursor.
"""

from collections.abc import AsyncIterator, Awaitable, Callable

from bot.channels.events import Event, to_draft_event, to_progress_event
from bot.channels.websockets import NOT_AUTHENTICATED, OVERLOADED, STOPPING, Closing
from bot.channels.widget.frames import (
    to_customers_messages,
    to_read_event,
    to_snapshot,
    to_status_event,
    to_typing_event,
)
from bot.channels.widget.standing import Shown, Standing, Standings
from bot.core.conversation import ConversationId, Role
from bot.ports import Snapshot
from bot.service.customer import CustomerService
from bot.service.live import Changed, CutOff, DraftShown, LiveEvent, Progressed, ReadUpTo, Typed, Watcher


class Feed:
    """The frames for one socket, in order; `cursor` is the seq of the last message that was sent."""

    def __init__(
        self,
        customers: CustomerService,
        standings: Standings,
        conversation: ConversationId,
        after: int,
        *,
        admitted: Callable[[], Awaitable[bool]],
    ) -> None:
        self._customers = customers
        self._standings = standings
        self._id = conversation
        self.cursor = after
        self._admitted = admitted
        self._known: Standing | None = None

    async def frames(self, watcher: Watcher) -> AsyncIterator[Event | Closing]:
        """Yield the replay, then what happens; a Closing is the last."""
        yield {"type": "snapshot", **await self._replay()}
        async for event in watcher.events():
            for frame in await self._frames_of(event):
                yield frame

    async def _frames_of(self, event: LiveEvent) -> list[Event] | list[Closing]:
        match event:
            case Changed():
                return await self._news() if await self._admitted() else [NOT_AUTHENTICATED]
            case CutOff(overloaded=overloaded):
                return [OVERLOADED if overloaded else STOPPING]
            case Progressed(step=step):
                return [to_progress_event(step)] if self._is_answering else []
            case DraftShown():
                return [to_draft_event(event)] if self._is_answering else []
            case Typed(by=by):
                return [to_typing_event()] if by is Role.AGENT else []
            case ReadUpTo(by=by, seq=seq):
                return [to_read_event(seq)] if by is Role.AGENT else []

    @property
    def _is_answering(self) -> bool:
        """A queued step or block of a turn that the last read showed as settled is old news."""
        return self._known is not None and self._known.conversation.owes_a_turn

    async def _replay(self) -> Event:
        shown = await resumed(self._customers, self._standings, self._id, after=self.cursor)
        self.cursor = 0 if shown.reset else self.cursor
        self._advance(shown.snapshot, shown.standing)
        return to_snapshot(shown)

    async def _news(self) -> list[Event]:
        before = self._known
        snapshot = await self._customers.snapshot(self._id, after=self.cursor)
        standing = await self._standings.of(snapshot.conversation)
        self._advance(snapshot, standing)
        events = to_customers_messages(snapshot.messages, standing.names)
        state = to_status_event(standing)
        return events if before and state == to_status_event(before) else [*events, state]

    def _advance(self, snapshot: Snapshot, standing: Standing) -> None:
        self._known = standing
        self.cursor = max((message.seq for message in snapshot.messages), default=self.cursor)


async def resumed(
    customers: CustomerService, standings: Standings, conversation: ConversationId, *, after: int
) -> Shown:
    """Read from a cursor; from the start, and say so, when it lies in a future that never happened."""
    snapshot = await customers.snapshot(conversation, after=after)
    reset = after > snapshot.conversation.last_seq
    if reset:
        snapshot = await customers.snapshot(conversation, after=0)
    return Shown(snapshot=snapshot, standing=await standings.of(snapshot.conversation), reset=reset)

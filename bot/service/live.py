"""Wake-ups inside one process: who looks at a conversation now, and what to tell them at once.

Nothing here is a record. A watcher that misses an event reads the store by its cursor.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import ConversationId, TurnId

QUEUE_LIMIT = 256  # events; a watcher further behind is cut off and resumes by its cursor (FAULTS W10)


class Step(StrEnum):
    """What the bot is doing, in the customer's words."""

    SEARCHING = "searching"
    WRITING = "writing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The store has something new: read it by cursor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """The running turn reached a step."""

    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftShown:
    """A verified block of the running answer, recorded already; `position` counts from 0 within the turn."""

    turn: TurnId
    position: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """The watcher fell too far behind, or the process stops; nothing follows."""

    overloaded: bool


LiveEvent = Changed | Progressed | DraftShown | CutOff


class Watcher:
    """One open view of one conversation."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[LiveEvent] = asyncio.Queue(maxsize=QUEUE_LIMIT + 1)
        self._closed = False

    def offer(self, event: LiveEvent) -> None:
        """Queue *event*; a watcher that is full gets CutOff and nothing more."""
        if self._closed:
            return
        if self._events.qsize() >= QUEUE_LIMIT:
            event = CutOff(overloaded=True)
        self._closed = isinstance(event, CutOff)
        self._events.put_nowait(event)

    async def events(self) -> AsyncIterator[LiveEvent]:
        """Yield events until CutOff, which is the last."""
        while True:
            event = await self._events.get()
            yield event
            if isinstance(event, CutOff):
                return


class LiveHub:
    """All watchers of this process."""

    def __init__(self) -> None:
        self._watchers: defaultdict[ConversationId, set[Watcher]] = defaultdict(set)
        self._closed = False

    @contextmanager
    def watch(self, conversation: ConversationId) -> Iterator[Watcher]:
        """Register a watcher for as long as the block lasts."""
        watcher = Watcher()
        self._watchers[conversation].add(watcher)
        if self._closed:
            watcher.offer(CutOff(overloaded=False))
        try:
            yield watcher
        finally:
            self._watchers[conversation].discard(watcher)
            if not self._watchers[conversation]:
                del self._watchers[conversation]

    def publish(self, conversation: ConversationId, event: LiveEvent) -> None:
        """Tell every watcher of *conversation*; never waits."""
        for watcher in tuple(self._watchers.get(conversation, ())):
            watcher.offer(event)

    def close(self) -> None:
        """Cut every watcher off, those to come included, because the process stops."""
        self._closed = True
        for watchers in tuple(self._watchers.values()):
            for watcher in tuple(watchers):
                watcher.offer(CutOff(overloaded=False))

"""Wake-ups inside one process: who looks at a conversation now, and what to tell them at once.

Nothing here is a record. A watcher that misses an event reads the store by its cursor.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import ConversationId, Role, TurnId

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
class Typed:
    """A customer or an agent is writing."""

    by: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadUpTo:
    """A customer or the agents have read up to *seq*."""

    by: Role
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """What a desk lists of this conversation may be different: read its row."""

    conversation: ConversationId


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """The watcher fell too far behind, or the process stops; nothing follows."""

    overloaded: bool


LiveEvent = Changed | Progressed | DraftShown | Typed | ReadUpTo | CutOff
DeskEvent = Touched | CutOff


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


class DeskWatcher:
    """One open view of all conversations. Each waits once however often it is touched, so that a slow view is never cut off."""

    def __init__(self) -> None:
        self._touched: dict[ConversationId, None] = {}
        self._news = asyncio.Event()
        self._closed = False

    def touch(self, conversation: ConversationId) -> None:
        """Queue *conversation*, behind those that wait already."""
        self._touched[conversation] = None
        self._news.set()

    def close(self) -> None:
        """Let the events end after those that wait."""
        self._closed = True
        self._news.set()

    async def events(self) -> AsyncIterator[DeskEvent]:
        """Yield events until CutOff, which is the last."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._touched:
                conversation = next(iter(self._touched))
                del self._touched[conversation]
                yield Touched(conversation=conversation)
            if self._closed:
                yield CutOff(overloaded=False)
                return


class LiveHub:
    """All watchers of this process."""

    def __init__(self) -> None:
        self._watchers: defaultdict[ConversationId, set[Watcher]] = defaultdict(set)
        self._desks: set[DeskWatcher] = set()
        self._forgetting: list[Callable[[ConversationId], None]] = []
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

    @contextmanager
    def watch_all(self) -> Iterator[DeskWatcher]:
        """Register a watcher of all conversations for as long as the block lasts."""
        watcher = DeskWatcher()
        self._desks.add(watcher)
        if self._closed:
            watcher.close()
        try:
            yield watcher
        finally:
            self._desks.discard(watcher)

    def publish(self, conversation: ConversationId, event: LiveEvent) -> None:
        """Tell every watcher of *conversation*, and the desks what they list differently for it; never waits."""
        for watcher in tuple(self._watchers.get(conversation, ())):
            watcher.offer(event)
        if isinstance(event, Changed) or (isinstance(event, ReadUpTo) and event.by is Role.AGENT):
            for desk in self._desks:
                desk.touch(conversation)

    def when_erased(self, forget: Callable[[ConversationId], None]) -> None:
        """Call *forget* for every conversation that was erased; it never waits."""
        self._forgetting.append(forget)

    def forget(self, conversation: ConversationId) -> None:
        """Let everybody drop an erased conversation: its watchers read the store and find that it is gone."""
        for forget in self._forgetting:
            forget(conversation)
        self.publish(conversation, Changed())

    def close(self) -> None:
        """Cut every watcher off, those to come included, because the process stops."""
        self._closed = True
        for watchers in tuple(self._watchers.values()):
            for watcher in tuple(watchers):
                watcher.offer(CutOff(overloaded=False))
        for desk in self._desks:
            desk.close()

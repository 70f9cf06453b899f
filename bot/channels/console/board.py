"""The queue as one open console knows it: whole at first, then the rows that are different from what was sent."""

import asyncio
from dataclasses import dataclass, field

from bot.channels.console.showing import Showing
from bot.channels.console.streams import Frames
from bot.channels.events import Event
from bot.channels.websockets import OVERLOADED, STOPPING
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import QueueRow
from bot.service.desk import DeskService
from bot.service.live import CutOff, DeskWatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A row, and how it was shown last."""

    row: QueueRow
    shown: Event


@dataclass(slots=True, kw_only=True)
class Board:
    """Shows the queue to one agent."""

    desk: DeskService
    showing: Showing
    agent: AgentId
    _listed: dict[ConversationId, Listed] = field(default_factory=dict[ConversationId, Listed])

    async def frames(self, watcher: DeskWatcher) -> Frames:
        """Yield the queue, then each row that changes; *watcher* was opened before, so that nothing falls between."""
        yield await self._whole()
        async for event in watcher.events():
            if isinstance(event, CutOff):
                yield OVERLOADED if event.overloaded else STOPPING
            elif (frame := await self._read(event.conversation)) is not None:
                yield frame

    async def aging(self, *, every_s: float) -> Frames:
        """Yield rows that nothing happened to, but that have become late by now."""
        while True:
            await asyncio.sleep(every_s)
            for conversation, listed in tuple(self._listed.items()):
                shown = await self.showing.row(listed.row, self.agent)
                # What happened meanwhile was told already, and is not undone by an old row.
                if self._listed.get(conversation) is listed and (frame := self._told(listed.row, shown)):
                    yield frame

    async def _whole(self) -> Event:
        rows = await self.desk.queue()
        shown = [await self.showing.row(row, self.agent) for row in rows]
        self._listed = {
            row.conversation.id: Listed(row=row, shown=event) for row, event in zip(rows, shown, strict=True)
        }
        return {"type": "queue", "now": self.showing.clock.now_ms(), "rows": shown}

    async def _read(self, conversation: ConversationId) -> Event | None:
        row = await self.desk.row(conversation)
        if row is not None:
            return await self._changed(row)
        gone = self._listed.pop(conversation, None)
        return {"type": "gone", "conversation": conversation} if gone else None

    async def _changed(self, row: QueueRow) -> Event | None:
        return self._told(row, await self.showing.row(row, self.agent))

    def _told(self, row: QueueRow, shown: Event) -> Event | None:
        before = self._listed.get(row.conversation.id)
        self._listed[row.conversation.id] = Listed(row=row, shown=shown)
        return None if before and before.shown == shown else {"type": "row", "row": shown}

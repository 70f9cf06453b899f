"""One conversation as it happens, for the console that has it in view. The store is the record, the client's cursors say what it has."""

from dataclasses import dataclass, field

from bot.channels.console.showing import Showing
from bot.channels.console.streams import Frames
from bot.channels.events import Event, to_draft_event, to_progress_event
from bot.channels.websockets import OVERLOADED, STOPPING, Closing
from bot.core.conversation import AgentId, ConversationId, Role
from bot.errors import ConversationUnknown
from bot.service.desk import DeskService
from bot.service.desk_reading import DeskView
from bot.service.live import Changed, CutOff, DraftShown, LiveEvent, Progressed, ReadUpTo, Typed


@dataclass(slots=True, kw_only=True)
class Watching:
    """Shows one conversation to one agent, from `after` and `notes_after` on."""

    desk: DeskService
    showing: Showing
    agent: AgentId
    conversation: ConversationId
    after: int
    notes_after: int
    _known: DeskView | None = field(default=None)

    async def frames(self) -> Frames:
        """Yield what the client has missed, then what happens; a conversation that is not there is gone."""
        with self.desk.live.watch(self.conversation) as watcher:
            try:
                yield await self._news()
                async for event in watcher.events():
                    for frame in await self._frames_of(event):
                        yield frame
            except ConversationUnknown:
                yield {"type": "gone", "conversation": self.conversation}

    async def _frames_of(self, event: LiveEvent) -> list[Event | Closing]:
        match event:
            case Changed():
                return [await self._news()]
            case CutOff(overloaded=overloaded):
                return [OVERLOADED if overloaded else STOPPING]
            case _:
                return [{**frame, "conversation": self.conversation} for frame in self._passing(event)]

    def _passing(self, event: Typed | ReadUpTo | Progressed | DraftShown) -> list[Event]:
        """Translate what no store keeps. A queued step of a turn that the last read showed as settled is old news."""
        is_answering = self._known is not None and self._known.conversation.owes_a_turn
        match event:
            case Typed(by=Role.CUSTOMER):
                return [{"type": "typing", "by": Role.CUSTOMER}]
            case ReadUpTo(by=Role.CUSTOMER, seq=seq):
                return [{"type": "read", "seq": seq}]
            case Progressed(step=step) if is_answering:
                return [to_progress_event(step)]
            case DraftShown() if is_answering:
                return [to_draft_event(event)]
            case _:
                return []

    async def _news(self) -> Event:
        view = await self.desk.view(
            self.conversation, self.agent, after=self.after, notes_after=self.notes_after
        )
        self._known = view
        self.after = max((message.seq for message in view.messages), default=self.after)
        self.notes_after = max((note.seq for note in view.notes), default=self.notes_after)
        return {"type": "conversation", **await self.showing.view(view, self.agent)}

"""What agents keep beside a conversation without changing who has it: notes, marks, unsent replies, and up to where they read."""

from dataclasses import dataclass

from bot.core.conversation import AgentId, ConversationId, Message, Role
from bot.core.desk import Mark, MarkKind
from bot.core.desk_input import require_markable, require_same_text, required_text
from bot.core.desk_moves import agents_key
from bot.core.inbound import clean_text
from bot.core.notes import Note
from bot.ports import Clock
from bot.service.desk_reading import DeskReading
from bot.service.live import Changed, LiveHub, ReadUpTo, Typed


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskKeeping(DeskReading):
    """The half of the desk that any agent may use on any conversation, whoever has it."""

    clock: Clock
    live: LiveHub

    async def add_note(
        self, conversation: ConversationId, agent: AgentId, *, text: str, message_id: str
    ) -> Note:
        """Keep an internal note, once per *message_id*; MessageConflict when the id came before with another text."""
        note = Note(
            seq=0,
            author=agent,
            text=required_text(text),
            at_ms=self.clock.now_ms(),
            key=agents_key(agent, message_id),
        )
        stored = await self.store.add_note(conversation, note)
        require_same_text(stored.text, note.text, message_id=message_id)
        self.live.publish(conversation, Changed())
        return stored

    async def keep_draft(self, conversation: ConversationId, agent: AgentId, text: str) -> None:
        """Keep the agent's unsent reply in place of the one before; an empty one drops it."""
        await self.desk.keep_draft(conversation, agent, clean_text(text), at_ms=self.clock.now_ms())

    async def mark(
        self, conversation: ConversationId, agent: AgentId, *, kind: MarkKind, seq: int, remark: str = ""
    ) -> Mark:
        """Keep what the agent noticed; the earlier mark when there is an equal one. InputRejected when *seq* does not fit *kind*."""
        mark = Mark(
            conversation=conversation,
            kind=kind,
            seq=seq,
            agent=agent,
            at_ms=self.clock.now_ms(),
            remark=clean_text(remark, field="remark"),
        )
        require_markable(mark, await self._message(conversation, seq))
        stored = await self.desk.add_mark(mark)
        self.live.publish(conversation, Changed())
        return stored

    async def unmark(self, conversation: ConversationId, *, kind: MarkKind, seq: int) -> None:
        """Take a mark back, whoever made it."""
        await self.desk.remove_mark(conversation, kind, seq)
        self.live.publish(conversation, Changed())

    async def read(self, conversation: ConversationId, agent: AgentId, seq: int) -> None:
        """Note that agents have read up to *seq*, and show it to the customer; who looks over the shoulder of another does not count."""
        state = await self.store.conversation(conversation)
        if state.agent not in (None, agent):
            return
        marks = await self.desk.mark_read(conversation, agent=min(seq, state.last_seq))
        self.live.publish(conversation, ReadUpTo(by=Role.AGENT, seq=marks.agent))

    async def typing(self, conversation: ConversationId, agent: AgentId) -> None:
        """Show the customer that somebody writes, if it is the agent who has the conversation."""
        if (await self.store.conversation(conversation)).agent == agent:
            self.live.publish(conversation, Typed(by=Role.AGENT))

    async def _message(self, conversation: ConversationId, seq: int) -> Message | None:
        messages = (await self.store.snapshot(conversation, after=seq - 1)).messages
        return next((message for message in messages if message.seq == seq), None)

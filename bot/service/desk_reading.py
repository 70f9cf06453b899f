"""What agents read: the queue, one conversation with everything beside it, its history and its turns, and what a search finds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.attachments import Attachment, AttachmentHead
from bot.core.audit import AuditRow
from bot.core.conversation import AgentId, Conversation, ConversationId, Kind, Message, TurnId
from bot.core.customers import Profile
from bot.core.desk import Found, Mark, QueueRow, ReadMarks
from bot.core.handoffs import HandoffRow
from bot.core.inbound import clean_text
from bot.core.notes import Note
from bot.core.ratings import Rating
from bot.core.revisions import current
from bot.core.turn import Turn
from bot.customer_ports import AttachmentStore, RatingStore
from bot.desk_ports import DeskStore
from bot.ports import ConversationStore

SEARCH_LIMIT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """One conversation as one agent sees it.

    `messages` and `notes` follow the agent's cursors; the rest is whole. `draft` are the running answer's shown blocks, `own_draft` is
    the agent's unsent reply, `profile` says who writes and where, `attachments` are by the id of their message. `row` is None when the conversation is neither queued nor claimed.
    """

    conversation: Conversation
    row: QueueRow | None
    messages: tuple[Message, ...]
    draft: tuple[str, ...]
    notes: tuple[Note, ...]
    handoffs: tuple[HandoffRow, ...]
    marks: tuple[Mark, ...]
    reads: ReadMarks
    own_draft: str
    profile: Profile
    ratings: tuple[Rating, ...] = ()
    attachments: Mapping[str, AttachmentHead] = field(default_factory=dict[str, AttachmentHead])


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskReading:
    """The reading half of the desk; without `ratings` and `attachments` there are none."""

    store: ConversationStore
    desk: DeskStore
    ratings: RatingStore | None = None
    attachments: AttachmentStore | None = None

    async def queue(self) -> tuple[QueueRow, ...]:
        """Return every queued and claimed conversation, the longest waiting first."""
        return await self.desk.queue()

    async def row(self, conversation: ConversationId) -> QueueRow | None:
        """Return one conversation's row; None when it is neither queued nor claimed, or unknown."""
        return await self.desk.queue_row(conversation)

    async def view(
        self, conversation: ConversationId, agent: AgentId, *, after: int, notes_after: int
    ) -> DeskView:
        """Return the conversation as *agent* sees it, with what follows the cursors; ConversationUnknown."""
        # Messages first: what comes while the rest is read is told again, and not lost behind the cursor.
        snapshot = await self.store.snapshot(conversation, after=after)
        notes = await self.store.notes(conversation)
        return DeskView(
            conversation=snapshot.conversation,
            row=await self.desk.queue_row(conversation),
            messages=snapshot.messages,
            draft=snapshot.draft,
            notes=tuple(note for note in notes if note.seq > notes_after),
            handoffs=await self.store.handoffs(conversation),
            marks=await self.desk.marks(conversation),
            reads=await self.desk.read_marks(conversation),
            own_draft=await self.desk.draft(conversation, agent),
            profile=await self.desk.profile(conversation),
            ratings=await self.ratings.ratings(conversation) if self.ratings else (),
            attachments=await self._attachments(conversation),
        )

    async def attachment(self, conversation: ConversationId, seq: int) -> tuple[Message, Attachment] | None:
        """Return the image that came with a message, and the message; None when it has none. ConversationUnknown."""
        snapshot = await self.store.snapshot(conversation, after=seq - 1)
        sent = next((m for m in current(snapshot.messages) if m.seq == seq and m.kind is Kind.FILE), None)
        if sent is None or sent.channel_message_id is None or self.attachments is None:
            return None
        found = await self.attachments.attachment(conversation, sent.channel_message_id)
        return None if found is None else (sent, found)

    async def history(self, conversation: ConversationId) -> tuple[AuditRow, ...]:
        """Return who changed the conversation's state, oldest first."""
        return await self.store.audit(conversation)

    async def turn(self, conversation: ConversationId, turn: TurnId) -> Turn | None:
        """Return the record of one of the conversation's turns; None when it has no such turn."""
        turns = await self.store.turns(conversation)
        return next((one for one in turns if one.id == turn), None)

    async def search(self, text: str) -> tuple[Found, ...]:
        """Return conversations in which words begin with those of *text*, newest match first; none for an empty one."""
        words = clean_text(text, field="q")
        return await self.desk.search(words, limit=SEARCH_LIMIT) if words else ()

    async def _attachments(self, conversation: ConversationId) -> Mapping[str, AttachmentHead]:
        heads = await self.attachments.attachments(conversation) if self.attachments else ()
        return {head.message_id: head for head in heads}

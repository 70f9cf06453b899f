"""The conversation store on SQLite: each method is one transaction, on the database's own thread."""

from collections.abc import Sequence

from bot.adapters.sqlite import conversation_reads as reads
from bot.adapters.sqlite import conversation_writes as writes
from bot.adapters.sqlite import notes, outbox
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.audit import AuditRow, Change
from bot.core.conversation import Conversation, ConversationId, Message, TurnId
from bot.core.handoffs import HandoffRow
from bot.core.inbound import CustomerMessage
from bot.core.notes import Note
from bot.core.outbox import DESK, EVERYTHING, OutboxRow, Told
from bot.core.turn import Fence, Turn, TurnStart
from bot.ports import Received, Snapshot


class SqliteConversationStore:
    """Conversations in one SQLite file, which several processes may share."""

    def __init__(self, database: SqliteDatabase, *, told: Told = DESK) -> None:
        self._database = database
        self._told = told

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        return await self._database.write(lambda c: writes.open_conversation(c, conversation))

    async def conversation(self, conversation: ConversationId) -> Conversation:
        return await self._database.read(lambda c: reads.conversation_state(c, conversation))

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        return await self._database.write(lambda c: writes.receive(c, message, at_ms=at_ms, told=self._told))

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        return await self._database.read(
            lambda c: reads.turn_start(c, conversation, history=history, turns_since_ms=turns_since_ms)
        )

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        await self._database.write(
            lambda c: writes.show_blocks(c, fence, turn=turn, texts=texts, told=self._told)
        )

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        return await self._database.write(
            lambda c: writes.commit_turn(c, turn, messages, moved, told=self._told)
        )

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        return await self._database.write(lambda c: writes.change(c, read, moved, change, told=self._told))

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        return await self._database.read(lambda c: reads.snapshot(c, conversation, after))

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        return await self._database.read(lambda c: reads.unanswered(c, received_before_ms))

    async def conversations_with_turns(self, *, since_ms: int) -> tuple[ConversationId, ...]:
        return await self._database.read(lambda c: reads.conversations_with_turns(c, since_ms))

    async def turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        return await self._database.read(lambda c: reads.turns(c, conversation))

    async def handoffs(self, conversation: ConversationId) -> tuple[HandoffRow, ...]:
        return await self._database.read(lambda c: reads.handoffs(c, conversation))

    async def audit(self, conversation: ConversationId) -> tuple[AuditRow, ...]:
        return await self._database.read(lambda c: reads.audit(c, conversation))

    async def outbox(self, *, limit: int) -> tuple[OutboxRow, ...]:
        return await self._database.read(lambda c: outbox.undelivered(c, limit))

    async def outbox_due(self, *, now_ms: int, limit: int, kinds: Told = EVERYTHING) -> tuple[OutboxRow, ...]:
        return await self._database.read(lambda c: outbox.due(c, now_ms=now_ms, limit=limit, kinds=kinds))

    async def delivered(self, key: str, *, at_ms: int) -> None:
        await self._database.write(lambda c: outbox.mark_delivered(c, key, at_ms=at_ms))

    async def postponed(self, key: str, *, until_ms: int) -> None:
        await self._database.write(lambda c: outbox.postpone(c, key, until_ms=until_ms))

    async def add_note(self, conversation: ConversationId, note: Note) -> Note:
        return await self._database.write(lambda c: notes.add(c, conversation, note, told=self._told))

    async def notes(self, conversation: ConversationId) -> tuple[Note, ...]:
        return await self._database.read(lambda c: notes.notes(c, conversation))

    async def unsummarised(self, *, opened_before_ms: int, limit: int) -> tuple[HandoffRow, ...]:
        return await self._database.read(
            lambda c: notes.unsummarised(c, opened_before_ms=opened_before_ms, limit=limit)
        )

    async def ping(self) -> None:
        await self._database.write(writes.prove_writable)

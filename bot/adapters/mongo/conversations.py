"""The conversation store on MongoDB, which many processes share."""

from collections.abc import Sequence

from bot.adapters.mongo import notes, outbox
from bot.adapters.mongo.database import MongoDatabase, Query
from bot.adapters.mongo.documents import once, to_message, to_turn
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping, Kept
from bot.core.audit import AuditRow, Change
from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, TurnId
from bot.core.handoffs import HandoffRow
from bot.core.inbound import CustomerMessage
from bot.core.notes import Note
from bot.core.outbox import DESK, EVERYTHING, OutboxRow, Told, noted
from bot.core.recording import (
    Written,
    changed,
    opened,
    received,
    require_not_taken_over,
    settled,
    shown,
)
from bot.core.revisions import repeated, revised
from bot.core.transcript import require_fitting
from bot.core.turn import Fence, Turn, TurnStart
from bot.errors import ConversationUnknown
from bot.ports import Received, Snapshot
from bot.stored_rows import to_audit, to_handoff

_OLDEST = [("seq", 1)]
_NEWEST = [("seq", -1)]
_WRITTEN = [("order", 1)]


class MongoConversationStore:
    """Conversations in one database. What a write leaves behind is decided in `core.recording`."""

    def __init__(self, database: MongoDatabase, *, told: Told = DESK) -> None:
        self.database = database
        self._keeping = Keeping(database=database)
        self._told = told

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        await self._keeping.open(conversation, opened(conversation))
        if await self.database.count("erased", {"_id": conversation.id}):
            # Looked at last: who erases notes it first, so that one of the two sees the other.
            await self.database.delete(CONVERSATIONS, {"_id": conversation.id})
            raise ConversationUnknown(f"conversation {conversation.id} was erased")
        return (await self._keeping.read(conversation.id)).record.state

    async def conversation(self, conversation: ConversationId) -> Conversation:
        return (await self._keeping.read(conversation)).record.state

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        earlier: list[Message] = []

        async def decide(kept: Kept) -> Written | None:
            stored = await self._stored_about(message)
            same = repeated(message, stored)
            earlier[:] = [] if same is None else [same]
            if earlier:
                return None
            return received(kept.record, message, at_ms=at_ms, told=self._told, stored=stored)

        kept, written = await self._keeping.write(message.conversation, decide)
        if written is None:
            return Received(message=earlier[0], conversation=kept.record.state, duplicate=True)
        return Received(message=written.messages[-1], conversation=written.record.state, duplicate=False)

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        state = (await self._keeping.read(conversation)).record.state
        if not state.owes_a_turn:
            return None
        until = {"conversation": conversation, "seq": {"$lte": state.last_seq}}
        latest = await self._messages(until, order=_NEWEST, limit=history)
        unanswered = {"$gt": state.answered_seq, "$lte": state.last_seq}
        since = {"conversation": conversation, "settled_ms": {"$gte": turns_since_ms}}
        asked = await self._messages({**until, "seq": unanswered, "role": str(Role.CUSTOMER)})
        return TurnStart(
            conversation=state,
            history=revised(latest[::-1]),
            unanswered=revised(asked),
            recent_turns=await self.database.count("turns", since),
        )

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        async def decide(kept: Kept) -> Written:
            await self._require_not_taken_over(fence, turn)
            return shown(kept.record, fence, turn=turn, texts=texts, told=self._told)

        await self._keeping.write(fence.conversation, decide)

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        require_fitting(turn, moved)

        async def decide(kept: Kept) -> Written:
            await self._require_not_taken_over(turn.fence, turn.id)
            return settled(kept.record, turn, messages, moved, told=self._told)

        return _seen(*await self._keeping.write(turn.fence.conversation, decide))

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        ids = [m.channel_message_id for m in change.messages if m.channel_message_id is not None]
        repeated: list[Message] = []

        async def decide(kept: Kept) -> Written | None:
            repeated[:] = await self._stored(read.id, ids)
            return None if repeated else changed(kept.record, read, moved, change, told=self._told)

        kept, written = await self._keeping.write(read.id, decide)
        if written is None:
            return Snapshot(conversation=kept.record.state, messages=tuple(repeated))
        return _seen(kept, written)

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        record = (await self._keeping.read(conversation)).record
        visible = {
            "conversation": conversation,
            "seq": {"$gt": after, "$lte": record.state.last_seq},
            "kind": {"$ne": str(Kind.NOTE)},
        }
        return Snapshot(
            conversation=record.state,
            messages=await self._messages(visible),
            draft=() if record.draft is None else record.draft.blocks,
        )

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        owing = {"owes": 1, "owed_since_ms": {"$lt": received_before_ms}}
        found = await self.database.find(CONVERSATIONS, owing, order=[("owed_since_ms", 1), ("_id", 1)])
        return tuple(ConversationId(str(one["_id"])) for one in found)

    async def conversations_with_turns(self, *, since_ms: int) -> tuple[ConversationId, ...]:
        await self._keeping.copy_all_out()
        found = await self.database.find(
            "turns", {"settled_ms": {"$gte": since_ms}}, order=[("settled_ms", 1)]
        )
        first: dict[ConversationId, object] = {}
        for turn in found:
            first.setdefault(ConversationId(str(turn["conversation"])), turn["settled_ms"])
        return tuple(sorted(first, key=lambda one: (first[one], one)))

    async def turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        return tuple(to_turn(one) for one in await self._rows("turns", conversation))

    async def handoffs(self, conversation: ConversationId) -> tuple[HandoffRow, ...]:
        found = [to_handoff(one) for one in await self._rows("handoffs", conversation)]
        return tuple(sorted(found, key=lambda row: row.epoch))

    async def audit(self, conversation: ConversationId) -> tuple[AuditRow, ...]:
        return tuple(to_audit(one) for one in await self._rows("audit", conversation))

    async def outbox(self, *, limit: int) -> tuple[OutboxRow, ...]:
        await self._keeping.copy_all_out()
        return await outbox.undelivered(self.database, limit)

    async def outbox_due(self, *, now_ms: int, limit: int, kinds: Told = EVERYTHING) -> tuple[OutboxRow, ...]:
        await self._keeping.copy_all_out()
        return await outbox.due(self.database, now_ms=now_ms, limit=limit, kinds=kinds)

    async def delivered(self, key: str, *, at_ms: int) -> None:
        await outbox.mark_delivered(self.database, key, at_ms=at_ms)

    async def postponed(self, key: str, *, until_ms: int) -> None:
        await outbox.postpone(self.database, key, until_ms=until_ms)

    async def add_note(self, conversation: ConversationId, note: Note) -> Note:
        await self._keeping.read(conversation)
        added = await notes.add(self.database, conversation, note)
        await self._keeping.require_there(conversation, wrote="notes")
        await self._announce(conversation, added)
        return added

    async def _announce(self, conversation: ConversationId, note: Note) -> None:
        """Announce a note that is stored, for a repeat too: who died in between has not."""

        async def decide(kept: Kept) -> Written | None:
            rows = noted(kept.record.state, note.seq, at_ms=note.at_ms, told=self._told)
            return Written(record=kept.record, outbox=rows) if rows else None

        await self._keeping.write(conversation, decide)

    async def notes(self, conversation: ConversationId) -> tuple[Note, ...]:
        await self._keeping.read(conversation)
        return await notes.notes(self.database, conversation)

    async def unsummarised(self, *, opened_before_ms: int, limit: int) -> tuple[HandoffRow, ...]:
        await self._keeping.copy_all_out()
        return await notes.unsummarised(self.database, opened_before_ms=opened_before_ms, limit=limit)

    async def ping(self) -> None:
        await self.database.ping()

    async def _rows(self, collection: str, conversation: ConversationId) -> list[dict[str, object]]:
        await self._keeping.read(conversation)
        return await self.database.find(collection, {"conversation": conversation}, order=_WRITTEN)

    async def _messages(
        self, query: Query, *, order: Sequence[tuple[str, int]] = _OLDEST, limit: int | None = None
    ) -> tuple[Message, ...]:
        found = await self.database.find("messages", query, order=order, limit=limit)
        return tuple(to_message(one) for one in found)

    async def _stored_about(self, message: CustomerMessage) -> tuple[Message, ...]:
        if message.revises is not None:
            return await self._messages({"conversation": message.conversation})
        return await self._stored(message.conversation, [message.channel_message_id])

    async def _stored(self, conversation: ConversationId, ids: Sequence[str]) -> tuple[Message, ...]:
        if not ids:
            return ()
        return await self._messages(
            {"conversation": conversation, "once": {"$in": [once(one) for one in ids]}}
        )

    async def _require_not_taken_over(self, fence: Fence, turn: TurnId) -> None:
        since = {"conversation": fence.conversation, "seq": {"$gt": fence.last_customer_seq}}
        require_not_taken_over(await self._messages(since), turn)


def _seen(kept: Kept, written: Written | None) -> Snapshot:
    if written is None:
        return Snapshot(conversation=kept.record.state, messages=())
    return Snapshot(conversation=written.record.state, messages=written.messages)

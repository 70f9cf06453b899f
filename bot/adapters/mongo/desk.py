"""The desk store on MongoDB: what agents read across conversations and write beside them."""

from bot.adapters.mongo import desk_activity as activity
from bot.adapters.mongo import desk_marks as marks
from bot.adapters.mongo import desk_queue as queue
from bot.adapters.mongo import desk_search as search
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import Keeping
from bot.core.activity import Activity
from bot.core.conversation import AgentId, ConversationId
from bot.core.customers import Profile
from bot.core.desk import CannedReply, Found, Mark, MarkKind, QueueRow, ReadMarks, by_title
from bot.core.turn import Turn


class MongoDeskStore:
    """The desk's side of the database that the conversations are in. What a dead process had not copied is copied first."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._keeping = Keeping(database=database)

    async def queue(self) -> tuple[QueueRow, ...]:
        await self._keeping.copy_all_out()
        return await queue.queue(self._database)

    async def queue_row(self, conversation: ConversationId) -> QueueRow | None:
        await self._keeping.copy_all_out()
        return await queue.queue_row(self._database, conversation)

    async def position(self, conversation: ConversationId) -> int | None:
        return await queue.position(self._database, conversation)

    async def recent_waits(self, *, since_ms: int, limit: int) -> tuple[int, ...]:
        await self._keeping.copy_all_out()
        return await queue.recent_waits(self._database, since_ms=since_ms, limit=limit)

    async def claims_of(self, agent: AgentId) -> tuple[ConversationId, ...]:
        return await queue.claims_of(self._database, agent)

    async def leases_over(self, *, now_ms: int) -> tuple[ConversationId, ...]:
        return await queue.leases_over(self._database, now_ms=now_ms)

    async def add_mark(self, mark: Mark) -> Mark:
        await self._keeping.read(mark.conversation)
        kept = await marks.add_mark(self._database, mark)
        await self._keeping.require_there(mark.conversation, wrote="marks")
        return kept

    async def remove_mark(self, conversation: ConversationId, kind: MarkKind, seq: int) -> None:
        await self._keeping.read(conversation)
        await marks.remove_mark(self._database, conversation, kind, seq)

    async def marks(self, conversation: ConversationId) -> tuple[Mark, ...]:
        await self._keeping.read(conversation)
        return await marks.marks(self._database, {"conversation": conversation})

    async def marked(self, kind: MarkKind, *, since_ms: int) -> tuple[Mark, ...]:
        return await marks.marks(self._database, {"kind": str(kind), "at_ms": {"$gte": since_ms}})

    async def keep_draft(
        self, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
    ) -> None:
        await self._keeping.read(conversation)
        await marks.keep_draft(self._database, conversation, agent, text, at_ms=at_ms)
        await self._keeping.require_there(conversation, wrote="unsent_replies")

    async def draft(self, conversation: ConversationId, agent: AgentId) -> str:
        await self._keeping.read(conversation)
        return await marks.draft(self._database, conversation, agent)

    async def mark_read(
        self, conversation: ConversationId, *, customer: int = 0, agent: int = 0
    ) -> ReadMarks:
        last_seq = (await self._keeping.read(conversation)).record.state.last_seq
        moved = await marks.mark_read(
            self._database, conversation, customer=customer, agent=agent, last_seq=last_seq
        )
        await self._keeping.require_there(conversation, wrote="read_marks")
        return moved

    async def read_marks(self, conversation: ConversationId) -> ReadMarks:
        await self._keeping.read(conversation)
        return await marks.read_marks(self._database, conversation)

    async def canned_replies(self) -> tuple[CannedReply, ...]:
        return by_title(await marks.canned_replies(self._database))

    async def save_canned_reply(self, reply: CannedReply) -> None:
        await marks.save_canned_reply(self._database, reply)

    async def remove_canned_reply(self, reply_id: str) -> None:
        await self._database.delete("canned_replies", {"_id": reply_id})

    async def profile(self, conversation: ConversationId) -> Profile:
        return (await self._keeping.read(conversation)).profile or Profile()

    async def search(self, text: str, *, limit: int) -> tuple[Found, ...]:
        await self._keeping.copy_all_out()
        return await search.search(self._database, text, limit=limit)

    async def activity(self, *, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
        await self._keeping.copy_all_out()
        return await activity.activity(self._database, since_ms, until_ms)

    async def handoff_turns(self, *, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
        await self._keeping.copy_all_out()
        return await activity.handoff_turns(self._database, since_ms, until_ms)

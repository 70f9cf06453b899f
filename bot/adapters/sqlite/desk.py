"""The desk store on SQLite: what agents read across conversations and write beside them. Each method is one transaction."""

from bot.adapters.sqlite import customers
from bot.adapters.sqlite import desk_activity as activity
from bot.adapters.sqlite import desk_marks as marks
from bot.adapters.sqlite import desk_queue as queue
from bot.adapters.sqlite import desk_search as search
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.activity import Activity
from bot.core.conversation import AgentId, ConversationId
from bot.core.customers import Profile
from bot.core.desk import CannedReply, Found, Mark, MarkKind, QueueRow, ReadMarks, by_title
from bot.core.turn import Turn


class SqliteDeskStore:
    """The desk's side of the file that the conversations are in, which several processes may share."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def queue(self) -> tuple[QueueRow, ...]:
        return await self._database.read(queue.queue)

    async def queue_row(self, conversation: ConversationId) -> QueueRow | None:
        return await self._database.read(lambda c: queue.queue_row(c, conversation))

    async def position(self, conversation: ConversationId) -> int | None:
        return await self._database.read(lambda c: queue.position(c, conversation))

    async def recent_waits(self, *, since_ms: int, limit: int) -> tuple[int, ...]:
        return await self._database.read(lambda c: queue.recent_waits(c, since_ms=since_ms, limit=limit))

    async def claims_of(self, agent: AgentId) -> tuple[ConversationId, ...]:
        return await self._database.read(lambda c: queue.claims_of(c, agent))

    async def leases_over(self, *, now_ms: int) -> tuple[ConversationId, ...]:
        return await self._database.read(lambda c: queue.leases_over(c, now_ms=now_ms))

    async def add_mark(self, mark: Mark) -> Mark:
        return await self._database.write(lambda c: marks.add_mark(c, mark))

    async def remove_mark(self, conversation: ConversationId, kind: MarkKind, seq: int) -> None:
        await self._database.write(lambda c: marks.remove_mark(c, conversation, kind, seq))

    async def marks(self, conversation: ConversationId) -> tuple[Mark, ...]:
        return await self._database.read(lambda c: marks.marks(c, conversation))

    async def marked(self, kind: MarkKind, *, since_ms: int) -> tuple[Mark, ...]:
        return await self._database.read(lambda c: marks.marked(c, kind, since_ms=since_ms))

    async def keep_draft(
        self, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
    ) -> None:
        await self._database.write(lambda c: marks.keep_draft(c, conversation, agent, text, at_ms=at_ms))

    async def draft(self, conversation: ConversationId, agent: AgentId) -> str:
        return await self._database.read(lambda c: marks.draft(c, conversation, agent))

    async def mark_read(
        self, conversation: ConversationId, *, customer: int = 0, agent: int = 0
    ) -> ReadMarks:
        return await self._database.write(
            lambda c: marks.mark_read(c, conversation, customer=customer, agent=agent)
        )

    async def read_marks(self, conversation: ConversationId) -> ReadMarks:
        return await self._database.read(lambda c: marks.read_marks(c, conversation))

    async def canned_replies(self) -> tuple[CannedReply, ...]:
        return by_title(await self._database.read(marks.canned_replies))

    async def save_canned_reply(self, reply: CannedReply) -> None:
        await self._database.write(lambda c: marks.save_canned_reply(c, reply))

    async def remove_canned_reply(self, reply_id: str) -> None:
        await self._database.write(lambda c: marks.remove_canned_reply(c, reply_id))

    async def profile(self, conversation: ConversationId) -> Profile:
        return await self._database.read(lambda c: customers.profile(c, conversation))

    async def search(self, text: str, *, limit: int) -> tuple[Found, ...]:
        return await self._database.read(lambda c: search.search(c, text, limit=limit))

    async def activity(self, *, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
        return await self._database.read(lambda c: activity.activity(c, since_ms, until_ms))

    async def handoff_turns(self, *, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
        return await self._database.read(lambda c: activity.handoff_turns(c, since_ms, until_ms))

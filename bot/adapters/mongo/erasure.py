"""The erasure port on MongoDB."""

from collections.abc import Mapping, Sequence

from bot.adapters.mongo import erasing, people
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import Keeping
from bot.core.conversation import ConversationId
from bot.core.erasure import OPERATOR, Erased, Trace
from bot.privacy_ports import NotedErasures


class MongoErasure:
    """Finds, hands out and removes what the database holds of people."""

    def __init__(self, database: MongoDatabase, *, noted: NotedErasures | None = None) -> None:
        self._database = database
        self._keeping = Keeping(database=database)
        self._noted = noted

    async def traces_of(self, person: str) -> tuple[Trace, ...]:
        await self._keeping.copy_all_out()
        return await people.traces_of(self._database, person)

    async def everything(self, conversation: ConversationId) -> Mapping[str, object]:
        await self._keeping.read(conversation)
        return await people.everything(self._database, conversation)

    async def erase(
        self, conversations: Sequence[ConversationId], *, who: str, at_ms: int
    ) -> tuple[ConversationId, ...]:
        await self._keeping.copy_all_out()
        if self._noted is not None and who == OPERATOR:
            self._noted.add(conversations)  # before it is done, so that no crash leaves one out
        return await erasing.erase(self._database, conversations, who=who, at_ms=at_ms)

    async def erase_again(self, *, at_ms: int) -> tuple[ConversationId, ...]:
        await erasing.finish(self._database)
        listed = () if self._noted is None else self._noted.all()
        return await erasing.erase(self._database, listed, who=OPERATOR, at_ms=at_ms) if listed else ()

    async def erased(self, *, after: int) -> tuple[Erased, ...]:
        return await erasing.erased(self._database, after)

    async def erasure_of(self, conversation: ConversationId) -> Erased | None:
        return await erasing.erasure_of(self._database, conversation)

    async def idle(self, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
        return await erasing.idle(self._database, since_ms=since_ms, limit=limit)

    async def reduce_evidence(self, *, settled_before_ms: int, limit: int) -> int:
        await self._keeping.copy_all_out()
        return await erasing.reduce_evidence(self._database, settled_before_ms=settled_before_ms, limit=limit)

    async def scrub(self, *, copying: bool) -> None:
        """What the server does with the space of deleted documents is its own affair; the README says what that means."""

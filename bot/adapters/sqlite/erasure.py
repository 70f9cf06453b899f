"""The erasure port on SQLite: each method is one transaction, but for scrubbing, which works on the file itself."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial

from bot.adapters.sqlite import erasing, people
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.core.erasure import OPERATOR, Erased, Trace
from bot.errors import StoreUnavailable
from bot.privacy_ports import NotedErasures


class SqliteErasure:
    """Finds, hands out and removes what the file holds of people."""

    def __init__(self, database: SqliteDatabase, *, noted: NotedErasures | None = None) -> None:
        self._database = database
        self._noted = noted

    async def traces_of(self, person: str) -> tuple[Trace, ...]:
        return await self._database.read(lambda c: people.traces_of(c, person))

    async def everything(self, conversation: ConversationId) -> Mapping[str, object]:
        return await self._database.read(lambda c: people.everything(c, conversation))

    async def erase(
        self, conversations: Sequence[ConversationId], *, who: str, at_ms: int
    ) -> tuple[ConversationId, ...]:
        return await self._database.write(lambda c: self._erase(c, conversations, who=who, at_ms=at_ms))

    async def erase_again(self, *, at_ms: int) -> tuple[ConversationId, ...]:
        listed = () if self._noted is None else self._noted.all()
        if not listed:
            return ()
        again = await self._database.write(lambda c: erasing.erase(c, listed, who=OPERATOR, at_ms=at_ms))
        if again:
            await self.scrub(copying=True)
        return again

    async def erased(self, *, after: int) -> tuple[Erased, ...]:
        return await self._database.read(lambda c: erasing.erased(c, after))

    async def erasure_of(self, conversation: ConversationId) -> Erased | None:
        return await self._database.read(lambda c: erasing.erasure_of(c, conversation))

    async def idle(self, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
        return await self._database.read(lambda c: erasing.idle(c, since_ms=since_ms, limit=limit))

    async def reduce_evidence(self, *, settled_before_ms: int, limit: int) -> int:
        return await self._database.write(
            lambda c: erasing.reduce_evidence(c, settled_before_ms=settled_before_ms, limit=limit)
        )

    async def scrub(self, *, copying: bool) -> None:
        begins = True
        while await self._database.maintain(partial(erasing.merge_words, begins=begins)):
            begins = False
        await self._database.maintain(lambda c: self._scrub(c, copying=copying))

    def _erase(
        self,
        connection: sqlite3.Connection,
        conversations: Sequence[ConversationId],
        *,
        who: str,
        at_ms: int,
    ) -> tuple[ConversationId, ...]:
        """Listed before it is done, so that no crash leaves one out. What is old, retention finds again by itself."""
        done = erasing.erase(connection, conversations, who=who, at_ms=at_ms)
        if done and who == OPERATOR and self._noted is not None:
            self._noted.add(done)
        return done

    def _scrub(self, connection: sqlite3.Connection, *, copying: bool) -> None:
        """A page that was split may hold a second copy of a row; only a new file surely does not."""
        if copying:
            connection.execute("VACUUM")
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise StoreUnavailable(
                f"{self._database.path}: another process reads it all the time; try again."
            )

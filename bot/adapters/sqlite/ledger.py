"""The ledger on SQLite: one row for each turn that asked for a draft."""

import sqlite3

from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.caps import Caps, Spending, Spent, SpentInADay, cap_reached
from bot.core.conversation import ConversationId

_SUMS = "SELECT count(*), coalesce(sum(tokens), 0), coalesce(sum(micro_usd), 0) FROM spending"
# Of a conversation that was erased meanwhile nothing is kept.
_SPEND = """
INSERT OR REPLACE INTO spending (turn, conversation, at_ms, tokens, micro_usd)
SELECT ?, id, ?, ?, ? FROM conversations WHERE id = ?
"""


class SqliteLedger:
    """Counts in the file that the conversations are in, which several processes may share."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def spent(self, conversation: ConversationId, *, since_ms: int) -> SpentInADay:
        return await self._database.read(lambda c: _spent(c, conversation, since_ms))

    async def spend(self, spending: Spending, *, caps: Caps, since_ms: int) -> str | None:
        return await self._database.write(lambda c: _spend(c, spending, caps, since_ms))


def _spent(connection: sqlite3.Connection, conversation: ConversationId, since_ms: int) -> SpentInADay:
    here = connection.execute(f"{_SUMS} WHERE conversation = ? AND at_ms >= ?", (conversation, since_ms))
    everywhere = connection.execute(f"{_SUMS} WHERE at_ms >= ?", (since_ms,))
    return SpentInADay(conversation=_to_spent(here), overall=_to_spent(everywhere))


def _spend(connection: sqlite3.Connection, spending: Spending, caps: Caps, since_ms: int) -> str | None:
    if reached := cap_reached(caps, _spent(connection, spending.conversation, since_ms)):
        return reached
    connection.execute(
        "INSERT OR REPLACE INTO spending (turn, conversation, at_ms, tokens, micro_usd) VALUES (?, ?, ?, ?, ?)",
        (spending.turn, spending.conversation, spending.at_ms, spending.tokens, spending.micro_usd),
    )
    return None


def _to_spent(cursor: sqlite3.Cursor) -> Spent:
    turns, tokens, micro_usd = cursor.fetchone()
    return Spent(turns=turns, tokens=tokens, micro_usd=micro_usd)

"""The rating store on SQLite: every rating is kept, the last of an episode counts."""

import sqlite3
from dataclasses import asdict

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId
from bot.core.ratings import Rating, in_force, is_repeat
from bot.errors import MessageConflict

_RATE = """
INSERT INTO ratings (conversation, message_id, episode, score, comment, at_ms)
VALUES (:conversation, :message_id, :episode, :score, :comment, :at_ms)
"""
_SCORES = """
SELECT score FROM ratings AS r WHERE at_ms >= ? AND at_ms < ? AND NOT EXISTS (
    SELECT 1 FROM ratings AS later
    WHERE later.conversation = r.conversation AND later.episode = r.episode AND later.number > r.number
)
"""


class SqliteRatingStore:
    """The ratings in the file that the conversations are in."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def rate(self, conversation: ConversationId, rating: Rating) -> Rating:
        return await self._database.write(lambda c: _rate(c, conversation, rating))

    async def ratings(self, conversation: ConversationId) -> tuple[Rating, ...]:
        return await self._database.read(lambda c: _ratings(c, conversation))

    async def scores(self, *, since_ms: int, until_ms: int) -> tuple[int, ...]:
        return await self._database.read(
            lambda c: tuple(row["score"] for row in c.execute(_SCORES, (since_ms, until_ms)))
        )


def _rate(connection: sqlite3.Connection, conversation: ConversationId, rating: Rating) -> Rating:
    conversation_state(connection, conversation)
    key = (conversation, rating.message_id)
    found = connection.execute(
        "SELECT * FROM ratings WHERE conversation = ? AND message_id = ?", key
    ).fetchone()
    if found is None:
        connection.execute(_RATE, {**asdict(rating), "conversation": conversation})
        return rating
    stored = to_rating(found)
    if not is_repeat(stored, rating):
        raise MessageConflict(f"rating {rating.message_id} came before with another body")
    return stored


def _ratings(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Rating, ...]:
    conversation_state(connection, conversation)
    rows = connection.execute("SELECT * FROM ratings WHERE conversation = ? ORDER BY number", (conversation,))
    return in_force(map(to_rating, rows))


def to_rating(row: sqlite3.Row) -> Rating:
    """Read a rating."""
    return Rating(
        message_id=row["message_id"],
        episode=row["episode"],
        score=row["score"],
        comment=row["comment"],
        at_ms=row["at_ms"],
    )

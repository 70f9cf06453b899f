"""The Slack store on SQLite: each method is one transaction, so that of two that come at once the second sees the first."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.slack_inbox import SqliteSlackInbox
from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import Place, Side, SlackPerson, SlackPost, SlackThread
from bot.stored_slack import (
    from_person,
    from_place,
    from_post,
    from_thread,
    to_person,
    to_post,
    to_thread,
)

T = TypeVar("T")

_BIND = """
INSERT INTO slack_threads (conversation, side, team, channel, thread_ts, user, spell, shown_seq, shown_note)
VALUES (:conversation, :side, :team, :channel, :thread_ts, :user, :spell, :shown_seq, :shown_note)
"""
_THREAD = """
SELECT * FROM slack_threads WHERE side = :side AND team = :team AND channel = :channel AND thread_ts = :thread_ts
"""
_SHOWN = """
UPDATE slack_threads SET shown_seq = max(shown_seq, :seq), shown_note = max(shown_note, :note)
WHERE conversation = :conversation
AND side = :side AND team = :team AND channel = :channel AND thread_ts = :thread_ts
"""
_THREADS = "SELECT * FROM slack_threads WHERE conversation = ? ORDER BY side, spell, team, channel, thread_ts"
_BEGIN = """
INSERT INTO slack_posts (key, conversation, team, channel, thread_ts, begun_ms, ts, digest)
VALUES (:key, :conversation, :team, :channel, :thread_ts, :begun_ms, :ts, :digest)
"""
_POST = "SELECT * FROM slack_posts WHERE key = ?"
_POSTS = "SELECT * FROM slack_posts WHERE conversation = ? ORDER BY begun_ms, key"
_LINK = "INSERT OR REPLACE INTO slack_people (team, user, agent) VALUES (:team, :user, :agent)"
_PERSON = "SELECT * FROM slack_people WHERE team = ? AND user = ?"
_PERSON_OF = "SELECT * FROM slack_people WHERE agent = ? ORDER BY team, user LIMIT 1"


class SqliteSlackStore(SqliteSlackInbox):
    """What is kept of Slack, in the file that the conversations are in."""

    async def bind(self, thread: SlackThread) -> SlackThread:
        return await self._database.write(lambda c: _bind(c, thread))

    async def thread(self, place: Place, side: Side) -> SlackThread | None:
        return await self._database.read(lambda c: _thread(c, place, side))

    async def threads_of(self, conversation: ConversationId) -> tuple[SlackThread, ...]:
        return await self._database.read(lambda c: threads(c, conversation))

    async def shown(self, thread: SlackThread, *, seq: int = 0, note: int = 0) -> None:
        await self._changes(_SHOWN, {**from_thread(thread), "seq": seq, "note": note})

    async def begin_post(self, post: SlackPost) -> SlackPost:
        return await self._database.write(lambda c: _begin(c, post))

    async def posted(self, key: str, *, ts: str, digest: str) -> None:
        await self._changes("UPDATE slack_posts SET ts = ?, digest = ? WHERE key = ?", (ts, digest, key))

    async def post(self, key: str) -> SlackPost | None:
        return await self._database.read(lambda c: _first(c.execute(_POST, (key,)), to_post))

    async def posts_of(self, conversation: ConversationId) -> tuple[SlackPost, ...]:
        return await self._database.read(lambda c: posts(c, conversation))

    async def drop_post(self, key: str) -> None:
        await self._changes("DELETE FROM slack_posts WHERE key = ?", (key,))

    async def post_at(self, place_channel: str, ts: str) -> SlackPost | None:
        asked = "SELECT * FROM slack_posts WHERE channel = ? AND ts = ?"
        return await self._database.read(lambda c: _first(c.execute(asked, (place_channel, ts)), to_post))

    async def link(self, person: SlackPerson) -> None:
        await self._changes(_LINK, from_person(person))

    async def person(self, team: str, user: str) -> SlackPerson | None:
        return await self._database.read(lambda c: _first(c.execute(_PERSON, (team, user)), to_person))

    async def person_of(self, agent: AgentId) -> SlackPerson | None:
        return await self._database.read(lambda c: _first(c.execute(_PERSON_OF, (agent,)), to_person))


def threads(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[SlackThread, ...]:
    """Return a conversation's threads, inside the caller's transaction."""
    return tuple(map(to_thread, connection.execute(_THREADS, (conversation,))))


def posts(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[SlackPost, ...]:
    """Return a conversation's posts, inside the caller's transaction."""
    return tuple(map(to_post, connection.execute(_POSTS, (conversation,))))


def _bind(connection: sqlite3.Connection, thread: SlackThread) -> SlackThread:
    stored = _thread(connection, thread.place, thread.side)
    if stored is not None:
        return stored
    conversation_state(connection, thread.conversation)
    connection.execute(_BIND, from_thread(thread))
    return thread


def _thread(connection: sqlite3.Connection, place: Place, side: Side) -> SlackThread | None:
    return _first(connection.execute(_THREAD, {**from_place(place), "side": side}), to_thread)


def _begin(connection: sqlite3.Connection, post: SlackPost) -> SlackPost:
    stored = _first(connection.execute(_POST, (post.key,)), to_post)
    if stored is not None:
        return stored
    conversation_state(connection, post.conversation)
    connection.execute(_BEGIN, from_post(post))
    return post


def _first(rows: sqlite3.Cursor, read: Callable[[sqlite3.Row], T]) -> T | None:
    row = rows.fetchone()
    return None if row is None else read(row)

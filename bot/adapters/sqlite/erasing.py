"""Erasure on SQLite. Which tables belong to a conversation is read from the schema, so that none that is added later is forgotten.

Deleted rows are overwritten with zeros (PRAGMA secure_delete); the words that were searched are merged without them.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence

from bot.adapters.sqlite.audit import write
from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.slack_inbox import forget_payloads
from bot.core.conversation import Conversation, ConversationId
from bot.core.erasure import Erased, erasure_row
from bot.core.evidence import reduced
from bot.errors import ConversationUnknown
from bot.stored_turns import from_turn, to_turn

MERGED_PAGES = 500

_BELONGING = """
SELECT t.name, f."from" AS "column" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
WHERE t.type = 'table' AND f."table" = 'conversations' ORDER BY t.name
"""
_IDLE = """
SELECT c.id FROM conversations AS c
WHERE c.status IN ('bot', 'resolved') AND c.created_ms < :since AND c.owned_since_ms < :since AND NOT EXISTS (
    SELECT 1 FROM messages AS m WHERE m.conversation = c.id AND m.at_ms >= :since
) ORDER BY c.created_ms, c.id LIMIT :limit
"""


def belonging(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Yield each table whose rows belong to a conversation, with the column that names it."""
    for row in connection.execute(_BELONGING).fetchall():
        yield row["name"], row["column"]


def erase(
    connection: sqlite3.Connection, conversations: Sequence[ConversationId], *, who: str, at_ms: int
) -> tuple[ConversationId, ...]:
    """Remove those that are there."""
    states = [state for state in (_state(connection, one) for one in dict.fromkeys(conversations)) if state]
    if not states:
        return ()
    forget_payloads(connection, (state.id for state in states), at_ms=at_ms)
    among = (json.dumps([state.id for state in states]),)
    connection.execute(
        "DELETE FROM message_words WHERE conversation IN (SELECT value FROM json_each(?))", among
    )
    for table, column in belonging(connection):
        connection.execute(
            f'DELETE FROM "{table}" WHERE "{column}" IN (SELECT value FROM json_each(?))',  # noqa: S608 - of our schema
            among,
        )
    connection.execute("DELETE FROM conversations WHERE id IN (SELECT value FROM json_each(?))", among)
    connection.execute(
        "DELETE FROM sign_outs WHERE subject NOT IN (SELECT subject FROM customers WHERE subject IS NOT NULL)"
    )
    for state in states:
        _note(connection, state, who=who, at_ms=at_ms)
    return tuple(state.id for state in states)


def merge_words(connection: sqlite3.Connection, *, begins: bool) -> bool:
    """Merge a few pages of the words that are searched; return whether there is more to do.

    A deleted word stays in the index until its part is merged, and all at once would take too long for who wants to write.
    """
    before = connection.total_changes
    pages = -MERGED_PAGES if begins else MERGED_PAGES  # a negative number begins with what was merged before
    connection.execute("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", (pages,))
    return connection.total_changes - before >= 2  # as SQLite's documentation of FTS5 says


def erased(connection: sqlite3.Connection, after: int) -> tuple[Erased, ...]:
    """Return what was erased since the erasure of that number."""
    rows = connection.execute("SELECT * FROM erased WHERE number > ? ORDER BY number", (after,))
    return tuple(map(_to_erased, rows))


def erasure_of(connection: sqlite3.Connection, conversation: ConversationId) -> Erased | None:
    """Return when it was erased."""
    row = connection.execute("SELECT * FROM erased WHERE conversation = ?", (conversation,)).fetchone()
    return None if row is None else _to_erased(row)


def idle(connection: sqlite3.Connection, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
    """Return those that nothing has happened in; who waits or is being answered is never idle."""
    rows = connection.execute(_IDLE, {"since": since_ms, "limit": limit})
    return tuple(ConversationId(row["id"]) for row in rows)


def reduce_evidence(connection: sqlite3.Connection, *, settled_before_ms: int, limit: int) -> int:
    """Write the records of old turns anew."""
    rows = connection.execute(
        "SELECT number, outcome, record FROM turns WHERE reduced = 0 AND settled_ms < ? ORDER BY settled_ms LIMIT ?",
        (settled_before_ms, limit),
    ).fetchall()
    for row in rows:
        record = from_turn(reduced(to_turn(row["outcome"], row["record"])))
        connection.execute(
            "UPDATE turns SET record = ?, reduced = 1 WHERE number = ?", (record, row["number"])
        )
    return len(rows)


def _state(connection: sqlite3.Connection, conversation: ConversationId) -> Conversation | None:
    try:
        return conversation_state(connection, conversation)
    except ConversationUnknown:
        return None


def _note(connection: sqlite3.Connection, state: Conversation, *, who: str, at_ms: int) -> None:
    write(connection, erasure_row(state, who=who, at_ms=at_ms))
    connection.execute(
        "INSERT INTO erased (conversation, at_ms) VALUES (?, ?) ON CONFLICT (conversation) DO NOTHING",
        (state.id, at_ms),
    )


def _to_erased(row: sqlite3.Row) -> Erased:
    return Erased(number=row["number"], conversation=ConversationId(row["conversation"]), at_ms=row["at_ms"])

"""The search over past conversations: FTS5 over the messages that customers could see; internal notes are never in it.

Its rows are in the order in which messages were written, and are read newest first, until enough conversations are found:
a search never reads all messages that hold a common word.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from bot.adapters.sqlite.customers import to_customer
from bot.adapters.sqlite.rows import to_conversation
from bot.core.conversation import ConversationId
from bot.core.desk import Found
from bot.core.searching import excerpt, searched_words

_NEWEST_FIRST = "SELECT conversation, seq FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC"
_STANDS = "SELECT 1 FROM current_messages WHERE conversation = ? AND seq = ?"
_FOUND = """
SELECT c.*, coalesce(m.revises, m.seq) AS seq, m.at_ms, m.text, u.subject, u.name, u.email FROM current_messages AS m
JOIN conversations AS c ON c.id = m.conversation LEFT JOIN customers AS u ON u.conversation = c.id
WHERE m.conversation = ? AND m.seq = ?
"""


def search(connection: sqlite3.Connection, text: str, *, limit: int) -> tuple[Found, ...]:
    """Return conversations with a message that holds each word of *text*, newest match first; FTS5 has no search for nothing."""
    words = searched_words(text)
    matches = _newest_matches(connection, each_of(words), limit) if words else {}
    found = [_found(connection, conversation, seq, words) for conversation, seq in matches.items()]
    return tuple(sorted(found, key=lambda one: (-one.at_ms, one.conversation.id)))


def each_of(words: Iterable[str]) -> str:
    """Return the FTS5 expression for words that begin like each of these; within quotes nothing is syntax but the quote itself."""
    return " AND ".join('"' + word.replace('"', '""') + '"*' for word in words)


def _newest_matches(connection: sqlite3.Connection, expression: str, limit: int) -> dict[ConversationId, int]:
    newest: dict[ConversationId, int] = {}
    for row in connection.execute(_NEWEST_FIRST, (expression,)):
        if len(newest) == limit:
            break
        conversation = ConversationId(row["conversation"])
        if conversation not in newest and _stands(connection, conversation, row["seq"]):
            newest[conversation] = row["seq"]
    return newest


def _stands(connection: sqlite3.Connection, conversation: ConversationId, seq: int) -> bool:
    """Return whether the message is neither revised nor deleted."""
    found = connection.execute(_STANDS, (conversation, seq)).fetchone()
    return found is not None


def _found(
    connection: sqlite3.Connection, conversation: ConversationId, seq: int, words: Sequence[str]
) -> Found:
    row = connection.execute(_FOUND, (conversation, seq)).fetchone()
    return Found(
        conversation=to_conversation(row),
        seq=row["seq"],
        at_ms=row["at_ms"],
        excerpt=excerpt(row["text"], words),
        customer=to_customer(row),
    )

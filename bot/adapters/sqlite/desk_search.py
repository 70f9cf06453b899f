"""The search over past conversations: FTS5 over the messages that customers could see; internal notes are never in it."""

import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.rows import to_conversation
from bot.core.desk import Found
from bot.core.searching import excerpt, searched_words

_NEWEST_MATCHES = """
SELECT c.*, m.seq, m.at_ms, m.text FROM (
    SELECT conversation, max(seq) AS seq FROM message_words WHERE message_words MATCH ? GROUP BY conversation
) AS newest
JOIN messages AS m ON m.conversation = newest.conversation AND m.seq = newest.seq
JOIN conversations AS c ON c.id = newest.conversation
ORDER BY m.at_ms DESC, c.id LIMIT ?
"""


def search(connection: sqlite3.Connection, text: str, *, limit: int) -> tuple[Found, ...]:
    """Return conversations with a message that holds each word of *text*, newest match first; FTS5 knows no search for nothing."""
    words = searched_words(text)
    rows = connection.execute(_NEWEST_MATCHES, (each_of(words), limit)) if words else ()
    return tuple(
        Found(
            conversation=to_conversation(row),
            seq=row["seq"],
            at_ms=row["at_ms"],
            excerpt=excerpt(row["text"], words),
        )
        for row in rows
    )


def each_of(words: Iterable[str]) -> str:
    """Return the FTS5 expression for words that begin like each of these; within quotes nothing is syntax but the quote itself."""
    return " AND ".join('"' + word.replace('"', '""') + '"*' for word in words)

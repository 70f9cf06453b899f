"""What is asked of the turns' records and of the messages beside them. Each function runs in its caller's transaction.

SQLite itself picks the fields out of a record: Python would take several times as long for a whole one, and hold all else up.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.adapters.sqlite.rows import to_message
from bot.adapters.sqlite.traffic_rows import TurnFields, cited, to_mark, turn_fields
from bot.core.conversation import ConversationId, Kind, Message, Role
from bot.core.desk import MarkKind
from bot.core.knowledge import ArticleId
from bot.core.traffic import AgentReply, GapMark, QuestionTurn, marked_texts, replies_in

# A record with a number that is none, NaN, is no JSON to SQLite: it is read as a whole.
_TURNS = """
SELECT t.id, t.conversation, t.settled_ms, t.outcome, t.reason, c.locale, p.subject,
    CASE WHEN json_valid(t.record) THEN json_extract(
        t.record, '$.covers', '$.query.own', '$.outcome.offer', '$.outcome.triage', '$.best_cosine', '$.threshold',
        '$.index.fingerprint', '$.outcome.sources'
    ) END AS fields,
    CASE WHEN json_valid(t.record) THEN (
        SELECT json_group_array(r.value ->> '$.found.passage.article_id') FROM json_each(t.record, '$.ranked') AS r
    ) END AS articles,
    CASE WHEN json_valid(t.record) THEN NULL ELSE t.record END AS record
FROM turns AS t JOIN conversations AS c ON c.id = t.conversation LEFT JOIN customers AS p ON p.conversation = t.conversation
WHERE t.settled_ms >= :since_ms AND t.settled_ms <= :before_ms AND (t.settled_ms, t.id) < (:before_ms, :before_id)
ORDER BY t.settled_ms DESC, t.id DESC LIMIT :limit
"""
_COVERED = """
SELECT m.conversation, m.seq, m.kind, m.text FROM json_each(?) AS w JOIN current_messages AS m ON m.conversation = w.value ->> 0 AND m.seq = w.value ->> 1
WHERE m.role = 'customer' ORDER BY m.conversation, m.seq
"""
_MARKS = """
SELECT k.conversation, k.agent, k.at_ms, k.remark, c.locale, p.subject
FROM marks AS k JOIN conversations AS c ON c.id = k.conversation LEFT JOIN customers AS p ON p.conversation = k.conversation
WHERE k.kind = ? AND k.at_ms >= ? AND k.at_ms < ? ORDER BY k.at_ms, k.number
"""
_WRITTEN = "SELECT * FROM messages WHERE conversation = ? AND role = ? ORDER BY seq"
_CITING = """
SELECT t.id, t.settled_ms, CASE WHEN json_valid(t.record) THEN json_extract(t.record, '$.outcome.sources') END AS sources,
    t.outcome, CASE WHEN json_valid(t.record) THEN NULL ELSE t.record END AS record
FROM turns AS t WHERE t.settled_ms >= :after_ms AND (t.settled_ms, t.id) > (:after_ms, :after_id)
ORDER BY t.settled_ms, t.id LIMIT :limit
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a slice of the turns ended; without an id, just before the first turn of that moment."""

    settled_ms: int
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The newest *limit* turns since then and before a place."""

    since_ms: int
    before: Place
    limit: int


def question_turns(connection: sqlite3.Connection, asked: Slice) -> tuple[tuple[QuestionTurn, ...], Place]:
    """Return the turns of a slice, newest first, and where it ended."""
    rows = connection.execute(
        _TURNS,
        {
            "since_ms": asked.since_ms,
            "before_ms": asked.before.settled_ms,
            "before_id": asked.before.turn,
            "limit": asked.limit,
        },
    ).fetchall()
    read = [turn_fields(row) for row in rows]
    covered = _covered(connection, read)
    turns = tuple(one.turn(covered[one.conversation]) for one in read)
    return turns, Place(settled_ms=turns[-1].settled_ms, turn=turns[-1].turn) if turns else asked.before


def gap_marks(connection: sqlite3.Connection, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
    """Return the marks of the span with what the customer typed before each."""
    rows = connection.execute(_MARKS, (MarkKind.KNOWLEDGE_GAP, since_ms, until_ms)).fetchall()
    return tuple(
        to_mark(
            row, marked_texts(_written(connection, row["conversation"], Role.CUSTOMER), at_ms=row["at_ms"])
        )
        for row in rows
    )


def agents_replies(
    connection: sqlite3.Connection, conversations: Sequence[ConversationId]
) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
    """Return what agents wrote in each."""
    replies = {one: replies_in(one, _written(connection, one, Role.AGENT)) for one in conversations}
    return {conversation: said for conversation, said in replies.items() if said}


def citations(
    connection: sqlite3.Connection, after: Place, *, limit: int
) -> tuple[Mapping[ArticleId, int], Place | None]:
    """Count citations in the next *limit* turns after a place; return also where they ended, None at the end."""
    asked = {"after_ms": after.settled_ms, "after_id": after.turn, "limit": limit}
    rows = connection.execute(_CITING, asked).fetchall()
    counted = Counter(article for row in rows for article in cited(row))
    ended = Place(settled_ms=rows[-1]["settled_ms"], turn=rows[-1]["id"]) if len(rows) == limit else None
    return counted, ended


def _written(connection: sqlite3.Connection, conversation: str, role: Role) -> Iterator[Message]:
    return map(to_message, connection.execute(_WRITTEN, (conversation, role)))


def _covered(connection: sqlite3.Connection, turns: Sequence[TurnFields]) -> Mapping[str, dict[int, Message]]:
    wanted = json.dumps([(one.conversation, seq) for one in turns for seq in one.covers])
    found: dict[str, dict[int, Message]] = defaultdict(dict)
    for row in connection.execute(_COVERED, (wanted,)):
        message = Message(seq=row["seq"], role=Role.CUSTOMER, kind=Kind(row["kind"]), text=row["text"])
        found[row["conversation"]][message.seq] = message
    return found

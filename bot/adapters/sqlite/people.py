"""What is kept of a person: where they occur, and all of it, row by row. Each function runs in its caller's transaction."""

import base64
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.erasing import belonging
from bot.core.conversation import ConversationId
from bot.core.erasure import FoundBy, Trace, names_address

_VOUCHED_FOR = """
SELECT conversation, CASE WHEN subject = :person THEN 'subject' ELSE 'email' END AS found_by FROM customers
WHERE subject = :person OR (:address AND lower(email) = lower(:person))
"""
_WRITTEN = """
SELECT conversation, text FROM messages WHERE role = 'customer' AND instr(lower(text), lower(:person))
AND conversation NOT IN (SELECT conversation FROM customers WHERE subject IS NOT NULL)
"""
_SIGN_OUTS = """
SELECT s.* FROM sign_outs AS s JOIN customers AS c ON c.subject = s.subject WHERE c.conversation = ?
"""
_ABOUT = "SELECT created_ms, last_seq FROM conversations WHERE id = ?"
# Columns that hold JSON, which a reader should not have to unpack.
_JSON = frozenset({"sources", "options", "record"})


def traces_of(connection: sqlite3.Connection, person: str) -> tuple[Trace, ...]:
    """Return where a subject or an address occurs, the latest opened first."""
    found = dict(_written(connection, person)) if "@" in person else {}
    for row in connection.execute(_VOUCHED_FOR, {"person": person, "address": "@" in person}):
        found[ConversationId(row["conversation"])] = FoundBy(row["found_by"])
    traces = [_trace(connection, conversation, by) for conversation, by in found.items()]
    return tuple(sorted(traces, key=lambda trace: (-trace.created_ms, trace.conversation)))


def everything(connection: sqlite3.Connection, conversation: ConversationId) -> Mapping[str, object]:
    """Return each table's rows of a conversation; tables without any are left out."""
    conversation_state(connection, conversation)
    tables = [("conversations", "id"), *belonging(connection), ("audit", "conversation")]
    rows = {table: _rows(connection, table, column, conversation) for table, column in tables}
    rows["sign_outs"] = _to_rows(connection.execute(_SIGN_OUTS, (conversation,)))
    return {table: found for table, found in rows.items() if found}


def _written(connection: sqlite3.Connection, address: str) -> Iterator[tuple[ConversationId, FoundBy]]:
    for row in connection.execute(_WRITTEN, {"person": address}):
        if names_address(row["text"], address):
            yield ConversationId(row["conversation"]), FoundBy.WRITTEN


def _trace(connection: sqlite3.Connection, conversation: ConversationId, by: FoundBy) -> Trace:
    created_ms, last_seq = connection.execute(_ABOUT, (conversation,)).fetchone()
    return Trace(conversation=conversation, by=by, created_ms=created_ms, messages=last_seq)


def _rows(
    connection: sqlite3.Connection, table: str, column: str, conversation: ConversationId
) -> list[dict[str, object]]:
    rows = connection.execute(
        f'SELECT * FROM "{table}" WHERE "{column}" = ?',  # noqa: S608 - of our schema
        (conversation,),
    )
    return _to_rows(rows)


def _to_rows(rows: Iterable[sqlite3.Row]) -> list[dict[str, object]]:
    return [{name: _value(name, row[name]) for name in row.keys()} for row in rows]  # noqa: SIM118 - a row iterates over its values


def _value(name: str, value: object) -> object:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if name in _JSON and isinstance(value, str):
        with suppress(ValueError):
            return json.loads(value)
    return value

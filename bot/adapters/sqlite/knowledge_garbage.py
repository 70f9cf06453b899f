"""What no generation needs any longer, dropped a few rows at a time, because conversations wait for the same file's lock."""

import json
import sqlite3
from collections.abc import Iterable

MEMBERS_AT_ONCE = 1000

_OLD_MEMBERS = """
DELETE FROM members WHERE (generation, article_id) IN (
    SELECT m.generation, m.article_id FROM generations g JOIN members m ON m.generation = g.id
    WHERE g.state = 'old' LIMIT ?
)
"""
_NOBODYS = "NOT EXISTS (SELECT 1 FROM members WHERE version = number)"
_UNUSED = """
DELETE FROM vectors WHERE fingerprint = ? AND digest IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
    SELECT 1 FROM passages p JOIN versions v ON v.number = p.version
    WHERE p.digest = vectors.digest AND v.fingerprint = vectors.fingerprint
)
"""


def drop_old_members(connection: sqlite3.Connection, *, at_once: int = MEMBERS_AT_ONCE) -> bool:
    """Drop some members of generations that were dropped; return whether there may be more."""
    if connection.execute(_OLD_MEMBERS, (at_once,)).rowcount == at_once:
        return True
    connection.execute("DELETE FROM generations WHERE state = 'old'")
    return False


def unused_versions(connection: sqlite3.Connection) -> list[int]:
    """Return the versions that no generation has."""
    return [row[0] for row in connection.execute(f"SELECT number FROM versions WHERE {_NOBODYS}")]  # noqa: S608


def drop_versions(connection: sqlite3.Connection, versions: Iterable[int]) -> None:
    """Drop those of *versions* that no generation has by now, and the vectors of their passages that no other version has."""
    for version in versions:
        _drop_version(connection, version)


def _drop_version(connection: sqlite3.Connection, version: int) -> None:
    kept = connection.execute(
        "SELECT v.fingerprint, p.digest FROM versions v JOIN passages p ON p.version = v.number WHERE v.number = ?",
        (version,),
    ).fetchall()
    dropped = connection.execute(f"DELETE FROM versions WHERE number = ? AND {_NOBODYS}", (version,))  # noqa: S608
    if dropped.rowcount and kept:
        digests = json.dumps([row["digest"] for row in kept])
        connection.execute(_UNUSED, (kept[0]["fingerprint"], digests))

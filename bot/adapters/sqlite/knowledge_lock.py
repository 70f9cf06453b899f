"""The one lock of kb_sync in the file: a lease, and a token that grows each time it is taken (FAULTS K10)."""

import sqlite3

from bot.errors import SyncBusy, SyncFenced
from bot.sync_ports import SyncLock

_TAKE = "UPDATE sync_lock SET token = token + 1, holder = ?, taken_ms = ?, until_ms = ? RETURNING token"


def lock_of(connection: sqlite3.Connection) -> SyncLock | None:
    """Return who holds the lock, whether or not the lease has run out."""
    row = connection.execute(
        "SELECT token, holder, taken_ms, until_ms FROM sync_lock WHERE holder IS NOT NULL"
    ).fetchone()
    return None if row is None else SyncLock(**row)


def take_lock(connection: sqlite3.Connection, holder: str, *, now_ms: int, until_ms: int) -> int:
    held = lock_of(connection)
    if held is not None and held.until_ms > now_ms:
        raise SyncBusy(held.holder, since_ms=held.taken_ms, until_ms=held.until_ms)
    token: int = connection.execute(_TAKE, (holder, now_ms, until_ms)).fetchone()["token"]
    return token


def renew_lock(connection: sqlite3.Connection, token: int, *, until_ms: int) -> None:
    require_lock(connection, token)
    connection.execute("UPDATE sync_lock SET until_ms = ?", (until_ms,))


def release_lock(connection: sqlite3.Connection, token: int) -> None:
    connection.execute("UPDATE sync_lock SET holder = NULL WHERE token = ?", (token,))


def require_lock(connection: sqlite3.Connection, token: int) -> None:
    """Raise SyncFenced unless the lock was last taken with *token*, in the transaction that writes."""
    held = lock_of(connection)
    if held is None or held.token != token:
        raise SyncFenced("another sync has taken the lock since; this one writes nothing more")

"""What SQLite's errors mean to an operator. Defects of ours (a broken constraint, misuse) are not translated."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import StoreUnavailable

_MEANINGS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "it is read-only; make the file and its directory writable",
    sqlite3.SQLITE_PERM: "access is denied; make the file and its directory writable",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; make its directory writable",
    sqlite3.SQLITE_CORRUPT: "it is damaged; stop the service and restore the last backup",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite database; move it away or restore the last backup",
    sqlite3.SQLITE_BUSY: "another process holds it locked; stop that process or try again",
    sqlite3.SQLITE_LOCKED: "another process holds it locked; stop that process or try again",
    sqlite3.SQLITE_IOERR: "the disk does not answer properly; check the disk",
}
_OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)


def meaning(error: sqlite3.Error) -> str:
    """Return what happened and the remedy, in half a sentence."""
    code: int | None = getattr(error, "sqlite_errorcode", None)  # absent when Python itself raised
    primary = None if code is None else code & 0xFF
    return _MEANINGS.get(primary, str(error)) if primary is not None else str(error)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise StoreUnavailable for a failure of the file, the disk or a lock."""
    try:
        yield
    except _OURS:
        raise
    except sqlite3.Error as exc:
        raise StoreUnavailable(f"{path}: {meaning(exc)}.") from exc

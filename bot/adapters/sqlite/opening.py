"""Opening a database file for writing, or refusing it with a sentence; a refused file is never changed."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from bot.adapters.sqlite import schema
from bot.adapters.sqlite.failures import meaning
from bot.adapters.sqlite.words import register
from bot.errors import Misconfigured

BUSY_TIMEOUT_S = 5.0
OLDEST_LIBRARY = (3, 37, 0)  # the first with STRICT tables


def connect(path: Path) -> sqlite3.Connection:
    """Connect without changing the file; the one thread that uses the connection may be another than this."""
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def open_writer(path: Path) -> sqlite3.Connection:
    """Return a connection to a sound file of this schema version, made here when it was new."""
    return _open(path, migrate_older=False)[0]


def migrate_file(path: Path) -> tuple[int, int]:
    """Bring *path* to this schema version, creating it when there is none; return the versions before and after."""
    connection, versions = _open(path, migrate_older=True)
    connection.close()
    return versions


def require_library(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> None:
    """Raise Misconfigured when Python's SQLite cannot make the tables."""
    if version < OLDEST_LIBRARY:
        raise Misconfigured(
            f"This Python has SQLite {_dotted(version)} and Candor needs {_dotted(OLDEST_LIBRARY)}: "
            "run it with a Python that was built with a newer SQLite."
        )


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(str(part) for part in version)


def _open(path: Path, *, migrate_older: bool) -> tuple[sqlite3.Connection, tuple[int, int]]:
    require_library()
    _make_directory(path)
    _make_private(path)
    connection: sqlite3.Connection | None = None
    try:
        connection = connect(path)
        _require_sound(connection, path)
        _require_known_version(connection, path, migrate_older=migrate_older)
        connection.execute("PRAGMA journal_mode = WAL")
        # What is deleted or written over must not stay in the file's free space.
        connection.execute("PRAGMA secure_delete = ON")
        register(connection)
        versions = schema.migrate(connection)
        _require_writable(connection)
    except BaseException as exc:
        if connection is not None:
            connection.close()
        if isinstance(exc, sqlite3.Error):
            raise Misconfigured(f"{path}: {meaning(exc)}.") from exc
        raise
    return connection, versions


def _make_directory(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise Misconfigured(
            f"{path.parent}: the data directory cannot be created ({exc.strerror}); name another with CANDOR_DATA_DIR."
        ) from exc


def _make_private(path: Path) -> None:
    """Create a new file for its owner alone: it holds what customers wrote. SQLite gives the files beside it the same mode."""
    with suppress(
        OSError
    ):  # one that is there keeps its mode; what cannot be created, SQLite refuses with its reason
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _require_sound(connection: sqlite3.Connection, path: Path) -> None:
    finding = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if finding != "ok":
        raise Misconfigured(f"{path}: it is damaged ({finding}); restore the last backup.")


def _require_known_version(connection: sqlite3.Connection, path: Path, *, migrate_older: bool) -> None:
    connection.execute("BEGIN")  # so that both are read of one moment
    version = schema.version_of(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.execute("ROLLBACK")
    if version > schema.VERSION:
        raise Misconfigured(
            f"{path}: its schema version {version} is newer than this program's {schema.VERSION}; "
            "run the newer Candor that wrote it, or restore a backup."
        )
    if version == 0 and tables:
        raise Misconfigured(
            f"{path}: it is another program's database; name another place with CANDOR_DATA_DIR."
        )
    if 0 < version < schema.VERSION and not migrate_older:
        raise Misconfigured(f"{path}: its schema version {version} is old; run `python -m bot migrate`.")


def _require_writable(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")

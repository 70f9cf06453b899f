"""New SQLite files with the tables in them: copies of one, because making the tables takes longer than most tests on them."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.adapters.sqlite.database import SqliteDatabase

_FILE = "candor.db"


def new_file(path: Path) -> Path:
    """Put a file as `SqliteDatabase.open` makes it at *path*, if none is there yet, and return *path*."""
    if not path.exists():
        shutil.copy(Path(_folder().name) / _FILE, path)
    return path


@cache
def _folder() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    SqliteDatabase.open(Path(folder.name) / _FILE).close()
    return folder

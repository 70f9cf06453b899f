"""Opens the conversation store that the settings choose; this version has SQLite."""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.knowledge_wiring import database_file
from bot.ports import ConversationStore
from bot.settings import Settings


@contextmanager
def opened_store(settings: Settings) -> Iterator[ConversationStore]:
    """Open the store, and close it at the end; Misconfigured says what is wrong with its file."""
    database = SqliteDatabase.open(database_file(settings))
    try:
        yield SqliteConversationStore(database)
    finally:
        database.close()

"""Opens what keeps conversations, as the settings choose; this version has SQLite."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.ledger import SqliteLedger
from bot.knowledge_wiring import database_file
from bot.ports import ConversationStore, Ledger
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What is kept: conversations, and what their drafts used."""

    conversations: ConversationStore
    ledger: Ledger


@contextmanager
def opened_stores(settings: Settings) -> Iterator[Stores]:
    """Open the stores, and close them at the end; Misconfigured says what is wrong with its file."""
    database = SqliteDatabase.open(database_file(settings))
    try:
        yield Stores(conversations=SqliteConversationStore(database), ledger=SqliteLedger(database))
    finally:
        database.close()

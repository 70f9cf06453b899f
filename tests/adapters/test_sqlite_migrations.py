"""Files of older versions: refused with the command that mends them, and whole once they are migrated."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.adapters.sqlite import schema
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.desk_tables import DESK
from bot.adapters.sqlite.opening import migrate_file
from bot.adapters.sqlite.words import register
from bot.core.audit import Change
from bot.core.conversation import AgentId
from bot.errors import Misconfigured
from tests.builders import CONVERSATION, NOON_MS

BEFORE_DESK = schema.MIGRATIONS.index(DESK)
A_WAITING_CUSTOMER = f"""
INSERT INTO conversations VALUES ('c1', 'widget', 'en', 'queued', 1, 1, NULL, NULL, 2, 1, 1, {NOON_MS}, {NOON_MS + 5});
INSERT INTO messages VALUES ('c1', 1, 'customer', 'text', 'My Café card is lost', {NOON_MS + 5}, 0, 0, NULL, '[]', '[]', NULL, 'm1');
INSERT INTO messages VALUES ('c1', 2, 'bot', 'notice', 'A person will help.', {NOON_MS + 9}, 0, 0, NULL, '[]', '[]', 't1', NULL);
INSERT INTO handoffs VALUES (1, 'c1', 't1', 1, 'no_evidence', {NOON_MS + 9}, NULL);
INSERT INTO audit VALUES (1, 'c1', {NOON_MS}, 'customer', 'opened', '', 'bot', 0);
INSERT INTO audit VALUES (2, 'c1', {NOON_MS + 9}, 'bot', 'handoff', 'bot', 'queued', 1);
INSERT INTO outbox VALUES (1, 'handoff:c1:1', 'handoff', 'c1', {NOON_MS + 9}, NULL);
"""  # noqa: S608 - the times are ours


@pytest.fixture
def path(tmp_path):
    return tmp_path / "var" / "candor.db"


async def test_a_customer_who_waited_before_the_desk_waits_on_at_it(path):
    _older_file(path, version=BEFORE_DESK, rows=A_WAITING_CUSTOMER)

    with pytest.raises(Misconfigured, match="run `python -m bot migrate`"):
        SqliteDatabase.open(path)
    assert migrate_file(path) == (BEFORE_DESK, schema.VERSION)

    with closing(SqliteDatabase.open(path)) as database:
        (row,) = await SqliteDeskStore(database).queue()
        (told,) = await SqliteConversationStore(database).outbox(limit=9)
    assert (row.reason, row.first_line, row.unread) == ("no_evidence", "My Café card is lost", 1)
    assert row.conversation.owned_since_ms == NOON_MS + 9
    assert told.epoch == 1


async def test_a_conversation_from_before_the_desk_is_found_and_can_be_claimed(path):
    _older_file(path, version=BEFORE_DESK, rows=A_WAITING_CUSTOMER)
    migrate_file(path)

    with closing(SqliteDatabase.open(path)) as database:
        store, desk = SqliteConversationStore(database), SqliteDeskStore(database)
        (found,) = await desk.search("cafe", limit=9)
        read = await store.conversation(CONVERSATION)
        change = Change(who="anna", what="claimed", at_ms=NOON_MS + 20)
        await store.change(read, read.claimed_by(AgentId("anna"), now_ms=NOON_MS + 20), change)
        (handoff,) = await store.handoffs(CONVERSATION)

    assert (found.conversation, found.seq) == (read, 1)
    assert handoff.claimed_ms == NOON_MS + 20


def _older_file(path: Path, *, version: int, rows: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        register(connection)
        schema.migrate(connection, schema.MIGRATIONS[:version])
        connection.executescript(rows)

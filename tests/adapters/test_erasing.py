"""A marker in every field that somebody outside can write is gone from every table and file once its conversation is erased (FAULTS L12)."""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.adapters.erasure_list import NAME, ErasureList
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.erasing import belonging
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.core.conversation import ConversationId
from bot.errors import ConversationUnknown, StoreUnavailable
from tests.builders import NOON_MS, a_conversation
from tests.contract.scene import Scene
from tests.planting import planted

MARKER, OTHER = "quixzylophon", "wambleford"
GONE, KEPT = ConversationId("gone"), ConversationId("kept")
# What a person cannot be told from, or that is not about customers. Whoever adds a table decides where it belongs.
IMPERSONAL = {
    "agents", "article_decisions", "calibrations", "canned_replies", "generations", "invitations", "kb_state", "members", "passages",
    "sessions", "slack_people", "store_state", "sync_lock", "sync_runs", "vectors", "versions",
    *(f"{words}_words{part}" for words in ("article", "passage") for part in ("", "_config", "_content", "_data", "_docsize", "_idx")),
}  # fmt: skip
# Ids and times alone.
TOLD_OF = {"audit", "erased"}
# By subject; goes with the subject's last conversation.
BY_SUBJECT = {"sign_outs"}
# By place; keeps the ids of what came in, and loses the rest with the conversation that has the place.
BY_PLACE = {"slack_inbox"}
_COPIED = "INSERT INTO conversations SELECT 'gone', channel, locale, status, epoch, episode, agent, lease_until_ms, last_seq, last_customer_seq, answered_seq, created_ms, waiting_since_ms, owned_since_ms FROM conversations WHERE id = 'kept'"
SEARCHED = {f"message_words{part}" for part in ("", "_config", "_content", "_data", "_docsize", "_idx")}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "var" / "candor.db"


@pytest.fixture
async def database(file: Path) -> AsyncIterator[SqliteDatabase]:
    database = SqliteDatabase.open(file)
    await planted(database, GONE, MARKER)
    await planted(database, KEPT, OTHER)
    await _much_else(database)
    yield database
    database.close()


async def _much_else(database: SqliteDatabase) -> None:
    """Fill pages, so that rows are moved and pages are split."""
    store = SqliteConversationStore(database)
    for number in range(20):
        scene = await Scene.open(store, ConversationId(f"else{number}"))
        for part in range(3):
            await scene.customer_writes(f"what {number} {part} is " * 20, channel_message_id=str(part))


def tables(file: Path) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Yield every table, those of the search included, with its rows."""
    with closing(sqlite3.connect(file)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        for name in names:
            yield name, connection.execute(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608 - of our schema


def holding(file: Path, word: str) -> set[str]:
    """Return the tables in which *word* occurs."""
    encoded = word.encode()
    return {
        name
        for name, rows in tables(file)
        if any(
            encoded in (value if isinstance(value, bytes) else str(value).encode())
            for row in rows
            for value in row
        )
    }


def files_holding(directory: Path, word: str) -> set[str]:
    return {file.name for file in directory.iterdir() if word.encode() in file.read_bytes()}


def listing(database: SqliteDatabase) -> SqliteErasure:
    """Return what erases and lists it beside the file."""
    return SqliteErasure(database, noted=ErasureList(database.path.with_name(NAME)))


async def erased(database: SqliteDatabase) -> None:
    erasure = listing(database)
    assert await erasure.erase([GONE], who="operator", at_ms=NOON_MS) == (GONE,)
    await erasure.scrub(copying=True)


async def test_the_marker_is_in_no_table_and_no_file_afterwards(database, file):
    assert holding(file, MARKER) >= {"messages", "customers", "turns", "attachments", "message_words_data"}

    await erased(database)

    assert holding(file, MARKER) == set()
    assert holding(file, MARKER[3:]) == set()
    assert files_holding(file.parent, MARKER) == set()
    assert files_holding(file.parent, OTHER) != set()


async def test_every_table_is_either_erased_or_impersonal(database, file):
    found = dict(tables(file))
    belongs = {table for table, _ in database.read_now(lambda c: list(belonging(c)))}

    assert (
        found.keys() - belongs - SEARCHED == {"conversations"} | IMPERSONAL | TOLD_OF | BY_SUBJECT | BY_PLACE
    )
    empty = {table for table in belongs if not any(GONE in row for row in found[table])}
    assert empty == set(), "the marker is not planted there"
    assert not any(GONE in row for table in IMPERSONAL & found.keys() for row in found[table])


async def test_nothing_but_the_audit_and_the_erasure_names_it_any_more(database, file):
    await erased(database)

    assert holding(file, GONE) == TOLD_OF
    assert [row[3:7] for row in dict(tables(file))["audit"] if row[1] == GONE][-1] == (
        "operator",
        "erased",
        "bot",
        "erased",
    )


async def test_another_conversation_keeps_every_row(database, file):
    def of_others():
        return {
            name: [row for row in rows if KEPT in row]
            for name, rows in tables(file)
            if name not in SEARCHED and any(KEPT in row for row in rows)
        }

    before = of_others()

    await erased(database)

    assert of_others() == before
    assert await SqliteDeskStore(database).search(OTHER, limit=5) != ()
    assert await SqliteDeskStore(database).search(MARKER, limit=5) == ()


async def test_without_a_copy_no_table_and_no_log_of_writes_holds_it(database, file):
    erasure = SqliteErasure(database)

    await erasure.erase([GONE], who="retention", at_ms=NOON_MS)
    await erasure.scrub(copying=False)

    assert holding(file, MARKER) == set()
    assert files_holding(file.parent, MARKER) <= {"candor.db"}
    assert (file.parent / "candor.db-wal").stat().st_size == 0


async def test_the_audit_can_still_not_be_changed(database):
    for statement in ("DELETE FROM audit", "UPDATE audit SET who = 'nobody'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            await database.write(lambda c, statement=statement: c.execute(statement))


async def test_no_writer_brings_an_erased_conversation_back(database):
    await erased(database)
    store = SqliteConversationStore(database)

    with pytest.raises(ConversationUnknown):
        await store.open_conversation(a_conversation(id=GONE))
    with pytest.raises(sqlite3.IntegrityError, match="erased"):
        await database.write(lambda c: c.execute(_COPIED))


async def test_a_restored_backup_does_not_bring_an_erased_conversation_back(tmp_path, file):
    before, backup = SqliteDatabase.open(file), tmp_path / "backup.db"
    await planted(before, GONE, MARKER)
    await planted(before, KEPT, OTHER)
    before.write_now(lambda c: c.execute("SELECT 1"))
    await SqliteErasure(before).scrub(copying=False)
    shutil.copy(file, backup)
    await erased(before)
    before.close()

    shutil.copy(backup, file)
    restored = SqliteDatabase.open(file)
    erasure = listing(restored)
    again = [await erasure.erase_again(at_ms=NOON_MS) for _ in range(2)]
    restored.close()

    assert again == [(GONE,), ()]
    assert files_holding(file.parent, MARKER) == set()
    assert (file.parent / "erased.txt").read_text(encoding="utf-8") == "gone\n"


async def test_what_was_merely_old_is_not_listed(database, file):
    await listing(database).erase([GONE], who="retention", at_ms=NOON_MS)

    assert not (file.parent / "erased.txt").exists()


async def test_a_list_that_cannot_be_written_erases_nothing(database, file):
    (file.parent / "erased.txt").mkdir()

    with pytest.raises(StoreUnavailable, match=r"erased\.txt"):
        await listing(database).erase([GONE], who="operator", at_ms=NOON_MS)

    assert "messages" in holding(file, MARKER)

"""The database file itself: transactions, two openers, and every way in which a file or disk can be unfit."""

import asyncio
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.adapters.sqlite import schema
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.opening import migrate_file, require_library
from bot.errors import Misconfigured, StoreUnavailable
from tests.builders import CONVERSATION, a_conversation, a_customer_message, a_handoff, a_turn, after


@pytest.fixture
def path(tmp_path):
    return tmp_path / "var" / "candor.db"


@pytest.fixture
def database(path):
    database = SqliteDatabase.open(path)
    yield database
    database.close()


@pytest.fixture
def store(database):
    return SqliteConversationStore(database)


def bump(connection):
    connection.execute("UPDATE kb_state SET revision = revision + 1")


def revision(connection):
    return connection.execute("SELECT revision FROM kb_state").fetchone()["revision"]


def pragma(name):
    return lambda connection: connection.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5_000)],
)
def test_every_connection_is_durable_and_strict(database, name, value):
    assert database.write_now(pragma(name)) == value
    assert database.read_now(pragma(name)) == value


def test_a_new_file_and_those_beside_it_are_their_owner_s_alone(database, path):
    database.write_now(bump)

    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes == {"candor.db": 0o600, "candor.db-wal": 0o600, "candor.db-shm": 0o600}


def test_a_file_that_is_there_keeps_its_mode(path):
    SqliteDatabase.open(path).close()
    path.chmod(0o640)

    SqliteDatabase.open(path).close()

    assert path.stat().st_mode & 0o777 == 0o640


async def test_a_failed_write_leaves_no_trace(database):
    def fails_halfway(connection):
        bump(connection)
        raise LookupError("halfway")

    with pytest.raises(LookupError):
        await database.write(fails_halfway)

    assert await database.read(revision) == 0


async def test_a_read_cannot_write(database):
    with pytest.raises(StoreUnavailable):
        await database.read(bump)


async def test_a_broken_constraint_is_a_defect_and_not_an_outage(database):
    with pytest.raises(sqlite3.IntegrityError):
        await database.write(lambda c: c.execute("INSERT INTO kb_state (only, revision) VALUES (1, 0)"))


async def test_a_closed_database_says_so(path):
    database = SqliteDatabase.open(path)
    database.close()

    with pytest.raises(StoreUnavailable, match="closed"):
        await database.read(revision)


async def test_the_loop_goes_on_while_a_write_waits_for_another_process(database, path):
    """R-D6: the writer waits for the lock on its own thread, and reads are served meanwhile."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(database.write(bump))

    assert await database.read(revision) == 0
    other.execute("COMMIT")
    other.close()
    await waiting

    assert await database.read(revision) == 1


def test_two_openers_of_one_file_lose_no_update(path):
    """R-D6: each reads first and writes then; without an early lock SQLite would fail one at once."""

    def count_up(database):
        for _ in range(50):
            database.write_now(lambda c: c.execute("UPDATE kb_state SET revision = ?", (revision(c) + 1,)))

    first, second = SqliteDatabase.open(path), SqliteDatabase.open(path)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(count_up, (first, second)))

    assert first.read_now(revision) == second.read_now(revision) == 100
    first.close()
    second.close()


def test_many_who_open_a_new_file_at_once_make_it_once(path):
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(SqliteDatabase.open, [path] * 8))

    assert {database.read_now(schema.version_of) for database in opened} == {schema.VERSION}
    for database in opened:
        database.close()


async def test_two_stores_on_one_file_share_one_sequence(store, path):
    """R-D6."""
    second = SqliteDatabase.open(path)
    stores = (store, SqliteConversationStore(second))
    await store.open_conversation(a_conversation())

    await asyncio.gather(
        *(stores[n % 2].receive(a_customer_message(f"message {n}"), at_ms=n) for n in range(40))
    )

    messages = (await store.snapshot(CONVERSATION, after=0)).messages
    assert [message.seq for message in messages] == list(range(1, 41))
    second.close()


async def test_reopening_the_file_keeps_everything(path):
    first = SqliteDatabase.open(path)
    written = await _one_handoff(SqliteConversationStore(first))
    first.close()

    second = SqliteDatabase.open(path)
    store = SqliteConversationStore(second)

    assert await _everything(store) == written
    second.close()


async def test_a_full_disk_stops_writes_and_nothing_else(database, store):
    """M6, R-D5: writes fail with the remedy, reads go on, and space heals it without a restart."""
    await store.open_conversation(a_conversation())
    pages = database.write_now(pragma("page_count"))
    database.write_now(pragma(f"max_page_count = {pages}"))

    with pytest.raises(StoreUnavailable, match="disk is full"):
        await _fill(store)
    stored = (await store.snapshot(CONVERSATION, after=0)).messages

    database.write_now(pragma("max_page_count = 1000000"))
    received = await store.receive(a_customer_message("there is room again"), at_ms=1)
    assert received.message.seq == len(stored) + 1


async def test_a_file_that_became_read_only_is_an_outage_with_its_remedy(database, store):
    """R-D5."""
    database._writer.execute("PRAGMA query_only = ON")

    with pytest.raises(StoreUnavailable, match="read-only"):
        await store.ping()

    database._writer.execute("PRAGMA query_only = OFF")
    await store.ping()


async def test_a_damaged_page_is_an_outage_that_says_restore(path):
    await _large_file(path)
    database = SqliteDatabase.open(path)
    _overwrite(path, start=4096 * 2)

    with pytest.raises(StoreUnavailable, match="restore the last backup"):
        await database.read(lambda c: c.execute("SELECT * FROM messages").fetchall())
    database.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(path):
    """R-D7."""
    path.parent.mkdir()
    path.write_bytes(b"dear diary, " * 1_000)

    _assert_refused_untouched(path, match="not an SQLite database")


async def test_a_damaged_file_is_refused_and_left_alone(path):
    """R-D7."""
    await _large_file(path)
    _overwrite(path, start=4096 * 2)

    _assert_refused_untouched(path, match="damaged")


def test_a_newer_schema_is_refused_and_left_alone(path):
    """R-D7."""
    SqliteDatabase.open(path).close()
    _execute(path, f"PRAGMA user_version = {schema.VERSION + 1}")

    _assert_refused_untouched(path, match="newer")
    with pytest.raises(Misconfigured, match="newer"):
        migrate_file(path)


def test_another_programs_database_is_refused_and_left_alone(path):
    path.parent.mkdir()
    _execute(path, "CREATE TABLE recipes (name TEXT)")

    _assert_refused_untouched(path, match="another program's")


@pytest.mark.parametrize("place", ["a file", "a file/deeper"])
def test_a_directory_that_cannot_be_made_is_named(tmp_path, place):
    (tmp_path / "a file").write_text("")

    with pytest.raises(Misconfigured, match=r"a file.*CANDOR_DATA_DIR"):
        SqliteDatabase.open(tmp_path / place / "candor.db")


def test_a_path_that_is_a_directory_is_refused(path):
    path.mkdir(parents=True)

    with pytest.raises(Misconfigured, match="cannot be opened"):
        SqliteDatabase.open(path)


def test_a_library_too_old_for_the_tables_is_named():
    with pytest.raises(Misconfigured, match=r"SQLite 3\.31\.1.*3\.37"):
        require_library((3, 31, 1))


def test_migrating_reports_the_versions_before_and_after(path):
    assert migrate_file(path) == (0, schema.VERSION)
    assert migrate_file(path) == (schema.VERSION, schema.VERSION)


def test_a_migration_that_fails_leaves_the_file_as_it_was():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.migrate(connection, ("CREATE TABLE a (x);",))

    with pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, ("CREATE TABLE a (x);", "CREATE TABLE b (x);", "CREATE TABLE a (x);"))

    assert schema.version_of(connection) == 1
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    connection.close()


@pytest.mark.parametrize("statement", ["UPDATE audit SET who = 'nobody'", "DELETE FROM audit"])
async def test_the_audit_can_only_be_appended_to(database, store, statement):
    """FAULTS H9."""
    await store.open_conversation(a_conversation())

    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        await database.write(lambda c: c.execute(statement))


async def test_a_second_open_handoff_is_impossible_whatever_writes_it(database, store):
    """FAULTS H3."""
    await _one_handoff(store)
    again = (
        "INSERT INTO handoffs (conversation, turn, epoch, reason, opened_ms) VALUES ('c1', 't', 9, 'x', 1)"
    )

    with pytest.raises(sqlite3.IntegrityError):
        await database.write(lambda c: c.execute(again))


async def _one_handoff(store):
    await store.open_conversation(a_conversation())
    await store.receive(a_customer_message(), at_ms=1)
    start = await store.begin_turn(CONVERSATION, history=1, turns_since_ms=0)
    turn = a_turn(a_handoff(), on=start.conversation)
    await store.commit_turn(turn, [], after(turn, start.conversation))
    return await _everything(store)


async def _everything(store):
    reads = (store.turns, store.handoffs, store.audit)
    return (
        await store.snapshot(CONVERSATION, after=0),
        await store.outbox(limit=9),
        *[await read(CONVERSATION) for read in reads],
    )


async def _fill(store):
    for n in range(1_000):
        await store.receive(a_customer_message(f"{n} {'x' * 3_000}"), at_ms=n)


async def _large_file(path: Path) -> None:
    database = SqliteDatabase.open(path)
    store = SqliteConversationStore(database)
    await store.open_conversation(a_conversation())
    for n in range(20):
        await store.receive(a_customer_message(f"{n} {'x' * 3_000}"), at_ms=n)
    database.close()


def _overwrite(path: Path, *, start: int) -> None:
    content = bytearray(path.read_bytes())
    content[start:] = b"\xa5" * (len(content) - start)
    path.write_bytes(content)


def _execute(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def _assert_refused_untouched(path: Path, *, match: str) -> None:
    before = path.read_bytes()

    with pytest.raises(Misconfigured, match=match) as caught:
        SqliteDatabase.open(path)

    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


async def held_up(database):
    """Keep the thread that writes busy until the event that is returned is set, with one more write waiting."""
    let_go, written = threading.Event(), []
    held = asyncio.create_task(database.write(lambda _: let_go.wait(10)))
    waiting = asyncio.create_task(database.write(lambda _: written.append("waiting")))
    await asyncio.sleep(0)
    return let_go, written, asyncio.gather(held, waiting)


async def test_what_somebody_outside_waits_for_is_written_before_all_that_waits(database):
    let_go, written, others = await held_up(database)

    first = [asyncio.create_task(database.write_first(lambda _, n=n: written.append(n))) for n in (1, 2)]
    await asyncio.sleep(0)
    let_go.set()
    await asyncio.gather(*first, others)

    assert written == [1, 2, "waiting"]


async def test_it_is_one_transaction_too_and_fails_for_whoever_waits_for_it_alone(database):
    def fail(connection):
        bump(connection)
        raise KeyError("defect")

    before = database.read_now(revision)
    with pytest.raises(KeyError):
        await database.write_first(fail)
    assert await database.write_first(lambda _: 7) == 7

    assert database.read_now(revision) == before


async def test_it_is_not_begun_once_nobody_waits_for_it(database):
    let_go, written, others = await held_up(database)

    first = asyncio.create_task(database.write_first(lambda _: written.append("first")))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    let_go.set()
    await others

    assert written == ["waiting"]


async def test_nothing_is_first_in_a_file_that_is_closed(path):
    database = SqliteDatabase.open(path)
    database.close()

    with pytest.raises(StoreUnavailable):
        await database.write_first(bump)

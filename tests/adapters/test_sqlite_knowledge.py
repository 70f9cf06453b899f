"""A sync shares its file with conversations: what it drops goes a little at a time, and an unchanged article costs one row."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.adapters.sqlite import knowledge, knowledge_garbage
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.errors import SyncBusy, SyncFenced
from bot.sync_ports import GenerationState
from tests.contract.knowledge_rig import FINGERPRINT, one_passage
from tests.knowledge_builders import (
    a_check,
    a_run,
    a_token,
    an_article,
    begin_build,
    publish_articles,
    publish_changes,
)

SHARED = ("versions", "passages", "passage_words", "article_words", "vectors")
COUNTED = "INSERT INTO store_state (only, pings) VALUES (1, 1) ON CONFLICT DO UPDATE SET pings = pings + 1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "var" / "candor.db"


def written(count: int, *, edition: str = "first"):
    return [one_passage(an_article(f"KB{n}", title=edition)) for n in range(count)]


def rows(database: SqliteDatabase, table: str) -> int:
    count: int = database.read_now(
        lambda connection: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - the tables are ours
    )
    return count


def test_an_unchanged_article_costs_one_row(path):
    with closing(SqliteDatabase.open(path)) as database:
        writer = SqliteKnowledgeWriter(database)
        publish_articles(writer, FINGERPRINT, written(9))
        before = {table: rows(database, table) for table in SHARED}

        publish_changes(writer, FINGERPRINT, written(1, edition="second"))

        assert {table: rows(database, table) - count for table, count in before.items()} == {
            "versions": 1, "passages": 1, "passage_words": 1, "article_words": 1, "vectors": 0,
        }  # fmt: skip
        assert rows(database, "members") == 18


def test_conversations_are_written_while_what_nobody_needs_is_dropped(path):
    """Else a customer would wait until the whole of an old generation is gone."""
    paused: list[float] = []
    with closing(SqliteDatabase.open(path)) as ours, closing(SqliteDatabase.open(path)) as theirs:

        def pause(seconds: float) -> None:
            theirs.write_now(lambda connection: connection.execute(COUNTED))
            paused.append(seconds)

        writer = SqliteKnowledgeWriter(ours, pause=pause)
        for edition in ("first", "second", "third"):
            publish_articles(writer, FINGERPRINT, written(12, edition=edition))

        assert paused == [knowledge.PAUSE_S] * 3
        assert (rows(ours, "versions"), rows(ours, "members"), rows(ours, "generations")) == (24, 24, 2)


def test_members_of_a_dropped_generation_go_a_few_at_a_time(path):
    with closing(SqliteDatabase.open(path)) as database:
        writer = SqliteKnowledgeWriter(database)
        build = begin_build(writer, FINGERPRINT, written(3))
        writer.discard_build(a_token(writer), build)

        left = []
        while database.write_now(partial(knowledge_garbage.drop_old_members, at_once=1)):
            left.append(rows(database, "members"))

        assert (left, rows(database, "generations")) == ([2, 1, 0], 0)
        assert rows(database, "versions") == 3


def test_what_a_killed_run_left_to_drop_is_dropped_by_the_next(path):
    """The flip is one step, and the tidying comes after it."""
    with closing(SqliteDatabase.open(path)) as database:
        writer = SqliteKnowledgeWriter(database)
        build = begin_build(writer, FINGERPRINT, written(3))
        writer.discard_build(a_token(writer), build)

        next_build = begin_build(writer, FINGERPRINT, written(1, edition="second"))
        writer.publish(a_token(writer), next_build, a_run(), a_check())

        assert [rows(database, table) for table in ("generations", "members", "versions")] == [1, 1, 1]


def test_a_sync_in_another_process_is_kept_out_and_then_fences_the_late_one(path):
    """FAULTS K10, R-K4."""
    with closing(SqliteDatabase.open(path)) as ours, closing(SqliteDatabase.open(path)) as theirs:
        late, other = SqliteKnowledgeWriter(ours), SqliteKnowledgeWriter(theirs)
        token = late.take_lock("late", now_ms=1_000, until_ms=61_000)
        build = late.open_build(token, FINGERPRINT, at_ms=1_000)
        with pytest.raises(SyncBusy):
            other.take_lock("other", now_ms=2_000, until_ms=99_000)
        published = other.open_build(
            other.take_lock("other", now_ms=61_000, until_ms=99_000), FINGERPRINT, at_ms=1
        )

        with pytest.raises(SyncFenced):
            late.publish(token, build, a_run(), a_check())

        assert (published, late.generations()[0].state) == (build, GenerationState.BUILDING)


def test_of_many_that_ask_for_the_lock_at_once_one_gets_it(path):
    with closing(SqliteDatabase.open(path)) as ours, closing(SqliteDatabase.open(path)) as theirs:
        writers = [SqliteKnowledgeWriter(ours), SqliteKnowledgeWriter(theirs)] * 4

        with ThreadPoolExecutor(len(writers)) as pool:
            taken = list(pool.map(_try_to_lock, writers))

        assert sorted(taken) == [False] * 7 + [True]


def _try_to_lock(writer: SqliteKnowledgeWriter) -> bool:
    try:
        writer.take_lock("a test", now_ms=1_000, until_ms=61_000)
    except SyncBusy:
        return False
    return True

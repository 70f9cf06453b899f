"""A sync on MongoDB that lost its lock changes nothing of what another publishes, wherever it is between its check and its writes (R-K4).

One that was killed leaves what was live alone; decisions that cross each other, or a publish, end in what was decided last.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest

from bot.adapters.mongo.knowledge import MongoKnowledgeWriter
from bot.core.indexing import passage_digest
from bot.core.knowledge import ArticleId
from bot.errors import StoreUnavailable, SyncFenced
from tests.adapters.atlas_rig import FINGERPRINT, AtlasRig, StoppedDatabase, atlas_rig
from tests.knowledge_builders import a_check, a_digest, a_passage, a_run, an_article

MOST_COMMANDS = 90


class Killed(Exception):
    """Nothing more is done."""


@pytest.fixture
async def rig() -> AsyncIterator[AtlasRig]:
    async with atlas_rig() as rig:
        rig.publish("KB0", "KB1")
        yield rig


def replaces(article: str, text: str) -> Callable[[MongoKnowledgeWriter, int, str], None]:
    """Return what puts an article with other passages into a build."""

    def replace(writer: MongoKnowledgeWriter, token: int, build: str) -> None:
        passages = [a_passage(f"{article}#{n}", embedded_text=f"{text} {n}") for n in range(2)]
        digest = a_digest(an_article(article), passages)
        writer.replace_article(token, build, an_article(article), digest, passages, at_ms=9)

    return replace


STEPS: dict[str, Callable[[MongoKnowledgeWriter, int, str], object]] = {
    "replace": replaces("KB1", "late"),
    "add": replaces("KB9", "late"),
    "carry over": lambda writer, token, build: writer.carry_over(token, build, [ArticleId("KB0")]),
    "retire": lambda writer, token, build: writer.retire_articles(token, build, [ArticleId("KB1")]),
    "retire another": lambda writer, token, build: writer.retire_articles(token, build, [ArticleId("KB0")]),
    "leave out": lambda writer, token, build: writer.leave_out(token, build, [ArticleId("KB1")]),
    "publish": lambda writer, token, build: writer.publish(token, build, a_run("late"), a_check()),
    "discard": lambda writer, token, build: writer.discard_build(token, build),
}


def remember_late_texts(rig: AtlasRig) -> None:
    """Keep the vectors of what the late writers write."""
    digests = [passage_digest(f"late {n}") for n in range(2)]
    rig.writer.remember_vectors(FINGERPRINT, dict.fromkeys(digests, (1.0, 0.0)))


def another_publishes(rig: AtlasRig) -> None:
    """Take the lock, go on with the build as a sync does, and publish KB1 and KB2."""
    build = rig.begin("KB1", "KB2")
    there = {*rig.writer.article_digests(build), *rig.writer.retired_articles(build)}
    token = rig.token()
    rig.writer.leave_out(token, build, sorted(there - {"KB1", "KB2"}))
    rig.writer.publish(token, build, a_run("newer", started_ms=3_000), a_check())


async def require_published(rig: AtlasRig) -> None:
    assert sorted(await rig.found()) == ["KB1#0", "KB2#0"]
    assert [one.id for one in await rig.catalogue.articles()] == ["KB1", "KB2"]
    assert set(rig.writer.article_digests(rig.live or "")) == {"KB1", "KB2"}
    assert rig.writer.retired_articles(rig.live or "") == frozenset()
    assert rig.writer.runs(limit=1)[0].id == "newer"


async def every_stop(rig: AtlasRig, do: Callable[[], object]) -> AsyncIterator[StoppedDatabase]:
    """Yield a database that is stopped before its first command, then one before its second, until one was never stopped."""
    for number in range(1, MOST_COMMANDS):
        database = rig.stopped_before(number, do)
        yield database
        if not database.was_stopped:
            return
    pytest.fail("it never ended")


@pytest.mark.parametrize("step", STEPS)
async def test_a_writer_that_is_late_before_any_command_changes_nothing(rig, step):
    remember_late_texts(rig)
    async for database in every_stop(rig, lambda: another_publishes(rig)):
        rig.begin("KB1")
        late = rig.writer.take_lock("late", now_ms=1, until_ms=1)
        build = rig.writer.open_build(late, FINGERPRINT, at_ms=2)
        with suppress(SyncFenced, StoreUnavailable):
            STEPS[step](MongoKnowledgeWriter(database, monotonic_s=rig.clock.monotonic_s), late, build)
        if database.was_stopped:
            await require_published(rig)


async def test_a_publish_that_is_killed_before_any_command_is_all_there_or_not_at_all(rig):
    """And the next sync goes on from there."""

    def kill() -> None:
        raise Killed

    async for database in every_stop(rig, kill):
        build = rig.begin("KB1", "KB2")
        writer = MongoKnowledgeWriter(database, monotonic_s=rig.clock.monotonic_s)
        token = rig.token()
        with suppress(Killed):
            writer.publish(token, build, a_run("killed"), a_check())

        is_live = rig.live == build
        assert sorted(await rig.found()) == (["KB1#0", "KB2#0"] if is_live else ["KB0#0", "KB1#0"])
        assert ("killed" in {run.id for run in rig.writer.runs(limit=9)}) or not is_live
        if is_live and database.was_stopped:
            rig.writer.roll_back(rig.token(), a_run("back"), refused="")
    assert sorted(await rig.found()) == ["KB1#0", "KB2#0"]

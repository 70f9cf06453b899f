"""A generation on MongoDB goes live once its vector index has read every passage (FAULTS §5.1, M1, M2), and otherwise not at all."""

from collections.abc import AsyncIterator

import pytest

from bot.adapters.mongo.index_waiting import QUERYABLE_S, unread_passages
from bot.errors import GenerationRefused, StoreUnavailable
from tests.adapters.atlas_rig import AtlasRig, atlas_rig, written
from tests.knowledge_builders import a_run, begin_build, publish_build, toward
from tests.vendors.mongodb_front import refusal


@pytest.fixture
async def rig() -> AsyncIterator[AtlasRig]:
    async with atlas_rig() as rig:
        rig.publish("KB0")
        yield rig


async def require_refused(rig: AtlasRig, build: str, said: str) -> None:
    """Require that a build is not put to use, and that customers are answered from what was live."""
    live = rig.live

    with pytest.raises(GenerationRefused, match=f"generation {build} was not put to use: .*{said}"):
        publish_build(rig.writer, build)

    assert rig.live == live
    assert await rig.found() == ["KB0#0"]


@pytest.mark.parametrize("status", ["PENDING", "BUILDING", "NOT_STARTED", "INITIAL_SYNC"])
async def test_a_generation_waits_for_its_index(rig, status):
    def finish() -> None:
        rig.vectors.status = "READY"

    build = rig.begin("KB1")
    rig.front.building, rig.while_waiting = status, finish

    publish_build(rig.writer, build)

    assert (rig.live, rig.waits) == (build, 1)
    assert await rig.found() == ["KB1#0"]


@pytest.mark.parametrize("status", ["PENDING", "BUILDING"])
async def test_an_index_that_is_never_built_keeps_its_generation_back(rig, status):
    build = rig.begin("KB1")
    rig.front.building = status

    await require_refused(rig, build, f"is being built .{status}.")
    assert rig.clock.monotonic_s() > QUERYABLE_S


@pytest.mark.parametrize("status", ["FAILED", "UNKNOWN", "STALE", "RECOVERING_TRANSIENT"])
async def test_an_index_that_waiting_does_not_mend_keeps_its_generation_back_at_once(rig, status):
    build = rig.begin("KB1")
    rig.front.building = status

    await require_refused(rig, build, status)
    assert rig.waits == 0


async def test_an_index_that_may_not_be_made_keeps_its_generation_back(rig):
    build = rig.begin("KB1")
    rig.front.refuse = lambda command: (
        refusal("the most indexes of this cluster are made") if "createSearchIndexes" in command else None
    )

    with pytest.raises(StoreUnavailable, match="the most indexes"):
        publish_build(rig.writer, build)

    assert await rig.found() == ["KB0#0"]


async def test_passages_that_were_just_written_are_waited_for(rig):
    build = rig.begin("KB1", "KB2")
    rig.writer.nearest(build, [toward(0)], limit=1)  # which makes the index
    rig.vectors.unseen = {"KB2#0"}
    rig.while_waiting = rig.vectors.unseen.clear

    publish_build(rig.writer, build)

    assert (rig.live, rig.waits) == (build, 1)


async def test_canaries_are_asked_once_the_index_has_read_them(rig):
    build = rig.begin("KB1")
    rig.writer.nearest(build, [toward(0)], limit=1)
    rig.vectors.unseen = {"KB1#0"}
    rig.while_waiting = rig.vectors.unseen.clear

    ((nearest, _),) = rig.writer.nearest(build, [toward(0)], limit=1)[0]

    assert (nearest, rig.waits) == ("KB1", 1)


async def test_passages_that_the_index_never_reads_are_named(rig):
    build = rig.begin("KB1", "KB2")
    rig.writer.nearest(build, [toward(0)], limit=1)
    rig.vectors.unseen = {"KB2#0"}

    await require_refused(rig, build, "has not read KB2#0 yet")
    assert rig.clock.monotonic_s() > QUERYABLE_S


@pytest.mark.parametrize("vector", [[1.0, 0.0, 0.0], [0.0, 0.0]])
async def test_passages_that_the_index_skips_are_named_at_once(rig, vector):
    """M2: a vector of another dimension, or without length, is skipped without an error."""
    build = rig.begin("KB1", "KB2")
    rig.change_passage(build, "KB2#0", vector=vector)

    await require_refused(rig, build, "skips KB2#0: their vectors have no length, or not 2 dimensions")
    assert rig.waits == 0


async def test_what_was_refused_is_built_again_and_published(rig):
    build = rig.begin("KB1")
    rig.change_passage(build, "KB1#0", vector=[0.0, 0.0])
    await require_refused(rig, build, "skips KB1#0")

    again = rig.begin("KB1")
    publish_build(rig.writer, again)

    assert await rig.found() == ["KB1#0"]


@pytest.mark.parametrize("most", [1, 2, 3, 6])
async def test_passages_are_counted_whatever_one_search_can_find(rig, most):
    """More passages than the ten thousand that a search returns take several."""
    build = begin_build(rig.writer, "local/test", [written(f"KB{n}", 40.0 * n) for n in range(6)])
    publish_build(rig.writer, build)

    whole = unread_passages(rig.blocking, build, 2, most=most)
    rig.vectors.unseen = {"KB4#0"}

    assert (whole.late, whole.skipped) == ((), ())
    assert unread_passages(rig.blocking, build, 2, most=most).late == ("KB4#0",)


async def test_going_back_needs_no_index_that_is_not_there_already(rig):
    first = rig.live
    rig.publish("KB1")
    rig.front.building = "FAILED"

    token = rig.writer.take_lock("a person", now_ms=2, until_ms=2)
    rig.writer.roll_back(token, a_run("back"), refused="")

    assert rig.live == first
    assert await rig.found() == ["KB0#0"]


async def test_an_index_that_somebody_dropped_is_made_again_by_the_next_sync_though_nothing_changed(rig):
    rig.front.indexes.clear()

    rig.writer.take_lock("worker", now_ms=2, until_ms=2)

    assert await rig.found() == ["KB0#0"]


async def test_a_canary_that_is_never_found_keeps_its_generation_back(rig):
    build = rig.begin("KB1")
    rig.writer.nearest(build, [toward(0)], limit=1)
    rig.vectors.unseen, live = {"KB1#0"}, rig.live

    with pytest.raises(GenerationRefused, match="has not read KB1#0 yet"):
        rig.writer.nearest(build, [toward(0)], limit=1)

    assert rig.live == live
    assert await rig.found() == ["KB0#0"]

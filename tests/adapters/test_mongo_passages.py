"""Each row of FAULTS §5.1 against the search of passages (R-D3, M1): a fault of the index is never told as "nothing found"."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.adapters.mongo.passages import MongoPassageIndex
from bot.adapters.mongo.vector_index import search_stage
from bot.adapters.mongo.watched_index import LOOKED_AGAIN_S
from bot.core.knowledge import ArticleStatus, IndexState, SearchQuery
from bot.errors import IndexNotReady, RetrievalUnavailable
from tests.adapters.atlas_rig import STRAIGHT_AHEAD, AtlasRig, atlas_rig, written
from tests.knowledge_builders import publish_articles, toward
from tests.vendors.atlas import NAME

STATES = {
    "PENDING": (IndexState.BUILDING, "is being built (PENDING); wait for it"),
    "BUILDING": (IndexState.BUILDING, "is being built (BUILDING); wait for it"),
    "NOT_STARTED": (IndexState.BUILDING, "is being built (NOT_STARTED); wait for it"),
    "INITIAL_SYNC": (IndexState.BUILDING, "is being built (INITIAL_SYNC); wait for it"),
    "FAILED": (IndexState.FAILED, "is in state FAILED; see the server's own messages"),
    "UNKNOWN": (IndexState.FAILED, "is in state UNKNOWN; see the server's own messages"),
    "DELETING": (IndexState.FAILED, "is in state DELETING; see the server's own messages"),
    "STALE": (IndexState.STALE, "answers with what it had (STALE)"),
    "RECOVERING_TRANSIENT": (IndexState.STALE, "answers with what it had (RECOVERING_TRANSIENT)"),
}
VECTOR = {"type": "vector", "path": "vector", "numDimensions": 2, "similarity": "cosine"}
STATUS, LOCALE = {"type": "filter", "path": "status"}, {"type": "filter", "path": "locale"}
DEFINITIONS = {
    "has 3 dimensions, but its passages have 2": [{**VECTOR, "numDimensions": 3}, STATUS, LOCALE],
    "compares by dotProduct, not by cosine": [{**VECTOR, "similarity": "dotProduct"}, STATUS, LOCALE],
    "compares by euclidean, not by cosine": [{**VECTOR, "similarity": "euclidean"}, STATUS, LOCALE],
    "does not filter by status": [VECTOR, LOCALE],
    "does not filter by status and locale": [VECTOR],
    "has no field 'vector'": [{**VECTOR, "path": "embedding"}, STATUS, LOCALE],
}


@pytest.fixture
async def rig() -> AsyncIterator[AtlasRig]:
    async with atlas_rig() as rig:
        yield rig


async def require_not_ready(rig: AtlasRig, state: IndexState, said: str) -> None:
    """Require that /readyz and a search say the same."""
    status = await rig.index.status()
    assert (status.state, said in status.detail) == (state, True), status.detail
    with pytest.raises(IndexNotReady) as refused:
        await rig.index.search(STRAIGHT_AHEAD)
    assert said in str(refused.value)


async def test_an_index_that_is_missing_is_named(rig):
    rig.publish("KB1")
    rig.front.indexes.clear()

    await require_not_ready(rig, IndexState.MISSING, "the vector index 'vectors' is not there")


async def test_an_index_of_another_name_is_a_missing_one(rig):
    generation = rig.publish("KB1")
    ((key, other),) = rig.front.indexes.items()
    rig.front.indexes.clear()
    rig.front.indexes[*key[:2], "vector"] = replace(other, name="vector")

    await require_not_ready(rig, IndexState.MISSING, "the vector index 'vectors' is not there")
    assert rig.live == generation


@pytest.mark.parametrize("status", STATES)
async def test_an_index_that_is_not_ready_says_in_which_state_it_is(rig, status):
    rig.publish("KB1")
    rig.vectors.status = status

    await require_not_ready(rig, *STATES[status])


@pytest.mark.parametrize("problem", DEFINITIONS)
async def test_an_index_that_was_made_otherwise_is_not_believed(rig, problem):
    rig.publish("KB1")
    rig.vectors.definition = {"fields": DEFINITIONS[problem]}

    await require_not_ready(rig, IndexState.MISMATCHED, problem)


async def test_vectors_of_another_model_are_not_searched_though_they_have_as_many_numbers(rig):
    rig.publish("KB1")
    rig.index = MongoPassageIndex(rig.waiting, fingerprint="local/other", clock=rig.clock)

    await require_not_ready(
        rig, IndexState.MISMATCHED, "embedded as local/test, but this embedder is local/other"
    )


async def test_without_any_sync_the_database_is_named(rig):
    await require_not_ready(rig, IndexState.MISSING, f"it is sought in the MongoDB database {NAME}")


async def test_an_index_that_is_dropped_while_it_is_believed_is_missing_at_the_next_search(rig):
    rig.publish("KB1")
    assert await rig.found() == ["KB1#0"]
    rig.front.indexes.clear()

    with pytest.raises(IndexNotReady, match="is not there"):
        await rig.found()


@pytest.mark.parametrize("status", ["INITIAL_SYNC", "FAILED", "UNKNOWN"])
async def test_an_index_that_fails_while_it_is_believed_says_so_at_the_next_search(rig, status):
    rig.publish("KB1")
    assert await rig.found() == ["KB1#0"]
    rig.vectors.status = status

    with pytest.raises(IndexNotReady, match=status):
        await rig.found()


async def test_an_index_that_loses_a_filter_while_it_is_believed_says_so_at_the_next_search(rig):
    rig.publish("KB1")
    assert await rig.found() == ["KB1#0"]
    rig.vectors.definition = {"fields": [VECTOR, STATUS]}

    with pytest.raises(IndexNotReady, match="does not filter by locale"):
        await rig.found()


async def test_a_state_that_nobody_notices_by_searching_is_seen_after_some_seconds(rig):
    rig.publish("KB1")
    assert await rig.found() == ["KB1#0"]
    rig.vectors.status = "STALE"

    rig.clock.advance(int(LOOKED_AGAIN_S * 1000))

    with pytest.raises(IndexNotReady, match="STALE"):
        await rig.found()


async def test_an_index_that_has_read_nothing_yet_is_not_an_answer(rig):
    rig.publish("KB1", "KB2")
    rig.vectors.unseen = {"KB1#0", "KB2#0"}

    with pytest.raises(IndexNotReady, match="found nothing among 2 passages"):
        await rig.found()


@pytest.mark.parametrize("vector", [[1.0, 0.0, 0.0], [0.0, 0.0]])
async def test_an_index_that_has_skipped_everything_is_not_an_answer(rig, vector):
    generation = rig.publish("KB1", "KB2")
    await rig.index.status()
    for passage in ("KB1#0", "KB2#0"):
        rig.change_passage(generation, passage, vector=vector)

    with pytest.raises(IndexNotReady, match="found nothing among 2 passages"):
        await rig.found()


async def test_an_index_that_finds_only_what_may_not_be_shown_is_not_an_answer(rig):
    """It has not read yet which passages are superseded."""
    generation = rig.publish("KB1", "KB2")
    await rig.index.status()
    rig.vectors.unseen = {"KB2#0"}
    rig.change_article(generation, "KB2", supersedes=["KB1"])
    rig.state.change(lambda state: state)

    with pytest.raises(IndexNotReady, match="found nothing among 1 passages"):
        await rig.found()


async def test_passages_whose_new_status_is_not_written_down_yet_are_found(rig):
    """Whoever decided ended before the passages carried it."""
    generation = rig.publish("KB1")
    rig.change_passage(generation, "KB1#0", status=str(ArticleStatus.SUPERSEDED))
    rig.state.change(lambda state: state)

    assert await rig.found() == ["KB1#0"]


@pytest.mark.parametrize(
    ("vector", "said"),
    [((1.0, 0.0, 0.0), "the query has 3 dimensions, the index 2"), ((0.0, 0.0), "no length")],
)
async def test_a_query_that_cannot_be_searched_for_is_a_failure(rig, vector, said):
    rig.publish("KB1")

    with pytest.raises(RetrievalUnavailable, match=said):
        await rig.found(replace(STRAIGHT_AHEAD, vector=vector))


@pytest.mark.parametrize("length", [1.0, 0.9])
async def test_scores_are_raw_cosines_times_the_length_of_the_query(rig, length):
    degrees = {"KB1": 0, "KB2": 60, "KB3": 90, "KB4": 180}
    publish_articles(rig.writer, "local/test", (written(*one) for one in degrees.items()))
    ahead = replace(STRAIGHT_AHEAD, vector=(length, 0.0))

    found = (await rig.index.search(ahead)).passages

    assert [one.cosine for one in found] == pytest.approx([length, length / 2, 0.0, -length], abs=1e-6)


async def test_the_search_is_the_first_stage_and_exact_in_a_small_knowledge_base(rig):
    rig.publish("KB1")
    searches = rig.searches()

    await rig.found(SearchQuery(vector=(1, 0), locales=("en",), limit=5))

    (stage,) = (one["$vectorSearch"] for one in searches)
    assert (stage["exact"], stage.get("numCandidates"), stage["index"]) == (True, None, "vectors")
    assert stage["filter"] == {"$and": [{"locale": {"$in": ["en"]}}, {"status": {"$in": ["active"]}}]}
    assert [type(one) for one in stage["queryVector"]] == [float, float]


@pytest.mark.parametrize(
    ("passages", "limit", "how"),
    [
        (9_999, 20, {"exact": True}),
        (10_000, 20, {"numCandidates": 400}),
        (50_000, 900, {"numCandidates": 10_000}),
    ],
)
def test_a_large_knowledge_base_is_searched_among_twenty_candidates_for_each(passages, limit, how):
    stage = search_stage(toward(0), limit=limit, passages=passages, wanted={"status": ["active"]})

    assert stage["$vectorSearch"].items() >= how.items()
    assert len({"exact", "numCandidates"} & stage["$vectorSearch"].keys()) == 1


@pytest.mark.parametrize("asked", ["status", "search", "article"])
async def test_a_server_that_is_gone_is_told_within_two_seconds(rig, asked):
    """M3."""
    rig.publish("KB1")
    assert await rig.found() == ["KB1#0"]
    rig.front.is_down = True
    calls = {
        "status": rig.index.status,
        "search": rig.found,
        "article": lambda: rig.index.article("KB1"),
    }

    with pytest.raises(RetrievalUnavailable):
        await calls[asked]()

    rig.front.is_down = False
    assert await rig.found() == ["KB1#0"]

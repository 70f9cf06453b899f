"""What every knowledge writer promises, over each implementation."""

import math

import pytest

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.core.knowledge import SearchQuery
from bot.errors import RetrievalUnavailable, StoreUnavailable
from tests.contract.knowledge_rig import FINGERPRINT, IMPLEMENTATIONS, knowledge_rig
from tests.knowledge_builders import a_passage, a_run, an_article, toward


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


async def found_ids(rig) -> list[str]:
    found = await rig.index.search(SearchQuery(vector=toward(0), locales=("en",)))
    return [one.passage.id for one in found.passages]


def test_the_live_generation_is_written_to_while_the_fingerprint_stays(rig):
    live = rig.publish(an_article())

    assert rig.writer.open_generation(FINGERPRINT, at_ms=9_000) == live


def test_another_fingerprint_gets_a_generation_of_its_own(rig):
    """FAULTS K7: a change of model embeds everything again, aside."""
    live = rig.publish(an_article())

    building = rig.writer.open_generation("local/next", at_ms=9_000)

    assert building != live
    assert rig.writer.article_digests(building) == {}


def test_an_interrupted_build_is_taken_up_again(rig):
    """FAULTS K11."""
    building = rig.writer.open_generation(FINGERPRINT, at_ms=1_000)
    rig.writer.replace_article(building, an_article("KB1"), "d1", [(a_passage(), toward(0))])

    assert rig.writer.open_generation(FINGERPRINT, at_ms=9_000) == building
    assert rig.writer.article_digests(building) == {"KB1": "d1"}


async def test_a_generation_is_invisible_until_it_is_published(rig):
    rig.publish(an_article("KB1"))
    other = rig.writer.open_generation("local/next", at_ms=9_000)
    rig.writer.replace_article(other, an_article("KB2"), "d2", [(a_passage("KB2#0"), toward(0))])
    assert await found_ids(rig) == ["KB1#0"]

    rig.writer.publish(other, a_run("r2"))

    status = await rig.index_for("local/next").status()
    assert (status.generation, status.articles) == (other, 1)


def test_publishing_drops_what_it_replaces(rig):
    old = rig.publish(an_article())
    new = rig.writer.open_generation("local/next", at_ms=9_000)

    rig.writer.publish(new, a_run("r2"))

    assert rig.writer.article_digests(old) == {}
    with pytest.raises(StoreUnavailable, match="sync again"):
        rig.writer.replace_article(old, an_article(), "d", [])
    with pytest.raises(StoreUnavailable, match="sync again"):
        rig.writer.retire_articles(old, ["KB1"])
    with pytest.raises(StoreUnavailable, match="sync again"):
        rig.writer.publish(old, a_run("r3"))


def test_publishing_the_live_generation_again_leaves_a_build_alone(rig):
    live = rig.publish(an_article())
    building = rig.writer.open_generation("local/next", at_ms=9_000)

    rig.writer.publish(live, a_run("r2"))

    assert rig.writer.open_generation("local/next", at_ms=9_999) == building


def test_a_generation_id_is_never_used_again(rig):
    first = rig.publish(an_article())
    rig.writer.publish(rig.writer.open_generation("local/next", at_ms=2_000), a_run("r2"))

    assert rig.writer.open_generation(FINGERPRINT, at_ms=3_000) != first


async def test_an_article_is_replaced_with_all_its_passages(rig):
    rig.publish_passages((an_article(), [(a_passage(f"KB1#{n}"), toward(n)) for n in range(3)]))

    rig.publish_passages((an_article(), [(a_passage("KB1#1"), toward(0))]))

    assert await found_ids(rig) == ["KB1#1"]


async def test_replacing_an_article_leaves_the_others(rig):
    rig.publish(an_article("KB1"), an_article("KB2"))

    generation = rig.publish(an_article("KB1"))

    assert await found_ids(rig) == ["KB1#0", "KB2#0"]
    assert rig.writer.article_digests(generation) == {"KB1": "digest of KB1", "KB2": "digest of KB2"}


async def test_an_article_may_have_no_passages(rig):
    generation = rig.publish_passages(
        (an_article("KB1"), [(a_passage(), toward(0))]), (an_article("KB2"), [])
    )

    assert await found_ids(rig) == ["KB1#0"]
    assert set(rig.writer.article_digests(generation)) == {"KB1", "KB2"}


async def test_a_retired_article_has_no_digest_and_comes_back_when_written_again(rig):
    generation = rig.publish(an_article("KB1"), an_article("KB2"))

    rig.writer.retire_articles(generation, ["KB2", "UNKNOWN"])
    assert set(rig.writer.article_digests(generation)) == {"KB1"}

    rig.publish(an_article("KB2"))
    assert await found_ids(rig) == ["KB1#0", "KB2#0"]


async def test_a_retired_article_no_longer_supersedes(rig):
    generation = rig.publish(an_article("OLD"), an_article("NEW", supersedes=("OLD",)))

    rig.writer.retire_articles(generation, ["NEW"])

    assert await found_ids(rig) == ["OLD#0"]


@pytest.mark.parametrize(
    "vector",
    [(1.0, 0.0, 0.0), (math.nan, 0.0), (0.0, 0.0), (3.0, 4.0)],
    ids=["other dimension", "nan", "zero", "not of unit length"],
)
async def test_a_bad_vector_is_refused_and_nothing_is_stored(rig, vector):
    """FAULTS R-L14: nothing of the article changes."""
    generation = rig.publish(an_article("KB1"))

    with pytest.raises(RetrievalUnavailable):
        rig.writer.replace_article(
            generation,
            an_article("KB1"),
            "new",
            [(a_passage("KB1#5"), toward(0)), (a_passage("KB1#6"), vector)],
        )

    assert await found_ids(rig) == ["KB1#0"]
    assert rig.writer.article_digests(generation) == {"KB1": "digest of KB1"}


def test_vectors_are_remembered_by_fingerprint_and_digest(rig):
    """FAULTS K11: no text is embedded twice, even after a crash."""
    rig.writer.remember_vectors(FINGERPRINT, {"d1": (0.6, 0.8), "d2": (1.0, 0.0)})

    known = rig.writer.known_vectors(FINGERPRINT, ["d1", "d3"])

    assert {digest: pytest.approx(vector) for digest, vector in known.items()} == {"d1": (0.6, 0.8)}
    assert rig.writer.known_vectors("local/other", ["d1"]) == {}


def test_a_thousand_digests_are_looked_up_at_once(rig):
    vectors = {f"d{n}": (1.0, 0.0) for n in range(40_000)}
    rig.writer.remember_vectors(FINGERPRINT, vectors)

    assert len(rig.writer.known_vectors(FINGERPRINT, list(vectors))) == 40_000


def test_a_bad_vector_is_not_remembered(rig):
    with pytest.raises(RetrievalUnavailable):
        rig.writer.remember_vectors(FINGERPRINT, {"d1": (1.0, 0.0), "d2": (0.0, 0.0)})

    assert rig.writer.known_vectors(FINGERPRINT, ["d1", "d2"]) == {}


async def test_a_run_is_recorded_when_it_starts_and_again_when_it_ends(rig):
    """FAULTS K1."""
    rig.publish(an_article())
    rig.writer.record_run(a_run("r2", started_ms=5_000, ended_ms=None))
    assert (await rig.index.status()).last_sync_ms == 2_000

    rig.writer.record_run(a_run("r2", started_ms=5_000, ended_ms=6_000))
    assert (await rig.index.status()).last_sync_ms == 6_000


def test_a_closed_database_is_a_store_failure(tmp_path):
    database = SqliteDatabase.open(tmp_path / "candor.db")
    database.close()

    with pytest.raises(StoreUnavailable):
        SqliteKnowledgeWriter(database).open_generation(FINGERPRINT, at_ms=1)


def test_what_was_written_is_there_after_a_restart(tmp_path):
    with knowledge_rig("sqlite", tmp_path) as rig:
        generation = rig.publish(an_article())
    with knowledge_rig("sqlite", tmp_path) as rig:
        assert rig.writer.open_generation(FINGERPRINT, at_ms=9_000) == generation
        assert rig.writer.article_digests(generation) == {"KB1": "digest of KB1"}

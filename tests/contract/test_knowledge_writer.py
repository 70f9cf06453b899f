"""What every knowledge writer promises of a build: aside until it is published, cheap where nothing changed, and refused when unsound."""

import math

import pytest

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.core.indexing import passage_digest
from bot.core.knowledge import ArticleStatus
from bot.errors import RetrievalUnavailable, StoreUnavailable
from tests.contract.knowledge_rig import FINGERPRINT, IMPLEMENTATIONS, knowledge_rig, one_passage
from tests.knowledge_builders import a_digest, a_passage, a_run, an_article, toward

OTHER = "local/next"


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def test_a_new_build_is_empty_even_when_the_fingerprint_stays(rig):
    live = rig.publish(an_article())

    build = rig.begin()

    assert build != live
    assert rig.writer.article_digests(build) == {}


def test_an_interrupted_build_is_taken_up_again(rig):
    """FAULTS K11."""
    build = rig.begin(one_passage(an_article("KB1")))

    assert rig.begin(at_ms=9_000) == build
    assert set(rig.writer.article_digests(build)) == {"KB1"}


def test_an_interrupted_build_of_another_fingerprint_is_dropped_but_not_its_vectors(rig):
    build = rig.begin(one_passage(an_article("KB1")), fingerprint=OTHER)

    rig.begin()

    assert rig.writer.article_digests(build) == {}
    assert [one.fingerprint for one in rig.writer.generations()] == [FINGERPRINT]
    assert known_texts(rig, a_passage().embedded_text, fingerprint=OTHER) == [a_passage().embedded_text]


async def test_a_build_is_invisible_until_it_is_published(rig):
    rig.publish(an_article("KB1"))
    build = rig.begin(one_passage(an_article("KB2")))
    assert await rig.found_ids() == ["KB1#0"]

    rig.finish(build)

    assert await rig.found_ids() == ["KB2#0"]


async def test_a_discarded_build_is_gone_but_its_vectors_stay(rig):
    rig.publish(an_article("KB1"))
    build = rig.begin((an_article("KB2"), [(a_passage("KB2#0", embedded_text="two"), toward(0))]))

    rig.writer.discard_build(rig.token(), build)

    assert len(rig.writer.generations()) == 1
    assert known_texts(rig, "two") == ["two"]
    assert rig.begin() != build


def test_nothing_is_written_to_what_is_no_build(rig):
    """A published generation is never changed."""
    live, token, writer = rig.publish(an_article()), rig.token(), rig.writer
    before = writer.generations()

    for generation in (live, "g1-unknown"):
        for write in (
            lambda g=generation: writer.carry_over(token, g, ["KB1"]),
            lambda g=generation: writer.replace_article(token, g, an_article(), "d", [], at_ms=1),
            lambda g=generation: writer.retire_articles(token, g, ["KB1"]),
            lambda g=generation: writer.leave_out(token, g, ["KB1"]),
            lambda g=generation: writer.discard_build(token, g),
            lambda g=generation: writer.publish(token, g, a_run("r9"), before[0].check),
        ):
            with pytest.raises(StoreUnavailable, match="sync again"):
                write()

    assert writer.generations() == before


async def test_articles_are_carried_over_as_they_are(rig):
    rig.publish(an_article("KB1"), an_article("KB2"), an_article("KB3"))
    live = rig.change(retired=["KB2"])
    build = rig.begin()

    rig.writer.carry_over(rig.token(), build, ["KB1", "KB2", "UNKNOWN"])
    rig.finish(build)

    assert rig.writer.article_digests(build) == {"KB1": rig.writer.article_digests(live)["KB1"]}
    assert rig.writer.retired_articles(build) == {"KB2"}
    assert await rig.found_ids() == ["KB1#0"]


def test_of_a_generation_with_another_fingerprint_only_retired_articles_are_carried(rig):
    """FAULTS K7: everything else must be embedded again."""
    rig.publish(an_article("KB1"), an_article("KB2"))
    rig.change(retired=["KB2"])
    build = rig.begin(fingerprint=OTHER)

    rig.writer.carry_over(rig.token(), build, ["KB1", "KB2"])

    assert rig.writer.article_digests(build) == {}
    assert rig.writer.retired_articles(build) == {"KB2"}
    assert rig.writer.generations()[0].passages == 0


def test_what_is_carried_over_twice_is_there_once(rig):
    rig.publish(an_article("KB1"))
    build = rig.begin()

    for _ in range(2):
        rig.writer.carry_over(rig.token(), build, ["KB1"])

    assert rig.writer.generations()[0].articles == 1


async def test_an_article_is_replaced_with_all_its_passages(rig):
    rig.publish_passages((an_article(), [(a_passage(f"KB1#{n}"), toward(n)) for n in range(3)]))
    build = rig.begin()
    rig.writer.carry_over(rig.token(), build, ["KB1"])

    rig.finish(rig.begin((an_article(), [(a_passage("KB1#1"), toward(0))])))

    assert await rig.found_ids() == ["KB1#1"]


async def test_an_article_that_was_written_before_is_used_again(rig):
    """Also one that only a build has ever had."""
    written = one_passage(an_article("KB1", title="First"))
    build = rig.begin(written)
    rig.writer.discard_build(rig.token(), build)

    rig.publish_passages(written)

    assert await rig.found_ids() == ["KB1#0"]
    assert (await rig.index.article("KB1")).title == "First"


async def test_an_article_may_have_no_passages(rig):
    live = rig.publish_passages(one_passage(an_article("KB1")), (an_article("KB2"), []))

    assert await rig.found_ids() == ["KB1#0"]
    assert set(rig.writer.article_digests(live)) == {"KB1", "KB2"}


async def test_a_retired_article_has_no_digest_and_comes_back_when_written_again(rig):
    rig.publish(an_article("KB1"), an_article("KB2"))
    live = rig.change(retired=["KB2", "UNKNOWN"])
    assert set(rig.writer.article_digests(live)) == {"KB1"}

    rig.change(one_passage(an_article("KB2")))

    assert await rig.found_ids() == ["KB1#0", "KB2#0"]


def test_an_article_that_its_source_retires_is_retired(rig):
    live = rig.publish(an_article("KB1"), an_article("KB2", status=ArticleStatus.RETIRED))

    assert (set(rig.writer.article_digests(live)), rig.writer.retired_articles(live)) == ({"KB1"}, {"KB2"})


async def test_a_retired_article_no_longer_supersedes(rig):
    rig.publish(an_article("OLD"), an_article("NEW", supersedes=("OLD",)))

    rig.change(retired=["NEW"])

    assert await rig.found_ids() == ["OLD#0"]


def test_what_strayed_into_a_build_is_left_out(rig):
    rig.publish(an_article("KB1"))
    build = rig.begin(one_passage(an_article("KB2")), one_passage(an_article("KB3")))

    rig.writer.leave_out(rig.token(), build, ["KB1", "KB3", "UNKNOWN"])

    assert set(rig.writer.article_digests(build)) == {"KB2"}


async def test_a_text_without_a_vector_is_refused_and_nothing_changes(rig):
    build = rig.begin(one_passage(an_article("KB1")))
    passages = [a_passage("KB1#0"), a_passage("KB1#1", embedded_text="new")]

    with pytest.raises(RetrievalUnavailable, match="1 of its texts"):
        rig.writer.replace_article(rig.token(), build, an_article("KB1"), "d", passages, at_ms=1)

    assert rig.writer.article_digests(build) == {"KB1": a_digest(an_article("KB1"), [a_passage("KB1#0")])}


@pytest.mark.parametrize(
    "vector",
    [(1.0, 0.0, 0.0), (math.nan, 0.0), (0.0, 0.0), (3.0, 4.0)],
    ids=["other dimension", "nan", "zero", "not of unit length"],
)
def test_a_bad_vector_is_refused_with_all_that_came_with_it(rig, vector):
    """FAULTS R-L14."""
    rig.writer.remember_vectors(FINGERPRINT, {"d0": toward(0)})

    with pytest.raises(RetrievalUnavailable):
        rig.writer.remember_vectors(FINGERPRINT, {"d1": toward(0), "d2": vector})

    assert set(rig.writer.known_vectors(FINGERPRINT, ["d0", "d1", "d2"])) == {"d0"}


def test_vectors_are_remembered_by_fingerprint_and_digest(rig):
    """FAULTS K11: no text is embedded twice, even after a crash."""
    rig.writer.remember_vectors(FINGERPRINT, {"d1": (0.6, 0.8), "d2": (1.0, 0.0)})

    known = rig.writer.known_vectors(FINGERPRINT, ["d1", "d3"])

    assert {digest: pytest.approx(vector) for digest, vector in known.items()} == {"d1": (0.6, 0.8)}
    assert rig.writer.known_vectors("local/other", ["d1"]) == {}


def test_thousands_of_digests_are_looked_up_at_once(rig):
    vectors = {f"d{n}": (1.0, 0.0) for n in range(rig.many)}
    rig.writer.remember_vectors(FINGERPRINT, vectors)

    assert len(rig.writer.known_vectors(FINGERPRINT, list(vectors))) == rig.many


def test_a_closed_database_is_a_store_failure(tmp_path):
    database = SqliteDatabase.open(tmp_path / "candor.db")
    database.close()

    with pytest.raises(StoreUnavailable):
        SqliteKnowledgeWriter(database).take_lock("a test", now_ms=1, until_ms=2)


def test_what_was_written_is_there_after_a_restart(tmp_path):
    with knowledge_rig("sqlite", tmp_path) as rig:
        live, build = rig.publish(an_article("KB1")), rig.begin(one_passage(an_article("KB2")))
    with knowledge_rig("sqlite", tmp_path) as rig:
        assert rig.begin(at_ms=9_000) == build
        assert [one.id for one in rig.writer.generations()] == [build, live]


def known_texts(rig, *texts: str, fingerprint: str = FINGERPRINT) -> list[str]:
    """Return the texts whose vectors are remembered."""
    known = rig.writer.known_vectors(fingerprint, [passage_digest(text) for text in texts])
    return [text for text in texts if passage_digest(text) in known]

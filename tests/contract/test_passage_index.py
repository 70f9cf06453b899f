"""What every passage index promises, over each implementation."""

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.passages import SqlitePassageIndex
from bot.core.knowledge import ArticleStatus, ArticleText, IndexState, SearchQuery
from bot.errors import IndexNotReady, RetrievalUnavailable
from tests.contract.knowledge_rig import (
    FINGERPRINT,
    IMPLEMENTATIONS,
    IN_PROCESS,
    KnowledgeRig,
    in_file,
    knowledge_rig,
    one_passage,
)
from tests.knowledge_builders import a_calibration, a_digest, a_passage, a_run, an_article, toward


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def a_query(degrees=0.0, **fields) -> SearchQuery:
    return SearchQuery(**{"vector": toward(degrees), "locales": ("en",), **fields})


async def found_ids(rig: KnowledgeRig, query: SearchQuery) -> list[str]:
    return [found.passage.id for found in (await rig.index.search(query)).passages]


async def test_passages_come_by_falling_raw_cosine(rig):
    degrees = {"KB1#0": 60, "KB1#1": 0, "KB1#2": 120}
    rig.publish_passages((an_article("KB1"), [(a_passage(one), toward(d)) for one, d in degrees.items()]))

    found = (await rig.index.search(a_query(0))).passages

    assert [(one.passage.id, one.cosine) for one in found] == [
        ("KB1#1", pytest.approx(1)),
        ("KB1#0", pytest.approx(0.5)),
        ("KB1#2", pytest.approx(-0.5)),
    ]


async def test_a_found_passage_carries_its_article(rig):
    article = an_article(
        "KB1", title="Refunds", url="/kb/1", last_modified_ms=5, evergreen=True, locale="en-GB"
    )
    passage = a_passage("KB1#0", headings=("Refunds", "By card"), text="a", embedded_text="b", position=3)
    generation = rig.publish_passages((article, [(passage, toward(0))]))

    result = await rig.index.search(a_query())

    (found,) = result.passages
    assert (result.fingerprint, result.generation) == (FINGERPRINT, generation)
    assert found.passage == passage
    assert (found.title, found.url, found.locale) == ("Refunds", "/kb/1", "en-GB")
    assert (found.last_modified_ms, found.evergreen, found.status) == (5, True, ArticleStatus.ACTIVE)
    assert found.article_digest == a_digest(article, [passage])


async def test_the_length_of_a_blended_query_is_part_of_its_score(rig):
    rig.publish(an_article())

    (found,) = (await rig.index.search(a_query(vector=(0.5, 0.2)))).passages

    assert found.cosine == pytest.approx(0.5)


async def test_equal_scores_are_ordered_by_passage_id_also_at_the_limit(rig):
    ids = [f"KB1#{n}" for n in range(9)]
    rig.publish_passages((an_article(), [(a_passage(one), toward(0)) for one in reversed(ids)]))

    assert await found_ids(rig, a_query(30, limit=4)) == ids[:4]


@pytest.mark.parametrize("status", [ArticleStatus.DRAFT, ArticleStatus.SUPERSEDED])
async def test_an_article_that_is_not_active_is_found_only_when_asked_for(rig, status):
    rig.publish(an_article("KB1"), an_article("KB2", status=status))

    assert await found_ids(rig, a_query()) == ["KB1#0"]
    assert await found_ids(rig, a_query(statuses=frozenset({status}))) == ["KB2#0"]


async def test_nothing_of_a_status_that_no_article_has_is_an_empty_result(rig):
    rig.publish(an_article())

    assert await found_ids(rig, a_query(statuses=frozenset({ArticleStatus.DRAFT}))) == []


async def test_a_retired_article_is_never_found(rig):
    rig.publish(an_article("KB1"), an_article("KB2"))
    rig.change(retired=["KB2"])

    assert await found_ids(rig, a_query(statuses=frozenset(ArticleStatus))) == ["KB1#0"]


@pytest.mark.parametrize("order", ["older first", "newer first"])
async def test_a_superseded_article_is_not_found_whichever_was_written_first(rig, order):
    """DESIGN §2.4: an outdated article never beats the current one."""
    articles = [an_article("OLD"), an_article("NEW", supersedes=("OLD",))]
    rig.publish(*(articles if order == "older first" else reversed(articles)))

    assert await found_ids(rig, a_query()) == ["NEW#0"]
    assert await found_ids(rig, a_query(statuses=frozenset({ArticleStatus.SUPERSEDED}))) == ["OLD#0"]


async def test_an_article_is_found_again_when_the_newer_one_no_longer_supersedes_it(rig):
    rig.publish(an_article("OLD"), an_article("NEW", supersedes=("OLD",)))
    rig.change(one_passage(an_article("NEW")))

    assert await found_ids(rig, a_query()) == ["NEW#0", "OLD#0"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        pytest.param(("de", "en"), "DE", id="the first that is there"),
        pytest.param(("fr", "en"), "EN", id="the next when the first is not there"),
        pytest.param(("de-AT",), "DE", id="by its language"),
        pytest.param(("pt",), "BR", id="a region of the language"),
        pytest.param(("PT_br",), "BR", id="in another spelling"),
        pytest.param(("ja",), "EN", id="the most common one when none is there"),
    ],
)
async def test_one_locale_is_searched(rig, wanted, found):
    locales = {"EN1": "en", "EN2": "en", "DE1": "de", "BR1": "pt-BR"}
    rig.publish(*(an_article(one, locale=locale) for one, locale in locales.items()))

    ids = await found_ids(rig, a_query(locales=wanted))

    assert {one[:2] for one in ids} == {found}


async def test_every_locale_is_searched_when_none_is_wanted(rig):
    rig.publish(an_article("DE1", locale="de"), an_article("EN1", locale="en"))

    assert await found_ids(rig, a_query(locales=())) == ["DE1#0", "EN1#0"]


async def test_a_locale_that_has_only_drafts_is_passed_over(rig):
    rig.publish(an_article("DE1", locale="de", status=ArticleStatus.DRAFT), an_article("EN1"))

    assert await found_ids(rig, a_query(locales=("de", "en"))) == ["EN1#0"]


async def test_an_article_is_read_as_it_was_written_with_its_passages_in_order(rig):
    article = an_article("KB1", title="Refunds", url="/kb/1", last_modified_ms=5, locale="en-GB")
    passages = [a_passage(f"KB1#{n}", position=n, text=f"Part {n}.") for n in range(11)]
    rig.publish_passages((article, [(one, toward(0)) for one in reversed(passages)]), (an_article("KB2"), []))

    read = await rig.index.article("KB1")

    assert read == ArticleText(
        id="KB1", title="Refunds", url="/kb/1", locale="en-GB", last_modified_ms=5, passages=tuple(passages)
    )
    assert (await rig.index.article("KB2")).passages == ()


@pytest.mark.parametrize("status", [status for status in ArticleStatus if status is not ArticleStatus.ACTIVE])
async def test_an_article_that_is_not_active_is_never_read(rig, status):
    rig.publish(an_article("KB1"), an_article("KB2", status=status))

    assert await rig.index.article("KB2") is None


async def test_an_article_that_was_retired_or_superseded_later_is_never_read(rig):
    rig.publish(an_article("KB1"), an_article("KB2"), an_article("KB3", supersedes=("KB1",)))
    rig.change(retired=["KB2"])

    assert [await rig.index.article(one) for one in ("KB1", "KB2", "KB9", "")] == [None] * 4
    assert (await rig.index.article("KB3")).id == "KB3"


async def test_only_the_live_generation_is_read(rig):
    rig.begin(one_passage(an_article("KB2")), fingerprint="local/next")
    assert await rig.index.article("KB2") is None

    rig.publish(an_article("KB1"))

    assert await rig.index.article("KB2") is None
    assert (await rig.index_for("local/next").article("KB1")).id == "KB1"


def leave_missing(rig):
    """Nothing was ever synced."""


def leave_building(rig):
    rig.begin(one_passage(an_article()))


def leave_empty(rig):
    rig.publish()


def leave_only_drafts(rig):
    rig.publish(an_article(status=ArticleStatus.DRAFT))


def leave_mismatched(rig):
    rig.finish(rig.begin((an_article(), [(a_passage(), (1.0, 0.0, 0.0))]), fingerprint="local/other"))


@pytest.mark.parametrize(
    ("leave", "state"),
    [
        (leave_missing, IndexState.MISSING),
        (leave_building, IndexState.BUILDING),
        (leave_empty, IndexState.EMPTY),
        (leave_only_drafts, IndexState.EMPTY),
        (leave_mismatched, IndexState.MISMATCHED),
    ],
)
async def test_an_unusable_index_is_a_failure_and_never_an_empty_result(rig, leave, state):
    """FAULTS R-D3, R-K6: missing, building, empty or of another model is never "no answer found"."""
    leave(rig)

    status = await rig.index.status()

    assert (status.state, bool(status.detail)) == (state, True)
    with pytest.raises(IndexNotReady, match=status.detail[:20]):
        await rig.index.search(a_query())


async def test_a_ready_index_says_what_it_holds(rig):
    rig.publish(an_article("KB1"), an_article("KB2", status=ArticleStatus.DRAFT), an_article("KB3"))
    generation = rig.change(retired=["KB3"])

    status = await rig.index.status()

    assert (status.state, status.detail) == (IndexState.READY, "")
    assert (status.fingerprint, status.generation) == (FINGERPRINT, generation)
    assert (status.articles, status.passages, status.last_sync_ms) == (2, 2, 2_000)


async def test_the_age_counts_from_the_last_sync_that_was_done(rig):
    """FAULTS K2: a sync that fails every night must not look fresh."""
    rig.publish(an_article())
    rig.writer.record_run(a_run("r2", ended_ms=3_000))
    for number, outcome in enumerate(("failed", "withheld", "busy", "held", "stopped")):
        rig.writer.record_run(a_run(f"s{number}", ended_ms=4_000, outcome=outcome))
    rig.writer.record_run(a_run("r4", started_ms=5_000, ended_ms=None))

    assert (await rig.index.status()).last_sync_ms == 3_000


async def test_how_often_a_sync_is_due_is_what_the_last_worker_said(rig):
    rig.publish(an_article())
    assert (await rig.index.status()).expected_every_s is None

    for number, interval_s in enumerate((600, 900, None)):
        rig.writer.record_run(a_run(f"s{number}", interval_s=interval_s))

    assert (await rig.index.status()).expected_every_s == 900


async def test_the_published_generation_serves_while_another_is_built(rig):
    """FAULTS K6, K7: vectors of two models are never searched together."""
    rig.publish(an_article("KB1"))
    rig.begin((an_article("KB2"), [(a_passage("KB2#0"), (0.0, 0.6, 0.8))]), fingerprint="local/next")

    assert await found_ids(rig, a_query()) == ["KB1#0"]
    assert (await rig.index.status()).state is IndexState.READY
    assert (await rig.index_for("local/next").status()).state is IndexState.MISMATCHED


@pytest.mark.parametrize(
    "vector",
    [(1.0, 0.0, 0.0), (1.0,), (math.nan, 0.0), (math.inf, 0.0)],
    ids=["longer", "shorter", "nan", "inf"],
)
async def test_a_query_vector_that_cannot_be_compared_is_refused(rig, vector):
    """FAULTS R-L14."""
    rig.publish(an_article())

    with pytest.raises(RetrievalUnavailable):
        await rig.index.search(a_query(vector=vector))


async def test_the_calibration_is_the_one_of_the_fingerprint(rig):
    assert (await rig.index.status()).calibration is None

    rig.writer.store_calibration(a_calibration(FINGERPRINT, strict=0.5))
    rig.writer.store_calibration(a_calibration(FINGERPRINT, strict=0.6))
    rig.writer.store_calibration(a_calibration("local/other"))

    assert (await rig.index.status()).calibration == a_calibration(FINGERPRINT, strict=0.6)


ANGLES = st.lists(
    st.tuples(st.integers(0, 24), st.sampled_from(ArticleStatus), st.sampled_from(["en", "de"])), max_size=40
)


def expected(angles, query: SearchQuery) -> list[str]:
    """Search the plain way: every active English passage, by score, then id."""
    scored = [
        (-round(math.cos(math.radians(15 * step)) * 0.9, 4), f"KB{n:02}#0")
        for n, (step, status, locale) in enumerate(angles)
        if status is ArticleStatus.ACTIVE and locale == "en"
    ]
    return [passage for _, passage in sorted(scored)][: query.limit]


async def require_what_a_plain_search_finds(implementation, directory, angles, limit):
    always = [(7, ArticleStatus.ACTIVE, "en"), *angles]
    query = a_query(vector=(0.9, 0.0), limit=limit)
    with knowledge_rig(implementation, directory) as rig:
        rig.publish_passages(
            *(
                (
                    an_article(f"KB{n:02}", status=status, locale=locale),
                    [(a_passage(f"KB{n:02}#0"), toward(15 * step))],
                )
                for n, (step, status, locale) in enumerate(always)
            )
        )

        assert await found_ids(rig, query) == expected(always, query)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(angles=ANGLES, limit=st.integers(1, 8))
@pytest.mark.parametrize("implementation", IN_PROCESS)
async def test_a_search_finds_what_a_plain_search_finds(implementation, tmp_path_factory, angles, limit):
    await require_what_a_plain_search_finds(implementation, tmp_path_factory.mktemp("kb"), angles, limit)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(angles=ANGLES, limit=st.integers(1, 8))
async def test_a_search_of_a_server_finds_what_a_plain_search_finds(tmp_path_factory, angles, limit):
    """Each example is some hundred commands, so there are fewer."""
    await require_what_a_plain_search_finds("mongo", tmp_path_factory.mktemp("kb"), angles, limit)


async def test_a_sync_by_another_process_is_seen_at_once(tmp_path):
    """Five seconds are allowed, but each search looks by itself, so that nothing waits."""
    ours, theirs = (SqliteDatabase.open(tmp_path / "candor.db") for _ in range(2))
    index = SqlitePassageIndex(ours, fingerprint=FINGERPRINT)
    rig = replace(in_file(theirs), index_for=lambda _: index)
    assert (await index.status()).state is IndexState.MISSING

    rig.publish(an_article("KB1"))
    assert await found_ids(rig, a_query()) == ["KB1#0"]
    rig.publish_passages((an_article("KB1"), [(a_passage("KB1#1"), toward(0))]))
    assert await found_ids(rig, a_query()) == ["KB1#1"]
    ours.close()
    theirs.close()


async def test_a_closed_database_is_a_retrieval_failure(tmp_path):
    database = SqliteDatabase.open(tmp_path / "candor.db")
    index = SqlitePassageIndex(database, fingerprint=FINGERPRINT)
    database.close()

    for call in (index.status(), index.search(a_query()), index.article("KB1")):
        with pytest.raises(RetrievalUnavailable):
            await call


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param("UPDATE vectors SET vector = x'00'", id="truncated vector"),
        pytest.param("UPDATE vectors SET vector = x'0000C07F0000C07F'", id="vector of NaN"),
        pytest.param("UPDATE versions SET supersedes = 'oops'", id="broken row"),
        pytest.param("UPDATE versions SET status = 'oops'", id="unknown status"),
        pytest.param("DELETE FROM vectors", id="lost vector"),
        pytest.param("DROP TABLE kb_state", id="lost table"),
    ],
)
async def test_damaged_rows_are_a_retrieval_failure(tmp_path, damage):
    with knowledge_rig("sqlite", tmp_path) as rig:
        rig.publish(an_article())
        other = SqliteDatabase.open(tmp_path / "candor.db")
        other.write_now(lambda connection: connection.execute(damage))
        other.close()

        with pytest.raises(RetrievalUnavailable):
            await rig.index.search(a_query())


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param("UPDATE versions SET supersedes = 'oops'", id="broken row"),
        pytest.param("UPDATE versions SET status = 'oops'", id="unknown status"),
        pytest.param("UPDATE passages SET headings = 'oops'", id="broken passage"),
    ],
)
async def test_a_damaged_article_is_a_retrieval_failure(tmp_path, damage):
    with knowledge_rig("sqlite", tmp_path) as rig:
        rig.publish(an_article())
        other = SqliteDatabase.open(tmp_path / "candor.db")
        other.write_now(lambda connection: connection.execute(damage))
        other.close()

        with pytest.raises(RetrievalUnavailable):
            await rig.index.article("KB1")

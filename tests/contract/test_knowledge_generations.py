"""What every knowledge writer promises of published generations: one flip, an instant way back, and nothing kept for longer."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.indexing import passage_digest
from bot.core.knowledge import ArticleStatus, SearchQuery
from bot.errors import GenerationRefused, IndexNotReady, StoreUnavailable
from bot.sync_ports import CheckedQuestion, Generation, GenerationCheck, GenerationState, RunRecord
from tests.contract.knowledge_rig import FINGERPRINT, IMPLEMENTATIONS, IN_PROCESS, knowledge_rig, one_passage
from tests.knowledge_builders import a_check, a_passage, a_run, an_article, toward

VECTORS = {"local/flat": (1.0, 0.0), "local/deep": (0.0, 1.0, 0.0)}


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def saying(text: str, article_id: str = "KB1", **fields):
    """Return an article with one passage of *text*."""
    return an_article(article_id, **fields), [(a_passage(f"{article_id}#0", embedded_text=text), toward(0))]


def states(rig) -> dict[str, GenerationState]:
    return {one.id: one.state for one in rig.writer.generations()}


async def test_publishing_flips_once_and_keeps_what_was_live(rig):
    first = rig.publish(an_article("KB1"))
    second = rig.publish(an_article("KB2"))

    assert states(rig) == {second: GenerationState.LIVE, first: GenerationState.PREVIOUS}
    assert await rig.found_ids() == ["KB2#0"]
    assert set(rig.writer.article_digests(first)) == {"KB1"}


def test_a_generation_says_what_it_holds_and_how_it_was_checked(rig):
    question = CheckedQuestion(text="How?", gold=("KB1", "KB2"), hit=True)
    check = GenerationCheck(articles=2, passages=2, questions=(question, replace(question, hit=False)))
    rig.publish(an_article("KB1"), an_article("KB2"), an_article("KB3"))
    rig.change(retired=["KB3"])
    build = rig.begin(one_passage(an_article("KB1")), one_passage(an_article("KB2")), at_ms=7_000)

    rig.writer.publish(rig.token(), build, a_run(ended_ms=8_000), check)

    assert rig.writer.generations()[0] == Generation(
        id=build, fingerprint=FINGERPRINT, state=GenerationState.LIVE,
        created_ms=7_000, published_ms=8_000, articles=2, passages=2, check=check,
    )  # fmt: skip
    assert check.recall_at_3 == 0.5
    assert a_check().recall_at_3 is None


def test_a_generation_id_is_never_used_again(rig):
    ids = [rig.publish(an_article()) for _ in range(4)]

    assert len(set(ids)) == 4


async def test_rolling_back_makes_the_generation_before_live_at_once(rig):
    first = rig.publish(an_article("KB1"))
    second = rig.publish(an_article("KB2"))

    live = rig.roll_back(refused="digest of the source")

    assert (live.id, live.state, live.published_ms) == (first, GenerationState.LIVE, 9_000)
    assert states(rig) == {second: GenerationState.PREVIOUS, first: GenerationState.LIVE}
    assert await rig.found_ids() == ["KB1#0"]
    assert rig.writer.rolled_back() == "digest of the source"
    assert rig.writer.runs(limit=1)[0].id in {"back", "r1"}


async def test_rolling_back_twice_is_where_it_was(rig):
    rig.publish(an_article("KB1"))
    second = rig.publish(an_article("KB2"))

    rig.roll_back()

    assert rig.roll_back().id == second
    assert await rig.found_ids() == ["KB2#0"]


def test_without_a_generation_before_there_is_no_way_back(rig):
    live = rig.publish(an_article("KB1"))

    with pytest.raises(GenerationRefused, match="no generation before"):
        rig.roll_back(refused="digest of the source")

    assert (states(rig), rig.writer.rolled_back()) == ({live: GenerationState.LIVE}, "")


def test_publishing_holds_nothing_back_any_longer(rig):
    rig.publish(an_article("KB1"))
    rig.publish(an_article("KB2"))
    rig.roll_back(refused="digest of the source")

    rig.publish(an_article("KB3"))

    assert rig.writer.rolled_back() == ""


def test_rolling_back_drops_a_build_that_was_planned_against_what_is_taken_back(rig):
    rig.publish(an_article("KB1"))
    rig.publish(an_article("KB2"))
    build = rig.begin(one_passage(an_article("KB3")))

    rig.roll_back()

    assert build not in states(rig)
    assert rig.begin() != build


def test_vectors_that_no_kept_generation_needs_are_dropped(rig):
    texts = ("one", "two", "three")
    kept = [
        passage_digest(text) in rig.writer.known_vectors(FINGERPRINT, [passage_digest(text)])
        for text in texts
        if rig.publish_passages(saying(text))
    ]
    known = rig.writer.known_vectors(FINGERPRINT, [passage_digest(text) for text in texts])

    assert kept == [True, True, True]
    assert set(known) == {passage_digest("two"), passage_digest("three")}


def test_a_generation_two_before_is_gone(rig):
    first, _, _ = [rig.publish(an_article(one)) for one in ("KB1", "KB2", "KB3")]

    assert rig.writer.article_digests(first) == {}
    with pytest.raises(StoreUnavailable):
        rig.writer.nearest(first, [toward(0)], limit=3)


async def test_articles_of_one_text_share_a_vector_and_both_are_found(rig):
    """FAULTS K9: also while the one that had it first is gone."""
    rig.publish_passages(saying("same", "KB1"), saying("same", "KB2"))
    assert await rig.found_ids() == ["KB1#0", "KB2#0"]
    for _ in range(2):
        rig.publish_passages(saying("same", "KB2"))

    assert await rig.found_ids() == ["KB2#0"]


async def test_other_remembered_vectors_are_left_alone(rig):
    """Those of questions, and what an interrupted or refused build has embedded."""
    rig.writer.remember_vectors(FINGERPRINT, {"query:1": toward(5)})
    for text in ("one", "two", "three"):
        rig.publish_passages(saying(text))

    assert set(rig.writer.known_vectors(FINGERPRINT, ["query:1"])) == {"query:1"}


def test_a_build_can_be_asked_what_is_nearest(rig):
    """FAULTS K6: canaries, before anybody sees it."""
    build = rig.begin(
        (an_article("KB1"), [(a_passage("KB1#0"), toward(0)), (a_passage("KB1#1"), toward(80))]),
        (an_article("KB2"), [(a_passage("KB2#0"), toward(60))]),
        (an_article("KB3", status=ArticleStatus.DRAFT), [(a_passage("KB3#0"), toward(60))]),
        (an_article("KB4"), []),
    )

    first, second = rig.writer.nearest(build, [toward(0), toward(60)], limit=2)

    assert first == (("KB1", pytest.approx(1)), ("KB2", pytest.approx(0.5)))
    assert second == (("KB2", pytest.approx(1)), ("KB1", pytest.approx(0.939693)))
    assert rig.writer.nearest(build, [toward(0)], limit=1) == ((("KB1", pytest.approx(1)),),)


def test_passages_of_a_generation_are_taken_evenly(rig):
    build = rig.begin(
        *(one_passage(an_article(f"KB{n}")) for n in range(8)),
        one_passage(an_article("KB9", status=ArticleStatus.DRAFT)),
    )

    taken = rig.writer.passages_of_generation(build, limit=4)

    digest = passage_digest(a_passage().embedded_text)
    assert taken == tuple((f"KB{n}#0", f"KB{n}", digest) for n in (0, 2, 4, 6))
    assert len(rig.writer.passages_of_generation(build, limit=99)) == 8


def test_a_build_without_articles_has_nothing_nearest(rig):
    build = rig.begin()

    assert rig.writer.nearest(build, [toward(0)], limit=3) == ((),)
    assert rig.writer.passages_of_generation(build, limit=3) == ()


async def test_a_run_is_recorded_when_it_starts_and_again_when_it_ends(rig):
    """FAULTS K1."""
    rig.publish(an_article())
    rig.writer.record_run(a_run("r2", started_ms=5_000, ended_ms=None))
    assert (await rig.index.status()).last_sync_ms == 2_000

    rig.writer.record_run(a_run("r2", started_ms=5_000, ended_ms=6_000))

    assert (await rig.index.status()).last_sync_ms == 6_000
    assert [run.id for run in rig.writer.runs(limit=9)] == ["r2", "r1"]


def test_runs_come_newest_first_with_all_that_was_recorded(rig):
    run = RunRecord(
        id="r5", source="kb", started_ms=5, ended_ms=9, outcome="withheld", seen=1, added=2, changed=3, unchanged=4,
        retired=5, withheld=6, skipped=7, failed=8, embedded_passages=9, embedded_tokens=10, exit_code=1, interval_s=900,
        generation="g1", source_digest="abc", error="11 articles vanished",
    )  # fmt: skip
    for one in (a_run("r4", started_ms=4), run, a_run("r3", started_ms=3)):
        rig.writer.record_run(one)

    assert rig.writer.runs(limit=2) == (run, a_run("r4", started_ms=4))


STEPS = st.lists(
    st.tuples(st.sampled_from(["publish", "begin", "back"]), st.sampled_from([*VECTORS])), max_size=7
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.parametrize("implementation", IN_PROCESS)
async def test_vectors_of_two_models_are_never_searched_together(implementation, tmp_path_factory, steps):
    """FAULTS K7: whatever was published, begun and taken back, a search sees one generation of its own model, or fails."""
    await require_one_model(implementation, tmp_path_factory.mktemp("kb"), steps)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_vectors_of_two_models_are_never_searched_together_by_a_server(tmp_path_factory, steps):
    """FAULTS K7; each example is some hundred commands, so there are fewer."""
    await require_one_model("mongo", tmp_path_factory.mktemp("kb"), steps)


async def require_one_model(implementation, directory, steps):
    with knowledge_rig(implementation, directory) as rig:
        for number, (step, fingerprint) in enumerate(steps):
            _take(rig, step, fingerprint, number)
        live = [one for one in rig.writer.generations() if one.state is GenerationState.LIVE]
        for fingerprint, vector in VECTORS.items():
            query = SearchQuery(vector=vector, locales=("en",))
            if [one.fingerprint for one in live] != [fingerprint]:
                with pytest.raises(IndexNotReady):
                    await rig.index_for(fingerprint).search(query)
                continue
            result = await rig.index_for(fingerprint).search(query)
            assert (result.generation, result.fingerprint) == (live[0].id, fingerprint)
            assert [one.cosine for one in result.passages] == [1.0]


def _take(rig, step: str, fingerprint: str, number: int) -> None:
    if step == "back":
        if len([one for one in rig.writer.generations() if one.state is not GenerationState.BUILDING]) == 2:
            rig.roll_back()
        return
    written = (an_article(f"KB{number}"), [(a_passage(f"KB{number}#0"), VECTORS[fingerprint])])
    build = rig.begin(written, fingerprint=fingerprint)
    if step == "publish":
        rig.writer.leave_out(
            rig.token(), build, sorted(set(rig.writer.article_digests(build)) - {f"KB{number}"})
        )
        rig.finish(build)

"""A plan writes what changed, and never retires many articles at once without approval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.knowledge import ArticleId
from kb_sync.plan import Contents, build_steps, plan


def ids(count: int, *, start: int = 0) -> tuple[ArticleId, ...]:
    return tuple(ArticleId(f"KB{n}") for n in range(start, start + count))


def digests(count: int, *, start: int = 0, digest: str = "d") -> dict[ArticleId, str]:
    return dict.fromkeys(ids(count, start=start), digest)


def test_articles_are_added_changed_or_left_alone_by_their_digest():
    wanted = {ArticleId("new"): "d", ArticleId("edited"): "d2", ArticleId("same"): "d"}
    stored = {ArticleId("edited"): "d1", ArticleId("same"): "d", ArticleId("gone"): "d"}

    planned = plan(wanted, stored)

    assert (planned.added, planned.changed, planned.unchanged) == (("new",), ("edited",), ("same",))
    assert planned.upserts == ("new", "edited")
    assert planned.retirements == ("gone",)


@pytest.mark.parametrize(
    ("stored", "vanished", "approved", "retired"),
    [
        pytest.param(20, 10, 0, 10, id="ten of a few articles"),
        pytest.param(20, 11, 0, 0, id="eleven of a few articles"),
        pytest.param(200, 20, 0, 20, id="exactly a tenth of many"),
        pytest.param(100, 11, 0, 0, id="eleven percent"),
        pytest.param(500, 499, 0, 0, id="all but one"),
        pytest.param(500, 500, 0, 0, id="all"),
        pytest.param(100, 30, 30, 30, id="approved"),
        pytest.param(100, 31, 30, 0, id="more than approved"),
    ],
)
def test_many_retirements_at_once_are_withheld(stored, vanished, approved, retired):
    wanted = digests(stored - vanished) | digests(1, start=1_000)

    planned = plan(wanted, digests(stored), approved=approved)

    assert len(planned.retirements) == retired
    assert len(planned.withheld) == vanished - retired
    assert planned.added == ("KB1000",)


def test_what_the_source_retires_itself_needs_no_approval():
    planned = plan({}, digests(50), withdrawn=frozenset(ids(50)))

    assert len(planned.retirements) == 50
    assert planned.withheld == ()


@given(
    wanted=st.dictionaries(st.sampled_from(ids(30)), st.sampled_from("ab")),
    stored=st.dictionaries(st.sampled_from(ids(30)), st.sampled_from("ab")),
    approved=st.integers(0, 30),
)
def test_every_article_has_exactly_one_fate(wanted, stored, approved):
    planned = plan(wanted, stored, approved=approved)

    fates = [*planned.upserts, *planned.unchanged, *planned.retirements, *planned.withheld]
    assert sorted(fates) == sorted(wanted.keys() | stored.keys())


DIGESTS = st.dictionaries(st.sampled_from(ids(12)), st.sampled_from("ab"))


@st.composite
def contents(draw) -> Contents:
    held = draw(DIGESTS)
    retired = draw(st.frozensets(st.sampled_from(ids(12))))
    return Contents(digests=held, retired=retired - held.keys())


@given(wanted=DIGESTS, live=contents(), built=contents(), anew=st.booleans())
def test_the_steps_lead_from_whatever_a_dead_run_left_to_what_is_wanted(wanted, live, built, anew):
    """FAULTS K11: a build is resumed, and an earlier run's idea of the source leaves no trace in it."""
    planned = plan(wanted, live.digests, approved=12)

    steps = build_steps(planned, wanted, live=live, built=built, anew=anew)

    held = {one: digest for one, digest in built.digests.items() if one not in steps.strays}
    retired = set(built.retired) - set(steps.strays)
    for one in steps.carried:
        held.pop(one, None)
        if one in live.retired:
            retired.add(one)
        else:
            assert not anew, "vectors of another model are never carried over"
            retired.discard(one)
            held[one] = live.digests[one]
    for one in steps.written:
        retired.discard(one)
        held[one] = wanted[one]
    for one in steps.retired:
        held.pop(one, None)
        retired.add(one)
    assert (held, retired) == (wanted, set(live.retired | live.digests.keys()) - wanted.keys())
    assert (dict(steps.target.digests), set(steps.target.retired)) == (held, retired)


def test_an_interrupted_build_of_the_same_plan_is_only_completed():
    wanted, live = digests(3) | {ArticleId("new"): "d"}, Contents(digests=digests(3, digest="old"))
    built = Contents(digests=digests(2))

    steps = build_steps(plan(wanted, live.digests), wanted, live=live, built=built)

    assert steps.written == ("new", "KB2")
    assert (steps.carried, steps.retired, steps.strays) == ((), (), ())


def test_withheld_articles_are_carried_over_as_they_are():
    wanted, live = digests(20, digest="new"), Contents(digests=digests(40, digest="old"))
    planned = plan(wanted, live.digests)

    steps = build_steps(planned, wanted, live=live, built=Contents())

    assert steps.carried == ids(20, start=20)
    assert steps.target.digests[ids(1, start=20)[0]] == "old"

"""Which articles count, which locale is searched, and whether an index can be believed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.indexing import (
    Contents,
    Standing,
    evenly_spread,
    generation_id,
    index_state,
    passage_digest,
    searched_locales,
    statuses_in_force,
    with_decisions,
)
from bot.core.knowledge import ArticleId, ArticleStatus, IndexState

ACTIVE, DRAFT = ArticleStatus.ACTIVE, ArticleStatus.DRAFT
SUPERSEDED, RETIRED = ArticleStatus.SUPERSEDED, ArticleStatus.RETIRED


@pytest.mark.parametrize(
    ("new", "old", "old_in_force"),
    [
        (ACTIVE, ACTIVE, SUPERSEDED),
        (SUPERSEDED, ACTIVE, SUPERSEDED),
        (DRAFT, ACTIVE, ACTIVE),
        (RETIRED, ACTIVE, ACTIVE),
        (ACTIVE, DRAFT, DRAFT),
        (ACTIVE, RETIRED, RETIRED),
    ],
)
def test_an_article_in_force_supersedes_an_active_one(new, old, old_in_force):
    articles = [Standing(id="OLD", status=old), Standing(id="NEW", status=new, supersedes=("OLD",))]

    assert statuses_in_force(articles) == {"OLD": old_in_force, "NEW": new}


@pytest.mark.parametrize(
    ("articles", "decided", "in_force"),
    [
        pytest.param(("A", "B"), [("A", "B")], {"B"}, id="a person put one out"),
        pytest.param(("A", "B", "C"), [("A", "B"), ("B", "C")], {"C"}, id="a chain"),
        pytest.param(("A",), [("A", "B")], {"A"}, id="the newer is gone"),
        pytest.param(("B",), [("A", "B")], {"B"}, id="the older is gone"),
    ],
)
def test_what_people_decided_counts_like_what_the_source_says(articles, decided, in_force):
    said = [Standing(id=one, status=ArticleStatus.ACTIVE) for one in articles]

    statuses = statuses_in_force(with_decisions(said, decided))

    assert {one for one, status in statuses.items() if status is ArticleStatus.ACTIVE} == in_force


def test_the_source_counts_more_where_it_says_the_contrary_of_a_decision():
    said = [
        Standing(id="A", status=ArticleStatus.ACTIVE, supersedes=("B",)),
        Standing(id="B", status=ArticleStatus.ACTIVE),
    ]

    assert with_decisions(said, [(ArticleId("A"), ArticleId("B"))]) == tuple(said)


@pytest.mark.parametrize(
    ("limit", "taken"),
    [(4, (0, 2, 4, 6)), (3, (0, 2, 5)), (8, tuple(range(8))), (99, tuple(range(8))), (0, ())],
)
def test_rows_are_taken_evenly(limit, taken):
    assert evenly_spread(range(8), limit) == taken


def test_a_chain_leaves_only_the_newest():
    articles = [
        Standing(id="A", status=ACTIVE),
        Standing(id="B", status=ACTIVE, supersedes=("A",)),
        Standing(id="C", status=ACTIVE, supersedes=("B", "UNKNOWN")),
    ]

    assert statuses_in_force(articles) == {"A": SUPERSEDED, "B": SUPERSEDED, "C": ACTIVE}


def test_an_article_cannot_supersede_itself():
    assert statuses_in_force([Standing(id="A", status=ACTIVE, supersedes=("A",))]) == {"A": ACTIVE}


@given(
    st.dictionaries(
        st.sampled_from("ABCDE"),
        st.tuples(st.sampled_from(ArticleStatus), st.lists(st.sampled_from("ABCDE"))),
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_articles_does_not_matter(drawn, random):
    articles = [
        Standing(id=one, status=status, supersedes=tuple(old)) for one, (status, old) in drawn.items()
    ]
    shuffled = random.sample(articles, len(articles))

    assert statuses_in_force(shuffled) == statuses_in_force(articles)


@pytest.mark.parametrize(
    ("wanted", "passages", "searched"),
    [
        pytest.param(("en", "de"), {"en": 1, "de": 9}, {"en"}, id="first wanted"),
        pytest.param(("fr", "de"), {"en": 9, "de": 1}, {"de"}, id="next wanted"),
        pytest.param(("en-US", "de"), {"en": 1, "de": 9}, {"en"}, id="language before the next wanted"),
        pytest.param(("en-GB",), {"en": 1, "en-GB": 1}, {"en-GB"}, id="exact before language"),
        pytest.param(("en",), {"en-GB": 1, "en-US": 1, "de": 9}, {"en-GB", "en-US"}, id="all regions"),
        pytest.param((" EN_us ",), {"en-US": 1, "en": 1}, {"en-US"}, id="spelling"),
        pytest.param(("en",), {"en": 0, "de": 1}, {"de"}, id="no passages is not there"),
        pytest.param(("ja",), {"en": 1, "de": 2}, {"de"}, id="most common"),
        pytest.param(("ja",), {"en": 2, "de": 2}, {"de"}, id="most common, tie by name"),
        pytest.param((), {"en": 1, "de": 2}, {"en", "de"}, id="nothing wanted"),
        pytest.param(("en",), {}, set(), id="nothing there"),
    ],
)
def test_the_searched_locales(wanted, passages, searched):
    assert searched_locales(wanted, passages) == searched


@pytest.mark.parametrize(
    ("contents", "state"),
    [
        (Contents(live_fingerprint=None, building=False), IndexState.MISSING),
        (Contents(live_fingerprint=None, building=True), IndexState.BUILDING),
        (Contents(live_fingerprint="b", building=False, passages=1, searchable=1), IndexState.MISMATCHED),
        (Contents(live_fingerprint="a", building=True), IndexState.EMPTY),
        (Contents(live_fingerprint="a", building=False, passages=1), IndexState.EMPTY),
        (Contents(live_fingerprint="a", building=True, passages=1, searchable=1), IndexState.READY),
    ],
)
def test_only_a_ready_index_has_nothing_to_say(contents, state):
    """FAULTS R-D3."""
    found, detail = index_state(contents, expected_fingerprint="a")

    assert (found, detail == "") == (state, state is IndexState.READY)


@given(st.text())
def test_a_passage_is_the_same_in_every_normal_form(text):
    """FAULTS K8: an export in another Unicode form embeds nothing again."""
    assert passage_digest(unicodedata.normalize("NFD", text)) == passage_digest(text)


def test_generations_of_two_fingerprints_begun_at_once_differ():
    assert generation_id("a", at_ms=1) != generation_id("b", at_ms=1)

"""The order in which passages reach the answerer: words, stated conditions, freshness, a fair share, and rivals marked."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.conditions import StatedValue
from bot.core.lexical import terms
from bot.core.policy import RankingPolicy
from bot.core.ranking import CONTENDING, freshness, rank
from tests.builders import NOON_MS
from tests.core.builders import passage_of

POLICY = RankingPolicy()


# Three on one topic, of which what the customer stated chooses one.
RESCHEDULE = "How to Reschedule a Lesson"
LESS = "Rescheduling a Lesson With Less Than 24 Hours Notice"
MORE = "Rescheduling a Lesson More Than 24 Hours Ahead"
IN_2_HOURS = StatedValue(low=2, high=2)
IN_2_DAYS = StatedValue(low=48, high=48)


def ranked(*found, named=frozenset(), stated=None, **policy):
    return rank(found, now_ms=NOON_MS, policy=replace(POLICY, **policy), named=named, stated=stated)


def articles(passages):
    return list(dict.fromkeys(p.found.article_id for p in passages))


def ids(passages):
    return [p.found.passage.id for p in passages]


@pytest.mark.parametrize(
    ("days_old", "expected"),
    [(0, 1.0), (73, 0.8), (365, 0.0), (425, 0.0), (-3, 1.0), (None, None)],
    ids=["now", "73 days", "a year", "14 months", "tomorrow", "undated"],
)
def test_freshness_falls_in_a_line_over_a_year(days_old, expected):
    fresh = freshness(passage_of("A", 0.5, days_old=days_old), now_ms=NOON_MS, policy=POLICY)

    assert fresh == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("days_old", [730, None])
def test_an_evergreen_article_is_fresh_for_ever(days_old):
    found = passage_of("A", 0.5, days_old=days_old, evergreen=True)

    assert freshness(found, now_ms=NOON_MS, policy=POLICY) == 1.0


def test_the_14_month_old_winner_gives_way_to_the_current_article():
    """DESIGN §2.4: an outdated article beat the current one, 0.89 to 0.81."""
    passages = ranked(passage_of("OLD", 0.89, days_old=425), passage_of("NEW", 0.81, days_old=2))

    assert articles(passages) == ["NEW", "OLD"]


def test_an_evergreen_article_of_two_years_is_not_buried():
    canonical = passage_of("CANON", 0.84, days_old=730, evergreen=True)

    assert articles(ranked(canonical, passage_of("NEW", 0.83, days_old=0))) == ["CANON", "NEW"]


@pytest.mark.parametrize("worse", [0.83, 0.80, 0.75], ids=str)
def test_a_canonical_article_of_two_years_does_not_lose_to_a_newer_worse_match(worse):
    """The other side: age says nothing of an article that its team declared evergreen (DESIGN §5.5)."""
    newer = passage_of("NEW", worse, days_old=0)

    evergreen = ranked(passage_of("CANON", 0.84, days_old=730, evergreen=True), newer)

    assert articles(evergreen) == ["CANON", "NEW"]
    assert [p.freshness for p in evergreen] == [1.0, 1.0]


def test_without_being_evergreen_it_would_lose():
    found = passage_of("CANON", 0.84, days_old=730), passage_of("NEW", 0.83, days_old=0)

    assert articles(ranked(*found)) == ["NEW", "CANON"]


@pytest.mark.parametrize("weights", [(0.9, 0.1), (0.8, 0.2)], ids=["shipped", "as designed"])
def test_both_sides_hold_with_the_shipped_weights_and_with_those_first_designed(weights):
    policy = {"similarity_weight": weights[0], "freshness_weight": weights[1]}
    new = passage_of("NEW", 0.81, days_old=2)

    assert articles(ranked(passage_of("OLD", 0.89, days_old=425), new, **policy))[0] == "NEW"
    assert articles(ranked(passage_of("OLD", 0.89, days_old=425, evergreen=True), new, **policy))[0] == "OLD"


def test_an_undated_article_counts_as_half_fresh():
    undated = passage_of("UNDATED", 0.80)
    passages = ranked(undated, passage_of("STALE", 0.80, days_old=400), passage_of("FRESH", 0.80, days_old=0))

    assert articles(passages) == ["FRESH", "UNDATED", "STALE"]
    assert [p.score for p in passages if p.found is undated] == [pytest.approx(0.77)]


def test_undated_articles_keep_the_order_of_their_cosines():
    passages = ranked(passage_of("B", 0.71), passage_of("A", 0.78), passage_of("C", 0.80))

    assert articles(passages) == ["C", "A", "B"]


def test_a_far_match_never_passes_a_close_one_by_being_fresh():
    passages = ranked(passage_of("CLOSE", 0.80, days_old=800), passage_of("FAR", 0.69, days_old=0))

    assert articles(passages) == ["CLOSE", "FAR"]
    assert [p.score for p in passages] == [0.80, 0.69]


def test_the_best_match_is_never_pushed_out_by_fresher_articles():
    """The evidence gate judges by it: without it a question that has an article would count as unanswerable."""
    fresh = [passage_of(f"FRESH{n}", 0.55, days_old=0) for n in range(3)]
    passages = ranked(passage_of("BEST", 0.64, days_old=900), *fresh)

    assert articles(passages) == ["FRESH0", "FRESH1", "BEST"]


def test_at_most_three_articles_and_eight_passages_are_kept():
    found = [passage_of(f"A{a}", 0.9 - a / 100 - p / 1000, position=p) for a in range(5) for p in range(6)]
    passages = ranked(*found)

    assert len(passages) == 8
    assert articles(passages) == ["A0", "A1", "A2"]


def test_no_article_crowds_out_another():
    many = [passage_of("MANY", 0.9 - p / 100, position=p) for p in range(9)]
    passages = ranked(*many, passage_of("TWO", 0.5, position=0), passage_of("TWO", 0.4, position=1))

    assert ids(passages) == [*(f"MANY#{p}" for p in range(6)), "TWO#0", "TWO#1"]


def test_the_passages_of_an_article_stay_together_best_first():
    passages = ranked(
        passage_of("A", 0.70, position=0),
        passage_of("B", 0.75),
        passage_of("A", 0.80, position=1),
        passage_of("A", 0.80, position=2),
    )

    assert ids(passages) == ["A#1", "A#2", "A#0", "B#0"]


def test_close_articles_are_marked_as_rivals():
    passages = ranked(passage_of("A", 0.80), passage_of("B", 0.72), passage_of("C", 0.60))

    assert [p.rival for p in passages] == [True, True, False]


def test_every_passage_of_a_rival_is_marked():
    passages = ranked(passage_of("A", 0.80), passage_of("A", 0.30, position=1), passage_of("B", 0.79))

    assert all(p.rival for p in passages)


@pytest.mark.parametrize("other", [[], [passage_of("B", 0.60)]], ids=["alone", "with a far one"])
def test_an_article_without_a_close_second_has_no_rival(other):
    assert not any(p.rival for p in ranked(passage_of("A", 0.80), *other))


def test_nothing_found_is_nothing_ranked():
    assert ranked() == ()


def found_passages():
    one = st.builds(
        lambda article, position, cosine, days_old, evergreen: passage_of(
            article, cosine, position=position, days_old=days_old, evergreen=evergreen
        ),
        st.sampled_from("ABCDE"),
        st.integers(0, 5),
        st.one_of(st.floats(-1, 1), st.sampled_from([0.5, 0.55, 0.6])),
        st.one_of(st.none(), st.integers(-1_000, 3_000)),
        st.booleans(),
    )
    return st.lists(one, max_size=14, unique_by=lambda f: f.passage.id)


@st.composite
def found_by_words_too(draw):
    """Return passages of articles with titles of their own, some of which hold what was looked for."""
    titles = {article: draw(st.sampled_from([RESCHEDULE, LESS, MORE, "Gift Cards"])) for article in "ABCDE"}
    worded = {article: draw(st.sampled_from([0.0, 1.5, 7.0])) for article in "ABCDE"}
    return [
        replace(
            found,
            title=titles[found.article_id],
            lexical=draw(st.sampled_from([0.0, worded[found.article_id]])),
            article_lexical=worded[found.article_id],
        )
        for found in draw(found_passages())
    ]


@given(
    found_by_words_too(),
    st.frozensets(st.sampled_from(terms("gift cards for rescheduling"))),
    st.sampled_from([None, IN_2_HOURS, IN_2_DAYS]),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_passages_were_found_never_matters(found, named, stated, random):
    shuffled = list(found)
    random.shuffle(shuffled)

    assert ranked(*found, named=named, stated=stated) == ranked(*shuffled, named=named, stated=stated)


@given(found_by_words_too(), st.sampled_from([None, IN_2_HOURS, IN_2_DAYS]))
def test_whatever_was_found_the_ranking_keeps_its_promises(found, stated):
    passages = ranked(*found, named=frozenset(terms("gift cards")), stated=stated)
    order = [p.found.article_id for p in passages]

    assert len(passages) <= 8
    assert len(set(order)) <= 3
    assert order == sorted(order, key=articles(passages).index)
    assert len(set(ids(passages))) == len(passages)
    assert all(p.found in found for p in passages)
    assert not any(math.isnan(p.score) for p in passages)
    assert all(p.freshness is None or 0 <= p.freshness <= 1 for p in passages)
    assert max((p.found.cosine for p in passages), default=None) == max(
        (f.cosine for f in found), default=None
    )


@given(found_passages())
def test_no_article_passes_one_that_matches_better_by_more_than_the_margin(found):
    best: dict[str, float] = {}
    for p in ranked(*found):
        best.setdefault(p.found.article_id, p.found.cosine)
    leading = max(best.values(), default=0.0)
    close = [leading - cosine <= POLICY.close_margin for cosine in best.values()]

    # An article that is kept only because it is the best match stands last of the close ones.
    assert close == sorted(close, reverse=True)


def test_a_fresh_article_on_another_topic_never_passes_a_better_match():
    """Freshness is a judgement between versions of one thing; else every new article would outrank a right old one."""
    right = passage_of("RIGHT", 0.62, days_old=500, title="Changing Your Email Address")
    other = passage_of("OTHER", 0.58, days_old=1, title="Gift Cards")
    other = replace(other, passage=replace(other.passage, text="Buy one for a friend."))

    assert articles(ranked(right, other)) == ["RIGHT", "OTHER"]


def test_an_older_version_under_another_title_loses_to_the_current_one():
    text = "Unused credits are refunded to the card you paid with; open Wallet, choose Refund, and confirm the amount."
    old = passage_of("OLD", 0.70, days_old=420, title="Money-Back Period")
    new = passage_of("NEW", 0.66, days_old=10, title="Refund Window")
    versions = [replace(found, passage=replace(found.passage, text=text)) for found in (old, new)]

    assert articles(ranked(*versions)) == ["NEW", "OLD"]


def test_the_first_article_keeps_half_of_the_room_for_its_passages():
    """A section further down is often the one to quote."""
    first = [passage_of("FIRST", 0.8 - n / 100, position=n) for n in range(6)]
    others = [passage_of(name, 0.79 - n / 100, position=n) for name in ("B", "C") for n in range(6)]

    assert articles(ranked(*first, *others)) == ["FIRST", "B", "C"]
    counts = [p.found.article_id for p in ranked(*first, *others)]
    assert [counts.count(name) for name in ("FIRST", "B", "C")] == [4, 2, 2]


def test_an_article_that_holds_the_words_comes_before_a_slightly_nearer_one():
    near = passage_of("NEAR", 0.66, title="Gift Cards")
    worded = passage_of("WORDED", 0.62, title="Error E-4711", lexical=9.0, article_lexical=9.0)
    far = passage_of("FAR", 0.20, title="Opening Hours")

    passages = ranked(near, worded, far)

    assert articles(passages) == ["WORDED", "NEAR", "FAR"]
    assert [p.score for p in passages] == [0.62, 0.66, 0.20]


def test_an_article_whose_title_was_said_comes_first():
    found = [
        passage_of("NEAR", 0.66, title="Opening Hours"),
        passage_of("NAMED", 0.64, title="Gift Cards"),
        passage_of("FAR", 0.20, title="Payments"),
    ]

    assert articles(ranked(*found)) == ["NEAR", "NAMED", "FAR"]
    assert articles(ranked(*found, named=frozenset(terms("gift cards?")))) == ["NAMED", "NEAR", "FAR"]


def test_the_nearest_article_is_never_pushed_out_by_words():
    worded = [
        passage_of(f"WORDED{n}", 0.50, title=f"{n}", lexical=9.0, article_lexical=9.0) for n in range(4)
    ]
    nearest, far = passage_of("NEAREST", 0.51, title="Gift Cards"), passage_of("FAR", 0.10, title="Payments")

    assert articles(ranked(nearest, *worded, far)) == ["WORDED0", "WORDED1", "NEAREST"]


@pytest.mark.parametrize(
    ("stated", "first"),
    [
        pytest.param(None, "GENERAL", id="nothing stated"),
        pytest.param(IN_2_HOURS, "LESS", id="two hours"),
        pytest.param(IN_2_DAYS, "MORE", id="two days"),
        pytest.param(StatedValue(low=0, high=48), "GENERAL", id="either"),
    ],
)
def test_the_article_whose_title_says_what_the_customer_stated_comes_first(stated, first):
    """DESIGN §2.1: "2 hours left" is not for an article on more than 24 hours, however near it is."""
    passages = ranked(
        passage_of("GENERAL", 0.80, title=RESCHEDULE),
        passage_of("MORE", 0.75, title=MORE),
        passage_of("LESS", 0.60, title=LESS),
        stated=stated,
    )

    assert articles(passages)[0] == first
    assert set(articles(passages)) == {"GENERAL", "MORE", "LESS"}


@pytest.mark.parametrize(("stated", "first"), [(IN_2_HOURS, "LESS"), (IN_2_DAYS, "GENERAL")], ids=str)
def test_where_a_title_is_excluded_the_article_without_a_condition_applies(stated, first):
    less, general = passage_of("LESS", 0.80, title=LESS), passage_of("GENERAL", 0.70, title=RESCHEDULE)

    assert articles(ranked(less, general, stated=stated))[0] == first


def test_an_excluded_article_that_has_no_other_keeps_its_place():
    """The answerer sees the condition and can say that the article is for others."""
    passages = ranked(
        passage_of("LESS", 0.80, title=LESS), passage_of("CARDS", 0.70, title="Gift Cards"), stated=IN_2_DAYS
    )

    assert articles(passages) == ["LESS", "CARDS"]


def test_a_stated_condition_decides_for_another_topic_where_the_best_one_knows_none():
    passages = ranked(
        passage_of("CARDS", 0.80, title="Gift Cards"),
        passage_of("GENERAL", 0.70, title=RESCHEDULE),
        passage_of("LESS", 0.68, title=LESS),
        stated=IN_2_HOURS,
    )

    assert articles(passages) == ["LESS", "CARDS", "GENERAL"]


def test_a_stated_condition_brings_in_an_article_that_rank_alone_would_leave_out():
    others = [passage_of(f"A{n}", 0.80 - n / 100, title=RESCHEDULE) for n in range(3)]
    fitting = passage_of("LESS", 0.60, title=LESS)

    assert articles(ranked(*others, fitting, stated=IN_2_HOURS))[0] == "LESS"
    assert "LESS" not in articles(ranked(*others, fitting))


def test_a_stated_condition_never_brings_in_an_article_from_far_down():
    others = [passage_of(f"A{n}", 0.80 - n / 100, title=RESCHEDULE) for n in range(CONTENDING)]

    assert articles(ranked(*others, passage_of("LESS", 0.60, title=LESS), stated=IN_2_HOURS))[0] == "A0"


def test_of_two_versions_that_fit_the_fresh_one_comes_first():
    old = passage_of("OLD", 0.80, title=LESS, days_old=900)
    new = passage_of("NEW", 0.76, title=LESS, days_old=3)

    assert articles(ranked(old, new, passage_of("MORE", 0.79, title=MORE), stated=IN_2_HOURS))[:1] == ["NEW"]

"""One order out of meaning and words: its bounds, what each half and a named title contribute, and what never matters."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.fusion import relevance
from bot.core.lexical import terms
from bot.core.policy import RankingPolicy
from tests.core.builders import passage_of

POLICY = RankingPolicy(lexical_weight=0.4, title_weight=0.25)
TITLES = ("Gift Cards", "Rescheduling a Lesson", "Lesson Credits", "Wi-Fi", "", "👍")
NAMES = st.frozensets(st.sampled_from(sorted(term for title in TITLES for term in terms(title))))
WEIGHTS = st.builds(RankingPolicy, lexical_weight=st.floats(0, 1), title_weight=st.floats(0, 1))


def an_article(name, *cosines, lexical=0.0, title="Gift Cards"):
    """Return an article's passages; the best one and the whole article score *lexical*."""
    return [
        passage_of(name, cosine, position=n, lexical=lexical, article_lexical=lexical, title=title)
        for n, cosine in enumerate(cosines)
    ]


def articles_found():
    one = st.builds(
        lambda cosine, lexical, title: an_article("A", cosine, lexical=lexical, title=title),
        st.one_of(st.floats(-1, 1), st.sampled_from([0.3, 0.5])),
        st.one_of(st.just(0.0), st.floats(0, 30)),
        st.sampled_from(TITLES),
    )
    return st.lists(one, max_size=60).map(lambda found: [_renamed(a, f"A{n}") for n, a in enumerate(found)])


def _renamed(article, name):
    return [replace(p, passage=replace(p.passage, article_id=name)) for p in article]


def fits_of(articles, policy=POLICY, named=frozenset()) -> dict[str, float]:
    """Return the relevance of each article by its name."""
    return {str(name): fit for name, fit in relevance(articles, named, policy).items()}


def order(articles, policy=POLICY, named=frozenset()):
    fits = fits_of(articles, policy, named)
    return sorted(fits, key=lambda name: (-fits[name], name))


@given(articles_found(), NAMES, WEIGHTS)
def test_relevance_lies_between_0_and_1_and_the_bonus_of_a_title_beyond(articles, named, policy):
    fits = relevance(articles, named, policy)

    assert fits.keys() == {a[0].article_id for a in articles}
    assert all(-1e-9 <= fit <= 1 + policy.title_weight + 1e-9 for fit in fits.values())


@given(articles_found(), NAMES, st.randoms(use_true_random=False))
def test_the_order_in_which_articles_were_found_never_matters(articles, named, random):
    shuffled = list(articles)
    random.shuffle(shuffled)

    assert relevance(shuffled, named, POLICY) == relevance(articles, named, POLICY)


@given(articles_found(), NAMES)
def test_without_words_and_titles_the_order_is_that_of_the_cosines(articles, named):
    fits = relevance(articles, named, RankingPolicy(lexical_weight=0, title_weight=0))
    nearest_first = sorted(articles, key=lambda a: -a[0].cosine)

    assert all(fits[a[0].article_id] >= fits[b[0].article_id] for a, b in pairwise(nearest_first))


@given(articles_found())
def test_with_words_alone_the_order_is_theirs(articles):
    fits = relevance(articles, frozenset(), RankingPolicy(lexical_weight=1, title_weight=0))
    worded_first = sorted(articles, key=lambda a: -a[0].lexical)

    assert all(fits[a[0].article_id] >= fits[b[0].article_id] for a, b in pairwise(worded_first))


def test_the_nearest_article_that_holds_the_words_best_has_the_whole_relevance():
    articles = [an_article("A", 0.9, lexical=7), an_article("B", 0.4), an_article("C", 0.65, lexical=3.5)]

    assert fits_of(articles) == pytest.approx({"A": 1, "B": 0, "C": 0.5})


def test_words_lift_an_article_above_a_nearer_one_and_only_by_their_share():
    """A part number says more than the meaning of the sentence around it."""
    articles = [an_article("NEAR", 0.70), an_article("WORDED", 0.68, lexical=9), an_article("FAR", 0.2)]

    assert order(articles) == ["WORDED", "NEAR", "FAR"]
    assert order(articles, replace(POLICY, lexical_weight=0.01)) == ["NEAR", "WORDED", "FAR"]


def test_the_best_passage_speaks_for_its_article():
    fits = fits_of([an_article("A", 0.2, 0.8), an_article("B", 0.7), an_article("C", 0.2)])

    assert fits["A"] > fits["B"] > fits["C"] == 0


def test_words_that_stand_far_apart_in_an_article_count_half():
    in_one = passage_of("ONE", 0.5, lexical=4, article_lexical=4)
    apart = passage_of("APART", 0.5, lexical=0, article_lexical=4)

    fits = fits_of([[in_one], [apart], an_article("NONE", 0.5)])

    assert fits == pytest.approx({"ONE": 0.4, "APART": 0.2, "NONE": 0})


def test_a_title_that_was_said_in_so_many_words_lifts_its_article():
    articles = [
        an_article("NEAR", 0.70, title="Lesson Credits"),
        an_article("NAMED", 0.69),
        an_article("FAR", 0.2),
    ]
    named = frozenset(terms("do you sell gift cards"))

    gain = fits_of(articles, named=named)["NAMED"] - fits_of(articles)["NAMED"]

    assert order(articles) == ["NEAR", "NAMED", "FAR"]
    assert order(articles, named=named)[0] == "NAMED"
    assert gain == pytest.approx(POLICY.title_weight)


def test_half_a_title_lifts_by_less_than_half_the_bonus_and_its_rare_words_most():
    articles = [
        an_article("CREDITS", 0.5, title="Lesson Credits"),
        an_article("LESSON", 0.5, title="Rescheduling a Lesson"),
    ]

    by_common, by_rare = (fits_of(articles, named=frozenset({n}))["CREDITS"] for n in ("lesso", "credi"))

    assert 0 < by_common < by_rare < POLICY.title_weight
    assert by_common < POLICY.title_weight / 2


@given(articles_found(), NAMES, WEIGHTS)
def test_what_is_named_never_lowers_an_article(articles, named, policy):
    unnamed = relevance(articles, frozenset(), policy)

    assert all(fit >= unnamed[name] for name, fit in relevance(articles, named, policy).items())


@pytest.mark.parametrize("articles", [[], [an_article("A", 0.4, lexical=3)]], ids=["none", "one"])
def test_what_stands_alone_is_compared_with_nothing(articles):
    assert set(relevance(articles, frozenset(), POLICY).values()) <= {0.0}

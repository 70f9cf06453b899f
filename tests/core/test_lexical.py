"""Words as the lexical search compares them, and BM25 against numbers worked out by hand."""

import math
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.lexical import LEAST_RARITY, STEM, bm25, rarity_of, terms

TEXTS = (("a", "b"), ("a",), ("c", "c", "d"))  # two terms long in the mean
RARE = math.log(2.5 / 1.5)  # of a term in one of three texts
TERMS = st.lists(st.sampled_from("abcdef"), max_size=8)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Reschedule a lesson", ("resch", "a", "lesso"), id="beginnings"),
        pytest.param("no no NO", ("no", "no", "no"), id="repetitions"),
        pytest.param("Wi-Fi off", ("wi", "fi", "off", "wifi"), id="a hyphen"),
        pytest.param("a state-of-the-art pen", ("a", "state", "of", "the", "art", "pen", "state"), id="hyphens"),
        pytest.param("24-hour", ("24", "hour", "24hou"), id="a number with a hyphen"),
        pytest.param("- well-", ("well",), id="dashes that join nothing"),
        pytest.param("Café Müller", ("cafe", "mulle"), id="accents"),
        pytest.param("don't, don’t", ("dont", "dont"), id="apostrophes"),  # noqa: RUF001 - both are typed
        pytest.param("error_code E-101/B", ("error", "code", "e", "101", "b", "e101"), id="signs"),
        pytest.param("“AND” * NEAR(x)", ("and", "near", "x"), id="what a search engine would read as an operator"),
        pytest.param("👍 \u200b …", (), id="no words"),
    ],
)  # fmt: skip
def test_a_text_is_the_beginnings_of_its_words(text, expected):
    assert terms(text) == expected


def test_words_that_are_left_out_are_left_out_whole():
    assert terms("the theory of the lesson", frozenset({"the", "of", "less"})) == ("theor", "lesso")


@given(st.text())
def test_a_term_holds_only_letters_and_digits_and_few_of_them(text):
    for term in terms(text):
        assert 0 < len(term) <= STEM
        assert term.isalnum()


@given(st.text())
def test_an_accent_that_is_a_sign_of_its_own_is_the_same_accent(text):
    assert terms(normalize("NFD", text)) == terms(normalize("NFC", text))


@given(st.text(st.characters(codec="ascii")))
def test_capitals_change_nothing(text):
    assert terms(text.upper()) == terms(text.lower())


def test_a_text_scores_by_how_often_it_holds_a_rare_term_and_how_short_it_is():
    length_norm = 1.2 * (0.25 + 0.75 * 3 / 2)

    assert bm25({"c"}, TEXTS) == pytest.approx((0.0, 0.0, RARE * 2 * 2.2 / (2 + length_norm)))
    assert bm25({"c"}, TEXTS)[2] == pytest.approx(0.615790, abs=1e-6)


def test_the_scores_of_several_terms_add_up_and_each_counts_once():
    once, twice = bm25(["b", "d"], TEXTS), bm25(["b", "d", "d"], TEXTS)

    assert once == twice == tuple(map(sum, zip(bm25({"b"}, TEXTS), bm25({"d"}, TEXTS), strict=True)))


def test_a_term_that_most_texts_hold_counts_next_to_nothing_and_never_against():
    first, second, third = bm25({"a"}, TEXTS)

    assert first == pytest.approx(LEAST_RARITY)
    assert second == pytest.approx(LEAST_RARITY * 2.2 / (1 + 1.2 * 0.625))
    assert third == 0.0


def test_without_a_match_or_a_text_nothing_scores():
    assert bm25({"z"}, TEXTS) == bm25((), TEXTS) == (0.0, 0.0, 0.0)
    assert bm25({"a"}, ()) == ()
    assert bm25({"a"}, [(), ()]) == (0.0, 0.0)


@given(st.sets(st.sampled_from("abcdef")), st.lists(TERMS, max_size=6))
def test_exactly_the_texts_that_hold_a_term_score(wanted, texts):
    for score, text in zip(bm25(wanted, texts), texts, strict=True):
        assert (score > 0) is bool(wanted & set(text))


def test_the_fewer_sets_hold_a_term_the_more_it_tells_them_apart():
    rarity = rarity_of([frozenset("ab"), frozenset("ac"), frozenset("a")])

    assert rarity.keys() == set("abc")
    assert rarity["b"] == rarity["c"] == pytest.approx(math.log(1 + 2.5 / 1.5))
    assert rarity["a"] == pytest.approx(math.log(1 + 0.5 / 3.5))
    assert rarity_of([]) == {}


@given(st.lists(TERMS.map(frozenset), max_size=8))
def test_even_a_term_in_every_set_tells_something(sets):
    assert all(rarity > 0 for rarity in rarity_of(sets).values())

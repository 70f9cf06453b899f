"""What agents type into the search, which texts hold it, and what is shown of them."""

import pytest

from bot.core.searching import EXCERPT, MOST_WORDS, excerpt, holds, searched_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lost  card", ("lost", "card")),
        ("card, CARD Card", ("card,",)),
        ('"R-H11"', ('"R-H11"',)),
        ("… - ' 😀", ()),
        ("a\x00b\ud800c", ("a", "b", "c")),
        ("", ()),
    ],
    ids=["words", "repeated", "with marks around", "nothing but marks", "unprintable", "empty"],
)
def test_words_are_what_spaces_part_each_once(text, words):
    assert searched_words(text) == words


def test_of_a_page_that_is_pasted_the_first_words_count():
    words = [f"word{n}" for n in range(900)]

    assert searched_words(" ".join(words)) == tuple(words[:MOST_WORDS])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Straße", "straß"),
        ("İstanbul", "istan"),
        ("Й", "й"),
        ("crème", "CREME"),
        ("creme", "crème"),
        ("한국", "한"),
    ],
)
def test_case_and_the_accents_of_latin_letters_do_not_count(text, word):
    assert holds(text, [word])


@pytest.mark.parametrize(
    ("text", "word"), [("й", "и"), ("한", "하"), ("Strasse", "Straße"), ("discard", "card")]
)
def test_other_letters_are_told_apart(text, word):
    assert not holds(text, [word])


def test_no_words_are_in_no_text():
    assert not holds("anything", [])


def test_a_short_text_is_its_own_excerpt_on_one_line():
    assert excerpt(" my\n\n card  is lost ", ["card"]) == "my card is lost"


@pytest.mark.parametrize("at", [0, 1, 7, 40, 90])
def test_an_excerpt_is_short_and_shows_the_match_wherever_it_stands(at):
    text = " ".join(["word"] * at + ["needle"] + ["word"] * (90 - at))

    shown = excerpt(text, ["need"])

    assert "needle" in shown
    assert len(shown) <= EXCERPT + len("…  …")
    assert (shown.startswith("… word"), shown.endswith(" …")) == (at > 12, at < 90)


def test_an_excerpt_without_a_match_is_the_beginning():
    assert excerpt("word " * 90, ["needle"]).startswith("word word")


def test_an_excerpt_of_one_endless_word_is_cut():
    assert excerpt("x" * 4_000, ["x"]) == f"{'x' * EXCERPT} …"

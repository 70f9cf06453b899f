"""Long texts are parted where a reader would part them, lose no word, and are never parted inside a sign or a code fence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.slack.markdown import fenced
from bot.channels.slack.mrkdwn import escaped
from bot.channels.slack.splitting import FENCE, fits, shortened, size, split_mrkdwn, split_plain

LIMIT = 60
PROSE = st.text(st.sampled_from("ab .\n&<>*`:é👍\u0301\u200d"), max_size=400)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One and a half.\n\nTwo. Three\nfour and a few words more that follow", "One and a half."),
        ("One and a half.\nTwo. Three four and a few words more that follow", "One and a half."),
        ("One and a half. Two three four and a few words more that follow it", "One and a half."),
        ("One and a half two three four and a few words more that follow it", None),
        ("x" * 100, "x" * LIMIT),
    ],
    ids=["paragraph", "line", "sentence", "word", "anywhere"],
)
def test_a_text_is_parted_at_its_best_end(text, first):
    parts = split_plain(text, LIMIT)

    assert parts[0] == (first or "One and a half two three four and a few words more that")


@given(PROSE)
def test_parts_of_plain_text_fit_and_hold_every_letter_in_order(text):
    parts = split_plain(text, LIMIT)

    assert all(fits(part, LIMIT) and part.strip() for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@given(PROSE)
def test_parts_of_mrkdwn_fit_and_part_no_entity(text):
    parts = split_mrkdwn(escaped(text.replace("`", "")), LIMIT)

    assert all(fits(part, LIMIT) for part in parts)
    assert all(not re.search(r"&(?!(?:amp|lt|gt);)", part) for part in parts)


@given(st.lists(st.text(st.sampled_from("ab <&"), max_size=90), max_size=12).map("\n".join), st.booleans())
def test_code_is_code_in_every_part(code, in_prose):
    text = f"Before.\n\n{fenced(code)}\n\nAfter it." if in_prose else fenced(code)
    parts = split_mrkdwn(text, LIMIT)

    assert all(fits(part, LIMIT) and part.count(FENCE) % 2 == 0 for part in parts)
    assert _letters("".join(parts)) == _letters(text)


@given(PROSE, st.integers(min_value=8, max_value=90))
def test_what_is_shortened_fits_and_is_a_beginning(text, limit):
    short = shortened(text, limit)

    assert fits(short, limit)
    assert short == text or text.startswith(short.removesuffix(" …"))


def test_links_stay_whole():
    text = f"{'word ' * 10}<https://help.example/rules|our rules about moving>"

    assert split_mrkdwn(text, LIMIT + 20)[-1].endswith("<https://help.example/rules|our rules about moving>")


def test_letters_beyond_the_first_plane_count_twice():
    assert size("a👍") == 3
    assert split_plain("👍" * 40, LIMIT) == ("👍" * 30, "👍" * 10)


def test_a_letter_keeps_its_marks_and_an_emoji_its_parts():
    family = "👩\u200d👩\u200d👧"

    assert split_plain("x" * 57 + family, LIMIT)[1] == family
    assert split_plain("x" * 59 + "e\u0301", LIMIT)[1] == "e\u0301"


@pytest.mark.parametrize("text", ["", "\n \n", FENCE + "\n" + FENCE])
def test_nothing_has_no_parts(text):
    assert split_mrkdwn(text, LIMIT) == ()


def _letters(text):
    return "".join(text.replace(FENCE, "").split())

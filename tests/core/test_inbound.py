"""What of a customer's text is stored: all that it says, in one form, and nothing that a store or a screen chokes on."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.conversation import Kind
from bot.core.inbound import MAX_TEXT_CHARACTERS, clean_text
from bot.errors import InputRejected
from tests.builders import a_customer_message

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)
VALID_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        pytest.param("a\x00b", "ab", id="NUL is dropped"),
        pytest.param("\x1b[31mred\x1b[0m", "[31mred[0m", id="an escape cannot colour a terminal"),
        pytest.param("a\x7fb\x9fc", "abc", id="other control characters are dropped"),
        pytest.param("a\r\nb\rc\nd", "a\nb\nc\nd", id="every line ends in LF"),
        pytest.param("a\x0bb\x0cc\x85d\u2028e\u2029f", "a\nb\nc\nd\ne\nf", id="rare line breaks still separate words"),
        pytest.param("a\tb", "a\tb", id="a tab stays"),
        pytest.param("  \n a \u00a0 ", "a", id="space around is trimmed"),
        pytest.param("e\u0301", "\u00e9", id="letters are composed"),
        pytest.param("e\x00\u0301", "\u00e9", id="even across a control character"),
        pytest.param("\u212b", "\u00c5", id="the Angstrom sign is a letter"),
        pytest.param("\ufb01", "\ufb01", id="a ligature is not taken apart"),
        pytest.param("a\u202eb", "a\u202eb", id="a direction override is part of what was written"),
        pytest.param("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", id="a joiner spells Persian words"),
        pytest.param("\u200b\u200b", "\u200b\u200b", id="zero width only"),
        pytest.param("\U0001f44d", "\U0001f44d", id="an emoji"),
        pytest.param("", "", id="nothing"),
        pytest.param("\x00 \r\n", "", id="nothing that shows"),
    ],
)  # fmt: skip
def test_text_is_stored_in_one_form(raw, stored):
    assert clean_text(raw) == stored


@pytest.mark.parametrize("raw", ["\ud800", "a\udfffb", "\udc00\ud83d"], ids=ascii)
def test_half_a_surrogate_pair_is_refused(raw):
    with pytest.raises(InputRejected, match="text: holds a broken character; send valid Unicode text"):
        clean_text(raw)


@pytest.mark.parametrize("character", ["a", "\U0001f600", "\u00e9"])
def test_text_may_be_as_long_as_the_limit(character):
    longest = character * MAX_TEXT_CHARACTERS

    assert clean_text(f" {longest}\n") == longest


@pytest.mark.parametrize("character", ["a", "\U0001f600"])
def test_one_character_more_is_refused_with_the_remedy(character):
    with pytest.raises(InputRejected, match=r"is 4,001 characters long; shorten it to 4,000 characters"):
        clean_text(character * (MAX_TEXT_CHARACTERS + 1))


def test_a_refusal_names_the_field():
    with pytest.raises(InputRejected) as refused:
        clean_text("\ud800", field="name")

    assert (refused.value.field, refused.value.remedy) == ("name", "send valid Unicode text")


@given(ANY_TEXT)
def test_any_text_is_refused_or_stored_for_good(raw):
    try:
        stored = clean_text(raw)
    except InputRejected:
        assert any(unicodedata.category(c) == "Cs" for c in raw)
        return

    assert stored.encode("utf-8").decode("utf-8") == stored
    assert unicodedata.is_normalized("NFC", stored)
    assert all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Zl", "Zp") for c in stored)
    assert clean_text(stored) == stored


@given(VALID_TEXT)
def test_no_visible_character_is_lost(raw):
    composed = unicodedata.normalize("NFC", "".join(c for c in raw if unicodedata.category(c) != "Cc"))

    assert "".join(clean_text(raw).split()) == "".join(composed.split())


def test_a_customers_message_is_text_unless_said_otherwise():
    assert a_customer_message().kind is Kind.TEXT

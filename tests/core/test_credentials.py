"""What an agent's address, name and password must be like."""

import pytest

from bot.core.credentials import hard_to_guess, require_good_password, to_email, to_name, to_password
from bot.errors import InputRejected

EMAIL, NAME = "maria.lopez@parlato.example", "María López"


def judge(password: str) -> None:
    require_good_password(to_password(password), email=EMAIL, name=NAME)


@pytest.mark.parametrize(
    "password",
    [
        pytest.param("Password1234", id="what everybody tries"),
        pytest.param("P@ssw0rd2026!", id="the same in other letters"),
        pytest.param("qwertyuiop123", id="keys in a row"),
        pytest.param("lkjhgfdsa0987654", id="keys in a row, backwards"),
        pytest.param("abcdefghijklmno", id="the alphabet"),
        pytest.param("111111111111111", id="one digit"),
        pytest.param("ab1!ab1!ab1!ab1!", id="one short piece"),
        pytest.param("maria.lopez@parlato.example", id="the address"),
        pytest.param("MariaLopez2026", id="the name and a year"),
        pytest.param("Welcome-Lopez-123", id="a greeting"),
        pytest.param("            ", id="nothing but blanks"),
    ],
)
def test_what_is_easy_to_guess_is_refused_with_the_rule(password):
    with pytest.raises(InputRejected, match=r"password: is easy to guess; choose at least 12 characters"):
        judge(password)


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery staple",
        "x7$K!p#2@Lq9",
        "Zugvogel kauft Seife",
        "parlato trompete 1234 wolke",
        "пароль из четырёх слов",
        "🦊🌵🎻🧦🪁🥨🐙🎲🧩🪐🌋🍄",
    ],
)
def test_what_its_owner_alone_would_think_of_is_taken(password):
    judge(password)


@pytest.mark.parametrize(("length", "problem"), [(0, "has 0"), (11, "has 11"), (201, "has 201")])
def test_a_length_out_of_bounds_is_named(length, problem):
    with pytest.raises(InputRejected, match=problem):
        judge(("zugvogel kauft seife " * 10)[:length])


def test_both_spellings_of_an_accent_are_one_password():
    assert to_password("Ma\u0301laga y el río") == to_password("M\u00e1laga y el río")


def test_a_broken_character_is_refused_before_it_is_hashed():
    with pytest.raises(InputRejected, match="broken character"):
        to_password("\ud800 correct horse battery")


def test_only_what_is_hard_to_guess_remains():
    assert hard_to_guess("Lopez-xyz-1234-kW", own=["lopez"]) == "-kw"


@pytest.mark.parametrize("raw", [" Maria@Shop.example ", "m@b.de", "o'hara+desk@sub.shop.example"])
def test_an_address_is_trimmed_and_kept_as_written(raw):
    assert to_email(raw) == raw.strip()


@pytest.mark.parametrize(
    "raw", ["", "maria", "maria@shop", "@shop.example", "a b@shop.example", "a@b@c.de", f"{'a' * 250}@b.de"]
)
def test_what_is_no_address_is_refused(raw):
    with pytest.raises(InputRejected, match="email: is not an e-mail address"):
        to_email(raw)


def test_a_name_stands_on_one_line():
    assert to_name("  Maria\n\tLopez ") == "Maria Lopez"


@pytest.mark.parametrize("raw", ["", " \n ", "x" * 81])
def test_a_name_that_is_empty_or_long_is_refused(raw):
    with pytest.raises(InputRejected, match="name: has"):
        to_name(raw)


def test_a_name_cannot_turn_or_hide_what_stands_beside_it():
    assert to_name("Maria\u202e Lopez\u200b") == "Maria Lopez"

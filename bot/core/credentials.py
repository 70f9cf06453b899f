"""What an agent's e-mail address, name and password must be like. Pure.

A password is judged by one rule that can be said in a sentence, not by a list of leaked ones: take out what is easy to guess,
and enough must remain.
"""

import re
import unicodedata
from collections.abc import Iterable

from bot.core.hidden import HIDING
from bot.core.inbound import clean_text
from bot.errors import InputRejected

LONGEST_EMAIL = 254
LONGEST_NAME = 80
SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 200
MUST_REMAIN = 6

EMAIL = re.compile(r"[^\s@<>\",;:]+@[^\s@<>\"',;:]+\.[^\s@<>\"',;:.]+")
# What people try first where a person at a support desk chose the password.
TRIED_FIRST = (
    "password",
    "passwort",
    "welcome",
    "letmein",
    "iloveyou",
    "qwerty",
    "admin",
    "secret",
    "support",
    "candor",
)
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
)
_RUN_LENGTHS = range(10, 2, -1)
_RUNS = re.compile(
    "|".join(
        re.escape(way[start : start + length])
        for length in _RUN_LENGTHS
        for row in _ROWS
        for way in (row, row[::-1])
        for start in range(len(way) - length + 1)
    )
)
_REPEATS = re.compile(r"(.+?)\1+")
_LOOK_ALIKES = str.maketrans("@4301$5", "aaeoiss")

RULE = (
    f"choose at least {SHORTEST_PASSWORD} characters, of which {MUST_REMAIN} remain without your name and address, words like "
    "“password”, runs like 1234 or qwerty, and repeats; four words that have nothing to do with each other are good"
)


def to_email(raw: str) -> str:
    """Return a trimmed e-mail address; InputRejected unless it looks like one."""
    email = unicodedata.normalize("NFC", raw).strip()
    if len(email) > LONGEST_EMAIL or not EMAIL.fullmatch(email):
        raise InputRejected("email", "is not an e-mail address", "write one such as maria@shop.example")
    return email


def to_name(raw: str) -> str:
    """Return a name as customers see it, on one line and without what hides or turns it; InputRejected when it is empty or long."""
    shown = "".join(character for character in raw if character not in HIDING)
    name = " ".join(clean_text(shown, field="name").split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise InputRejected("name", f"has {len(name)} characters", f"write one of 1 to {LONGEST_NAME}")
    return name


def to_password(raw: str) -> str:
    """Return a password in the one form that is hashed: the same keys give other characters on other machines."""
    try:
        raw.encode()
    except UnicodeEncodeError:
        raise InputRejected("password", "holds a broken character", "send valid Unicode text") from None
    return unicodedata.normalize("NFKC", raw)


def require_good_password(password: str, *, email: str, name: str) -> None:
    """Raise InputRejected unless *password* is long enough and hard to guess for who knows its owner."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        problem = f"has {len(password)} characters"
        raise InputRejected("password", problem, f"choose {SHORTEST_PASSWORD} to {LONGEST_PASSWORD}")
    if len(hard_to_guess(password, own=_words(f"{email} {name}"))) < MUST_REMAIN:
        raise InputRejected("password", "is easy to guess", RULE)


def hard_to_guess(password: str, *, own: Iterable[str]) -> str:
    """Return what remains of a password without runs, repeats, its owner's own words and those that are tried first."""
    rest = _RUNS.sub("", password.casefold()).translate(_LOOK_ALIKES)
    for word in sorted((*own, *TRIED_FIRST), key=len, reverse=True):
        rest = rest.replace(word, "")
    return _REPEATS.sub(r"\1", rest)


def _words(text: str) -> list[str]:
    """Return the words of a name and an address that are long enough to be meant."""
    return [word.translate(_LOOK_ALIKES) for word in re.split(r"[\W_]+", text.casefold()) if len(word) >= 3]

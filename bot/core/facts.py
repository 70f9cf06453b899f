"""What a text states that can be checked word for word: numbers, prices, dates, times, phone numbers, addresses, links.

A fact is a canonical string, so that "1,200" and "1200", or "24-hour" and "24 hours", are the same one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from bot.core.quantities import REMEMBERED, folded, time_amounts, without_invisible

CURRENCIES = {
    "$": r"\$|usd|us\$|dollars?|dolares|dolar",
    "€": r"€|eur|euros?",
    "£": r"£|gbp|pounds?|libras?|pfund",
    "¥": r"¥|jpy|yen",
    "chf": r"chf|francs?|franken",
    "r$": r"r\$|brl|reais|real",
}
MONTHS = (
    r"jan(?:uary|uar|vier|eiro)?|enero", r"feb(?:ruary|ruar|rero)?|fevrier|fevereiro", r"mar(?:ch|z|zo|s|co)?|maerz",
    r"apr(?:il)?|abril|avril", r"may|mai|mayo|maio", r"june?|juni?o?|juin|junho", r"july?|juli?o?|juillet|julho",
    r"aug(?:ust)?|agosto|aout", r"sept?(?:ember)?|septiembre|setembro|septembre", r"o[ck]t(?:ober|ubre|obre)?|outubro",
    r"nov(?:ember|iembre|embre|embro)?", r"de[cz](?:ember|embre|embro)?|diciembre",
)  # fmt: skip
WEEKDAYS = (
    "mondays?|lunes|montags?|lundi|segunda-feira", "tuesdays?|martes|dienstags?|mardi|terca-feira",
    "wednesdays?|miercoles|mittwochs?|mercredi|quarta-feira", "thursdays?|jueves|donnerstags?|jeudi|quinta-feira",
    "fridays?|viernes|freitags?|vendredi|sexta-feira", "saturdays?|samstags?|samedi|sabados?", "sundays?|domingo|sonntags?|dimanche",
)  # fmt: skip

NUMBER = re.compile(r"\d+(?:[.,'’ \u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?")  # noqa: RUF001 - signs between thousands
GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
DATED = re.compile(r"(?<!\d)(\d{1,4})\s?([/.-])\s?(\d{1,2})\s?\2\s?(\d{2,4})(?!\d)")
CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d)")
PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d ().\u00a0/-]{5,}\d(?!\w)")
PERCENT = re.compile(r"(\d[\d.,]*)\s?(?:%|percent|per cent|por ciento|por cento|prozent|pour ?cent)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# An address on this server ("/articles/KB1") counts from its second part on: one "/word" is mostly no link.
LINK = re.compile(
    r"(?:(?:[a-z][a-z0-9+.-]*:)?//|(?<![^\s(<\"'\[])/[a-z][\w~%-]*/)[^\s<>()\[\]\"'|`*]+(?:\([^\s<>()]*\)[^\s<>()\[\]\"'|`*]*)*",
    re.IGNORECASE,
)
TARGET = re.compile(r"\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)|^\s*\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
DOMAIN = re.compile(r"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?![\w@])", re.IGNORECASE)
STEP_NUMBER = re.compile(r"^[ \t>]*(\d{1,2})[.)](?=\s)", re.MULTILINE)
# Compiled once: what is compiled where it is used falls out of the small store that `re` keeps.
PRICES = {
    sign: re.compile(rf"(?<!\w)(?:{forms})\s?({NUMBER.pattern})|({NUMBER.pattern})\s?(?:{forms})(?!\w)")
    for sign, forms in CURRENCIES.items()
}
DAY = r"\d{1,4}(?:st|nd|rd|th|er|\.|º)?"
DAYS_OF_MONTHS = tuple(
    re.compile(rf"\b(?:{forms})\.?,? (?:of |de )?(\d{{1,4}})|({DAY})(?: of| de)? (?:{forms})\b")
    for forms in MONTHS
)
NAMES_OF_DAYS = tuple(re.compile(rf"\b(?:{forms})\b") for forms in WEEKDAYS)
LIST_OF_UNITS = re.compile(
    r"(?<![\w.,])(\d+)\s?(?:-|to|or|and|a|o|y|bis|oder|und|et|ou|e)\s?(?=(\d+)[\s-]*([^\W\d_]+))"
)


@lru_cache(maxsize=REMEMBERED)
def links_in(text: str) -> frozenset[str]:
    """Return the addresses that a text links to or names, without the marks around them."""
    seen = _seen(text)
    targets = (first or second for first, second in TARGET.findall(seen))
    found = [*LINK.findall(seen), *targets, *DOMAIN.findall(seen)]
    return frozenset(_address(link) for link in found if not link.startswith(("mailto:", "tel:")))


@lru_cache(maxsize=REMEMBERED)
def emails_in(text: str) -> frozenset[str]:
    """Return the e-mail addresses in a text."""
    return frozenset(address.casefold().rstrip(".") for address in EMAIL.findall(_seen(text)))


@lru_cache(maxsize=REMEMBERED)
def figures_in(text: str) -> frozenset[str]:
    """Return every number in a text, and with it what makes it a price, a share, a date, a time or a duration."""
    seen = _seen(text)
    words = folded(LINK.sub(" ", seen).replace("\u2013", "-").replace("\u2014", " - "))
    return frozenset(
        fact
        for facts in (_plain, _percents, _prices, _dates, _clocks, _phones, _durations)
        for fact in facts(words)
    )


def without_step_numbers(text: str) -> str:
    """Blank the numbers of a list that counts its own steps; they state nothing."""
    steps = 0

    def blank(match: re.Match[str]) -> str:
        nonlocal steps
        number = int(match[1])
        if number in (1, steps + 1):
            steps = number
            return match[0].replace(match[1], "-", 1)
        return match[0]

    return STEP_NUMBER.sub(blank, text)


def _seen(text: str) -> str:
    """Return the text as a reader sees it: compatibility forms and foreign digits as plain ones."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", without_invisible(text))
    return "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in plain)


def _address(link: str) -> str:
    bare = link.strip().rstrip(".,;:!?*_'\"").rstrip("/")
    scheme, _, rest = bare.rpartition("://")
    host, slash, path = rest.partition("/")
    return (
        (f"{scheme.casefold()}://" if scheme not in ("", "http", "https") else "")
        + host.casefold()
        + slash
        + path
    )


def _canonical(number: str) -> str:
    """Return one form for every way of writing a number; three digits after a sign are thousands, in any language."""
    compact = re.sub(r"['’ ]", "", number).rstrip(".,")  # noqa: RUF001
    if GROUPED.fullmatch(compact):
        return re.sub(r"[.,]", "", compact)
    whole, sign, part = compact.replace(",", ".").rpartition(".")
    if not sign:
        return compact.lstrip("0") or "0"
    whole = whole.replace(".", "").lstrip("0") or "0"
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole


def _plain(words: str) -> Iterator[str]:
    for match in NUMBER.finditer(PHONE.sub(lambda found: " " if _is_phone(found[0]) else found[0], words)):
        yield _canonical(match[0])


def _percents(words: str) -> Iterator[str]:
    for match in PERCENT.finditer(words):
        yield f"{_canonical(match[1])}%"


def _prices(words: str) -> Iterator[str]:
    for sign, price in PRICES.items():
        for match in price.finditer(words):
            yield f"{sign}{_canonical(match[1] or match[2])}"


def _dates(words: str) -> Iterator[str]:
    for match in DATED.finditer(words):
        yield "/".join(part.lstrip("0") or "0" for part in (match[1], match[3], match[4]))
    for number, day in enumerate(DAYS_OF_MONTHS, start=1):
        for match in day.finditer(words):
            yield f"month {number}: {int(re.sub(r'[^0-9]', '', match[1] or match[2]))}"
    for number, name in enumerate(NAMES_OF_DAYS, start=1):
        if name.search(words):
            yield f"weekday {number}"


def _clocks(words: str) -> Iterator[str]:
    for match in CLOCK.finditer(words):
        yield f"{int(match[1])}:{match[2]}"


def _phones(words: str) -> Iterator[str]:
    for match in PHONE.finditer(words):
        if _is_phone(match[0]):
            yield "phone " + re.sub(r"\D", "", match[0])


def _is_phone(text: str) -> bool:
    looks_otherwise = NUMBER.fullmatch(text) or DATED.fullmatch(text)
    return not looks_otherwise and 7 <= len(re.sub(r"\D", "", text)) <= 16


def _durations(words: str) -> Iterator[str]:
    spelled_out = LIST_OF_UNITS.sub(lambda match: f"{match[1]} {match[3]} ", words)
    for amount in time_amounts(spelled_out):
        if amount.in_digits or amount.number >= 2:
            yield f"{amount.number:g} {amount.unit}"

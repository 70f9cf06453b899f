"""What a text states that can be checked word for word: numbers, prices, dates, times, phone numbers, addresses, links.

A fact is a canonical string with its unit, so that "1,200" and "1200", or "24-hour", "24h" and "twenty-four hours", are the same one,
and "24 lessons" is another than "24 hours".
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.core.number_words import in_digits
from bot.core.quantities import REMEMBERED, UNIT_PATTERN, TimeAmount, time_amounts, without_invisible

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
CLOCK = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?::(\d{2})(?:\s?([ap])\.?m\b\.?)?|(?:\.(\d{2}))?\s?(?:([ap])\.?m\b\.?|uhr\b)|h(\d{2}))(?!\d)"
)
PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d ().\u00a0/-]{5,}\d(?!\w)")
PERCENT = re.compile(r"(\d[\d.,]*)\s?(?:%|percent|per cent|por ciento|por cento|prozent|pour ?cent)")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*")
# An address on this server ("/articles/KB1") counts from its second part on: one "/word" is mostly no link.
LINK = re.compile(
    r"(?:(?:[a-z][a-z0-9+.-]*:)?//|(?<![^\s(<\"'\[])/[a-z][\w~%-]*/)[^\s<>()\[\]\"'|`*]+(?:\([^\s<>()]*\)[^\s<>()\[\]\"'|`*]*)*",
    re.IGNORECASE,
)
TARGET = re.compile(r"\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)*)|^\s*\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
# Letters of any script, because "a" of another alphabet looks like ours.
DOMAIN = re.compile(r"(?<![\w@.-])(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,24}(?![\w@])")
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
SAME_UNIT = rf"{re.sub('[?]P<[a-z]+>', '?:', UNIT_PATTERN)}|{'|'.join(CURRENCIES.values())}|%"
LIST_OF_UNITS = re.compile(
    rf"(?<![\w.,])(\d+)\s?(?:-|to|or|and|a|o|y|bis|oder|und|et|ou|e)\s?(?=(\d+)[\s-]*((?:(?:business|working)\s)?(?:{SAME_UNIT})(?!\w)))"
)
WORKING_DAYS = (
    (re.compile(r"\b(?:werk|arbeits)(?=tagen?\b|tage\b|tag\b)"), "working "),
    (
        re.compile(r"\b(dias?|jours?) (?:habil(?:es)?|laborables?|ut(?:eis|il)|ouvrables?|ouvres?)\b"),
        r"working \1",
    ),
)
IS_WORKING = re.compile(r"\b(?:business|working)\b")
ONE = re.compile(r"\b(?:one|single|una?|uno|ein(?:e[mnr]?)?|une|uma?)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A fact and where it stands in the words that were read."""

    start: int
    end: int
    fact: str


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
    """Return every number in a text, in digits or words, as the price, share, date, time or duration that it is part of."""
    return frozenset(figure.fact for figure in placed_figures(text)[1])


@lru_cache(maxsize=REMEMBERED)
def placed_figures(text: str) -> tuple[str, tuple[Figure, ...]]:
    """Return the words as they are read, and every figure with its place in them."""
    words = _readable(text)
    return words, _figures(words)


@lru_cache(maxsize=REMEMBERED)
def measures_in(text: str) -> tuple[str, tuple[Figure, ...]]:
    """Return the words as they are read, and in them the figures that can be exceeded: no dates, times or phone numbers."""
    words, figures = placed_figures(text)
    points = {(point.start, point.end) for read in (_dates, _clocks, _phones) for point in read(words)}
    return words, tuple(figure for figure in figures if (figure.start, figure.end) not in points)


@lru_cache(maxsize=REMEMBERED)
def figures_known_from(text: str) -> frozenset[str]:
    """Return the figures that a text supports: those that it states, and the ones of "one lesson" and "a day"."""
    words = _readable(text)
    single = (_duration(amount, words) for amount in time_amounts(words) if amount.number == 1)
    return figures_in(text) | frozenset(single) | frozenset("1" for _ in ONE.findall(words)[:1])


def numbers_in(text: str) -> frozenset[str]:
    """Return every number in a text by itself, whatever it is a part of."""
    return frozenset(_canonical(match[0]) for match in NUMBER.finditer(_readable(text)))


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


def _readable(text: str) -> str:
    """Return the folded text with numbers as digits, each with its own unit."""
    seen = LINK.sub(" ", _seen(text)).replace("\u2013", "-").replace("\u2014", " - ")
    words = in_digits(seen)
    for pattern, instead in WORKING_DAYS:
        words = pattern.sub(instead, words)
    return LIST_OF_UNITS.sub(lambda match: f"{match[1]} {match[3]} ", words)


def _figures(words: str) -> tuple[Figure, ...]:
    typed = [f for read in (_percents, _prices, _dates, _clocks, _phones, _durations) for f in read(words)]
    rest = words
    for figure in typed:
        rest = rest[: figure.start] + " " * (figure.end - figure.start) + rest[figure.end :]
    plain = (_figure(match, _canonical(match[0])) for match in NUMBER.finditer(rest))
    return (*typed, *plain)


def _figure(match: re.Match[str], fact: str) -> Figure:
    return Figure(start=match.start(), end=match.end(), fact=fact)


def _percents(words: str) -> Iterator[Figure]:
    for match in PERCENT.finditer(words):
        yield _figure(match, f"{_canonical(match[1])}%")


def _prices(words: str) -> Iterator[Figure]:
    for sign, price in PRICES.items():
        for match in price.finditer(words):
            yield _figure(match, f"{sign}{_canonical(match[1] or match[2])}")


def _dates(words: str) -> Iterator[Figure]:
    for match in DATED.finditer(words):
        yield _figure(match, "/".join(part.lstrip("0") or "0" for part in match.group(1, 3, 4)))
    for number, day in enumerate(DAYS_OF_MONTHS, start=1):
        for match in day.finditer(words):
            of_month = int(re.sub(r"[^0-9]", "", match[1] or match[2]))
            yield _figure(match, f"month {number}: {of_month}")
    for number, name in enumerate(NAMES_OF_DAYS, start=1):
        for match in name.finditer(words):
            yield _figure(match, f"weekday {number}")


def _clocks(words: str) -> Iterator[Figure]:
    for match in CLOCK.finditer(words):
        minutes = match[2] or match[4] or match[6] or "00"
        half = match[3] or match[5]
        hour = int(match[1]) % 12 + (12 if half == "p" else 0) if half else int(match[1])
        yield _figure(match, f"{hour}:{minutes}")


def _phones(words: str) -> Iterator[Figure]:
    for match in PHONE.finditer(words):
        if _is_phone(match[0]):
            yield _figure(match, "phone " + re.sub(r"\D", "", match[0]))


def _is_phone(text: str) -> bool:
    looks_otherwise = NUMBER.fullmatch(text) or DATED.fullmatch(text)
    return not looks_otherwise and 7 <= len(re.sub(r"\D", "", text)) <= 16


def _durations(words: str) -> Iterator[Figure]:
    for amount in time_amounts(words):
        if amount.in_digits or amount.number != 1:
            yield Figure(start=amount.start, end=amount.end, fact=_duration(amount, words))


def _duration(amount: TimeAmount, words: str) -> str:
    """Return one form for "2 days" and "48 hours", another for working days; how long a month is depends."""
    if IS_WORKING.search(words, amount.start, amount.end):
        return f"{amount.number:g} working {amount.unit}"
    if amount.unit in ("month", "year"):
        return f"{amount.number * (12 if amount.unit == 'year' else 1):g} month"
    return f"{amount.hours:g} hour"

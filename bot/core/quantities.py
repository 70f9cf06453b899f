"""Amounts of time in a text, in five languages: "24 hours", "a day", "zwei Tage", "24h".

Texts are read folded: lower case, without accents, invisible characters or typographic quotes.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

NUMBER_WORDS: Mapping[str, float] = {
    # English
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "twenty": 20, "twenty four": 24, "thirty": 30, "thirty six": 36,
    "forty eight": 48, "seventy two": 72, "half an": 0.5, "half a": 0.5, "a couple of": 2, "couple of": 2,
    "a couple": 2, "couple": 2, "a few": 3, "few": 3, "several": 3,
    # Spanish
    "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "diez": 10,
    "doce": 12, "veinticuatro": 24, "cuarenta y ocho": 48, "un par de": 2, "media": 0.5,
    # German
    "ein": 1, "eine": 1, "einem": 1, "einen": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6,
    "sieben": 7, "acht": 8, "zehn": 10, "zwolf": 12, "vierundzwanzig": 24, "achtundvierzig": 48, "ein paar": 3,
    # French
    "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "dix": 10, "douze": 12,
    "vingt quatre": 24, "quarante huit": 48, "quelques": 3,
    # Portuguese
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "quatro": 4, "sete": 7, "oito": 8, "dez": 10, "doze": 12,
    "vinte e quatro": 24, "quarenta e oito": 48, "alguns": 3, "algumas": 3,
}  # fmt: skip

HOURS_OF_UNIT: Mapping[str, tuple[float, str]] = {
    "minute": (1 / 60, r"minutes?|mins?|minutos?|minuten"),
    # Hurried fingers turn "hours" into most of its own letters.
    "hour": (1, r"hours?|hrs?|hous|hors|huors|horus|houres|houts|h|horas?|stunden?|std|heures?"),
    "day": (24, r"days?|dyas|dias?|tagen?|tage?|jours?|journees?"),
    "week": (168, r"weeks?|wks?|semanas?|wochen?|semaines?"),
    "month": (720, r"months?|mes|meses|monaten?|monate?|mois"),
    "year": (8760, r"years?|anos?|jahren?|jahre?|ans?|annees?"),
}

APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})  # noqa: RUF001 - these are what is folded


def _either(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in longest_first)


UNIT_PATTERN = "|".join(f"(?P<{name}>{forms})" for name, (_, forms) in HOURS_OF_UNIT.items())
AMOUNT_OF_TIME = re.compile(
    rf"(?<![\w.,])(?:(?P<digits>\d+(?:[.,]\d+)?)(?P<plus>\s*\+)?[\s-]*|(?P<word>{_either(NUMBER_WORDS)})[\s-]+)"
    rf"(?:(?:full|whole|more|business|working)\s+)?(?:{UNIT_PATTERN})\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAmount:
    """An amount of time and where it stands in the folded text; `plus` when written like "24+ hours"."""

    number: float
    unit: str
    start: int
    end: int
    plus: bool
    in_digits: bool

    @property
    def hours(self) -> float:
        """Return the amount in hours."""
        return self.number * HOURS_OF_UNIT[self.unit][0]


REMEMBERED = 2_048  # texts: the same passages are read turn after turn


def without_invisible(text: str) -> str:
    """Leave out characters that a reader cannot see but that would keep equal words apart."""
    if text.isascii():
        return text
    return "".join(char for char in text if unicodedata.category(char) != "Cf")


@lru_cache(maxsize=REMEMBERED)
def folded(text: str) -> str:
    """Return *text* in lower case, without accents, invisible characters and typographic apostrophes."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", without_invisible(text.translate(APOSTROPHES)).casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def time_amounts(folded_text: str) -> Iterator[TimeAmount]:
    """Find the amounts of time in a folded text, in order."""
    for match in AMOUNT_OF_TIME.finditer(folded_text):
        digits, word = match["digits"], match["word"]
        yield TimeAmount(
            number=float(digits.replace(",", ".")) if digits else NUMBER_WORDS[re.sub(r"[\s-]+", " ", word)],
            unit=next(name for name in HOURS_OF_UNIT if match[name]),
            start=match.start(),
            end=match.end(),
            plus=bool(match["plus"]),
            in_digits=bool(digits),
        )

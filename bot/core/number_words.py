"""Numbers written as words, in five languages, rewritten in digits: "twenty-four", "vierundzwanzig", "vingt-quatre".

"One" stays a word: it is an article too, and states little. A word that means something else in another language counts only where
the text is in its own.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from bot.core.languages import language_in
from bot.core.quantities import REMEMBERED, folded

# From two on; "-" where a word is left out because it is as often another one.
SMALL: Mapping[str, str] = {
    "en": "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
    "de": "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "deux trois quatre cinq six sept huit - dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    "pt": "dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
}
TENS: Mapping[str, str] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "de": "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
ONE = {"en": "one", "es": "uno", "de": "ein", "fr": "un", "pt": "um"}
JOINED = {
    "en": "{ten}-{one}",
    "es": "{ten}-y-{one}",
    "de": "{one}und{ten}",
    "fr": "{ten}-{one}",
    "pt": "{ten}-e-{one}",
}
OTHERS: Mapping[str, Mapping[str, int]] = {
    "en": {"twice": 2, "thrice": 3, "a dozen": 12, "dozen": 12},
    "es": {"veintiuno": 21, "veintidos": 22, "veintitres": 23, "veinticuatro": 24, "veinticinco": 25, "veintiseis": 26,
           "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "doscientos": 200, "trescientos": 300, "quinientos": 500},
    "de": {"zweimal": 2, "dreimal": 3, "zweihundert": 200, "dreihundert": 300, "funfhundert": 500, "zweitausend": 2000},
    "fr": {"quatre-vingt": 80},
    "pt": {"duas": 2, "dezasseis": 16, "dezassete": 17, "dezanove": 19, "quatorze": 14, "duzentos": 200, "trezentos": 300,
           "quinhentos": 500},
}  # fmt: skip
MANY = {"hundred": 100, "thousand": 1000, "hundert": 100, "tausend": 1000, "cien": 100, "ciento": 100, "cem": 100, "cento": 100,
        "cent": 100, "cents": 100, "mil": 1000, "mille": 1000}  # fmt: skip
# "dos" is "of the" in Portuguese, "très" is folded to "tres", "once" and "seize" are English, "ten" is "have" in Spanish.
ONLY_IN: Mapping[str, frozenset[str]] = {
    "dos": frozenset({"es"}), "tres": frozenset({"es", "pt"}), "once": frozenset({"es"}), "seize": frozenset({"fr"}),
    "sept": frozenset({"fr"}), "cent": frozenset({"fr"}), "cents": frozenset({"fr"}), "mille": frozenset({"fr"}),
    "mil": frozenset({"es", "pt"}), "ten": frozenset({"en"}), "elf": frozenset({"de"}),
}  # fmt: skip
UNLESS_TOLD = {"ten": "en", "elf": "de"}  # read so where the language is not clear


def _values() -> Iterator[tuple[str, int]]:
    for language, small in SMALL.items():
        ones = dict(enumerate(small.split(), start=2))
        yield from ((word, number) for number, word in ones.items() if word != "-")
        for ten, word in enumerate(TENS[language].split(), start=2):
            yield word, ten * 10
            yield from _joined(language, word, ten * 10, {1: ONE[language], **ones})
        yield from OTHERS[language].items()


def _joined(language: str, word: str, ten: int, ones: Mapping[int, str]) -> Iterator[tuple[str, int]]:
    # French goes on counting to nineteen after sixty and eighty: "soixante-quinze".
    last = 19 if language == "fr" and word in ("soixante", "quatre-vingts") else 9
    for number in range(1, last + 1):
        one = ones.get(number, "neuf")
        yield JOINED[language].format(ten=word.removesuffix("s"), one=one), ten + number
    if language == "fr":
        yield f"{word}-et-un", ten + 1


VALUES: Mapping[str, int] = dict(_values())


def _either(words: Mapping[str, int]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]+") for word in longest_first
    )


NUMBER_WORD = re.compile(
    rf"(?<![\w-])(?:(?:(?P<times>{_either(VALUES)})[\s-]+)?(?:(?:one|a|ein)[\s-]+)?(?P<many>{_either(MANY)})"
    rf"(?:[\s-]+(?:and[\s-]+|y[\s-]+|e[\s-]+)?(?P<rest>{_either(VALUES)}))?|(?P<plain>{_either(VALUES)}))(?![\w])"
)


@lru_cache(maxsize=REMEMBERED)
def in_digits(text: str) -> str:
    """Return the folded *text* with its number words as digits."""
    words = folded(text)
    language = language_in(words)

    def digits(match: re.Match[str]) -> str:
        word = match["many"] or match["plain"]
        if not _is_number(word, language):
            return match[0]
        if match["plain"]:
            return str(_value(match["plain"]))
        return str(_value(match["times"] or "", default=1) * MANY[word] + _value(match["rest"] or ""))

    return NUMBER_WORD.sub(digits, words)


def _is_number(word: str, language: str | None) -> bool:
    return word not in ONLY_IN or (language or UNLESS_TOLD.get(word)) in ONLY_IN[word]


def _value(words: str, *, default: int = 0) -> int:
    return VALUES.get(re.sub(r"\s+", "-", words.strip()), VALUES.get(words, default))

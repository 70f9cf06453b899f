"""Which of five languages a text is written in, told by its smallest words, None where they do not tell; and a locale's language."""

import re
from collections.abc import Mapping
from functools import lru_cache

from bot.core.quantities import REMEMBERED, folded

_SMALL = {
    "en": "the of and to is are you your with for if in on it that this can not will be from when before our we or an at by have has"
    " do does i my me how what please get",
    "es": "el la los las de y que en un una es son con para si no por su tus tu se lo del al como cuando antes puedes puede nuestro"
    " o le mi hay desde hasta esta este estan pero ha debe puedo quiero cual me",
    "de": "der die das und ist sind sie ihr ihre ihren mit fur wenn nicht den dem ein eine einen auf zu im in von konnen kann vor wir"
    " bei wird oder ich du es zur zum nach aus bis an uber mein meine kein keine was wie",
    "fr": "le la les des et est sont vous votre vos avec pour si ne pas un une dans sur que du au aux quand avant peut pouvez nous ou"
    " il je en de sans ce cette qui puis peux mon ma quel comment",
    "pt": "o a os as de e que em um uma sao com para se nao por seu sua do da dos das no na ao voce quando antes pode nosso ou pela"
    " pelo mais esta este mas ha posso quero meu minha qual",
}
SMALL_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _SMALL.items()
}
ALL_SMALL_WORDS = frozenset[str]().union(*SMALL_WORDS.values())
WORD = re.compile(r"[^\W\d_]+")
FEWEST = 2  # small words; one alone may stand in a name


def normal_locale(locale: str) -> str:
    """Return one form for every way of writing a locale: "pt_BR" is "pt-br"."""
    return locale.strip().replace("_", "-").casefold()


def language_part(locale: str) -> str:
    """Return a locale's language without its region: "pt-BR" is "pt"."""
    return normal_locale(locale).partition("-")[0].strip()


@lru_cache(maxsize=REMEMBERED)
def language_in(text: str) -> str | None:
    """Return the language whose small words *text* has most of; None when there are too few, or two languages have as many."""
    words = WORD.findall(folded(text))
    counts = {language: sum(word in small for word in words) for language, small in SMALL_WORDS.items()}
    first, second = sorted(counts.values(), reverse=True)[:2]
    if first < FEWEST or first == second:
        return None
    return max(counts, key=lambda language: counts[language])

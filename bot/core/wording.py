"""Whether a sentence speaks of what its sources speak of: how many of its telling words stand in them.

A paraphrase keeps most of an article's words, an invention brings its own. It decides nothing between languages: there figures, limits
and claims are all that can be compared.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from bot.core.facts import figures_in
from bot.core.languages import ALL_SMALL_WORDS
from bot.core.quantities import REMEMBERED, folded

WORD = re.compile(r"[^\W\d_]{3,}")
# Of what the gate compares, "less" and "class" lose their last letter and "classes" two: it is rather too strict than too kind.
ENDINGS = re.compile(r"(?:ations?|ments?|ings?|ers?|ed|es|en|ly|s|e)$")
FINER_ENDINGS = re.compile(r"(?:ations?|ments?|ings?|ers?|ed|es|en|ly|(?<!s)s|e)$")
STEM = 5  # letters
ENOUGH = 0.5
# Words of any instruction or of courtesy: they state nothing that could be wrong.
_NEUTRAL = (
    "able about above after again also although always another any anything are back because become been being below best both but button"
    " case check choose click complete continue correct could described did different does doing done down each either else enter even"
    " every example few field finally find first fix follow following follows form found generally get give given goes going good had"
    " happen has have having head help here his how however icon important including information inside instead into it's its itself just"
    " keep kind know last later least let like link list look made mainly make many may mean means meant menu method might more most much"
    " must name navigate near need never new next not note nothing now off once one only open option order other otherwise our out over own"
    " page part perform place please point possible press process provide put ready regarding relevant right same screen section see select"
    " set several shall should show side simply since some someone something soon specific start step still sure take tap than that their"
    " them then there therefore these they thing this those though through thus time top too try two type under unless until up upon use"
    " used useful usually various very via visit want was way well were what when where whether which while who whole whose why will wish"
    " confirm save wait read limit apply applies rule require hour day week month year minute today tomorrow"
    " less fewer mehr weniger mas menos plus moins mais oui nein non sim with within without work would yes yet you'll you're your yourself"
)
_SAME = (
    ("lesson", "class", "session", "appointment", "booking"),
    ("move", "change", "reschedule", "postpone", "shift"),
    ("tutor", "teacher", "instructor"),
    ("pay", "payment", "charge", "cost", "fee", "price", "paid"),
    ("begin", "start", "starts"),
    ("email", "mail", "e-mail"),
    ("get", "receive"),
    ("cancel", "cancellation"),
    ("remove", "delete", "erase"),
    ("buy", "purchase", "order"),
    ("sign", "log", "login"),
    ("phone", "telephone", "call"),
    ("picture", "photo", "image"),
    ("device", "phone", "tablet", "computer"),
    ("money", "payment", "amount"),
    ("allow", "permit", "possible"),
    ("confirm", "accept", "approve"),
    ("send", "submit"),
    ("contact", "reach", "write", "message"),
    ("student", "learner"),
    ("plan", "subscription"),
)


def _stem(word: str) -> str:
    return _shortened(word, ENDINGS)


def _shortened(word: str, endings: re.Pattern[str]) -> str:
    short = endings.sub("", word)
    return (short if len(short) >= 3 else word)[:STEM]


NEUTRAL = frozenset(_stem(word) for word in _NEUTRAL.split())
SAME: Mapping[str, frozenset[str]] = {
    _stem(word): frozenset(_stem(other) for group in _SAME if word in group for other in group)
    for words in _SAME
    for word in words
}


@lru_cache(maxsize=REMEMBERED)
def telling_words(text: str) -> frozenset[str]:
    """Return the stems of the words that say what a text is about."""
    words = (word for word in WORD.findall(folded(text)) if word not in ALL_SMALL_WORDS)
    return frozenset(stem for word in words if (stem := _stem(word)) not in NEUTRAL)


@lru_cache(maxsize=REMEMBERED)
def _all_stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in WORD.findall(folded(text)) if word not in ALL_SMALL_WORDS)


@lru_cache(maxsize=REMEMBERED)
def all_stems(text: str) -> frozenset[str]:
    """Return the stems of all words but the small ones, the singular's like the plural's; the gate has its own."""
    words = (word for word in WORD.findall(folded(text)) if word not in ALL_SMALL_WORDS)
    return frozenset(_shortened(word, FINER_ENDINGS) for word in words)


def is_about(sentence: str, sources: Iterable[str]) -> bool:
    """Whether enough of a sentence's telling words stand in the *sources*, or others that mean the same."""
    telling = telling_words(sentence)
    if not telling:
        return True
    known = frozenset[str]().union(*map(_all_stems, sources))
    shared = sum(not known.isdisjoint(SAME.get(stem, {stem})) for stem in telling)
    return shared > 0 and (shared >= ENOUGH * len(telling) or len(telling) - shared <= 1)


def overlap(left: str, right: str) -> int:
    """Count the words and figures that two texts share, small words left out; between languages the figures remain."""
    known = _all_stems(right)
    words = sum(not known.isdisjoint(SAME.get(stem, {stem})) for stem in _all_stems(left))
    return words + len(figures_in(left) & figures_in(right))

"""Whether two texts are about one thing, by the words that they share. Needs no model, and never looks at scores."""

import re
from collections.abc import Iterable
from functools import lru_cache

from bot.core.lexical import STEM
from bot.core.markdown import plain_text
from bot.core.quantities import REMEMBERED, folded

FEWEST_STEMS = 8  # in the shorter text
SAME_TEXT = 0.6  # of the shorter text's words; unrelated passages of one help centre share about a quarter
SAME_TOPIC = 0.5  # more than this share of the shorter title's words
FUNCTION_WORDS = """a about after ahead an and are at before can days day do does for from go has have hour hours how if in is it its last
    late later less more minute my notice of on or over short should start starts than that the time to under what when
    which with within without you your
    al antelacion antes aviso como con cuando de del dia dias el en hora horas la las lo los mas menos para por que se su
    tu un una y
    als am auf bei das dem den der die ein eine einem einen einer ist mehr mit oder stunde stunden tag tage uber und unter
    von vor weniger wenn wie zu
    avant avec ce comment dans des du et est heure heures jour jours le les moins mon ou plus pour preavis que sur une votre
    aula com da das do dos e em mais no o os ou sem seu sua um uma"""
NOT_A_TOPIC = frozenset(FUNCTION_WORDS.split())


def is_one_topic(first: str, second: str) -> bool:
    """Return whether two titles share most words, conditions aside: cancelling is not the topic of rescheduling."""
    return _shared(stems(first), stems(second)) > SAME_TOPIC


def is_one_text(first: str, second: str) -> bool:
    """Return whether two passages say much the same, as an article and its older version do; a few words are no proof."""
    one, other = _text_stems(first), _text_stems(second)
    return min(len(one), len(other)) >= FEWEST_STEMS and _shared(one, other) >= SAME_TEXT


def support(subjects: Iterable[str], texts: Iterable[str]) -> float | None:
    """Return the share of a question's subject words that stand, by their beginnings, in the texts found for it; None without any.

    A question close to every article of its field, which no article answers, names something that none of them does.
    """
    asked = {subject[:STEM] for subject in subjects}
    found = frozenset().union(*map(stems, texts))
    return len(asked & found) / len(asked) if asked else None


@lru_cache(maxsize=REMEMBERED)
def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words that may name a topic."""
    return frozenset(w[:STEM] for w in re.findall(r"[^\W\d_]+", folded(text)) if w not in NOT_A_TOPIC)


@lru_cache(maxsize=REMEMBERED)
def _text_stems(markdown: str) -> frozenset[str]:
    return stems(plain_text(markdown))  # without addresses, which are alike everywhere


def _shared(first: frozenset[str], second: frozenset[str]) -> float:
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter else 0.0

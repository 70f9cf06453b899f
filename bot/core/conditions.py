"""Conditions on an amount of time: what an article applies to ("less than 24 hours") and what a customer stated.

A reply is read against the bot's last question, because "no" or "more than that" mean nothing alone (DESIGN §2.1).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from math import inf

from bot.core.markdown import ends_in_question
from bot.core.quantities import REMEMBERED, TimeAmount, folded, time_amounts
from bot.core.rules import Polarity

LONGEST_ELLIPSIS = 8  # words; a longer message that holds "more" is seldom an answer to "more or less?"


class Bound(StrEnum):
    """The side of an amount that a condition lies on."""

    BELOW = "below"
    ABOVE = "above"

    @property
    def other(self) -> "Bound":
        """Return the other side."""
        return Bound.ABOVE if self is Bound.BELOW else Bound.BELOW


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue:
    """What a customer said of an amount of time: it lies between `low` and `high` hours."""

    low: float
    high: float

    def also(self, other: "StatedValue") -> "StatedValue | None":
        """Return what holds when both were said; None when they contradict each other."""
        both = StatedValue(low=max(self.low, other.low), high=min(self.high, other.high))
        # "Less than 24" and "24 or more" touch at a point that neither means.
        touching = both.low == both.high and (_is_point(self) or _is_point(other))
        return both if both.low < both.high or touching else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A comparison with an amount of time, in hours; `unit` is how its text counts."""

    bound: Bound
    hours: float
    unit: str = field(default="hour", compare=False)

    def fits(self, stated: StatedValue) -> bool:
        """Whether everything that *stated* leaves open meets the condition."""
        return _side(stated, self.hours) is self.bound

    def excludes(self, stated: StatedValue) -> bool:
        """Whether nothing that *stated* leaves open meets the condition."""
        return _side(stated, self.hours) is self.bound.other

    @property
    def value(self) -> StatedValue:
        """Return what a customer says who states the condition."""
        low, high = (0.0, self.hours) if self.bound is Bound.BELOW else (self.hours, inf)
        return StatedValue(low=low, high=high)


def opposed(a: Condition, b: Condition) -> bool:
    """Whether no amount of time meets both conditions."""
    below, above = (a, b) if a.bound is Bound.BELOW else (b, a)
    return below.bound is not above.bound and below.hours <= above.hours


@lru_cache(maxsize=REMEMBERED)
def conditions(text: str) -> tuple[Condition, ...]:
    """Return the conditions that a text names, in order and without repetition."""
    return tuple(dict.fromkeys(condition for _, condition in _bounded(folded(text))))


def single_condition(text: str) -> Condition | None:
    """Return the one condition that a title or sentence is about; None when it names none, or several."""
    found = conditions(text)
    return found[0] if len(found) == 1 else None


def asked_conditions(bot_text: str) -> tuple[Condition, ...]:
    """Return the conditions in the question that a bot message ends with; one in the middle, as an article may hold, asks nothing."""
    if not ends_in_question(bot_text):
        return ()
    questions = re.findall(r"[^.!?\n]*\?", bot_text)
    return conditions(questions[-1]) if questions else ()


def stated_condition(text: str, previous_bot_text: str, polarity: Polarity | None) -> StatedValue | None:
    """Return what a customer's message says of the amount that the bot asked about, or of one it names itself.

    *polarity* is what the message says as a reply to a yes/no question. Its own words win over its yes or no, and where
    they leave something open, both count ("yes, tomorrow"). None when nothing was stated, or opposites were.
    """
    asked = asked_conditions(previous_bot_text)
    words = folded(text)
    affirmed = _affirmed(asked, polarity)
    if asked and re.match(r"\s*no\s+(?:more|less)\s+th[ae]n\b", words):
        return None  # "no, more than" and "at most" are written alike in haste
    explicit = tuple(_explicit(words, is_reply=bool(asked))) or tuple(_elliptic(words, asked))
    if not explicit:
        return affirmed
    stated = _all_of(explicit)
    return (affirmed and stated and affirmed.also(stated)) or stated


def _side(stated: StatedValue, hours: float) -> Bound | None:
    if stated.low >= hours:
        return Bound.ABOVE
    return Bound.BELOW if stated.high <= hours else None


def _is_point(stated: StatedValue) -> bool:
    return stated.low == stated.high


def _all_of(values: Iterable[StatedValue]) -> StatedValue | None:
    together: StatedValue | None = StatedValue(low=0, high=inf)
    for value in values:
        together = together and together.also(value)
    return together


def _affirmed(asked: tuple[Condition, ...], polarity: Polarity | None) -> StatedValue | None:
    if len(asked) != 1 or polarity is None:
        return None
    question = asked[0]
    bound = question.bound if polarity is Polarity.YES else question.bound.other
    return Condition(bound=bound, hours=question.hours).value


# --- comparisons with an amount -----------------------------------------------------------------

BELOW_WORDS = (
    r"(?:less|lesser|fewer|sooner|shorter|closer) th[ae]n|under|below|within|inside|not even|at most|maximum|max|<"
    r"|menos (?:de|que)|dentro de la[s]|como maximo|en menos de"
    r"|weniger als|unter|innerhalb(?: von)?|binnen|hochstens|maximal|keine"
    r"|moins de|moins d'|en dessous de|dans les|au plus|au maximum|sous"
    r"|em menos de|dentro das|no maximo|later than"
)
ABOVE_WORDS = (
    r"(?:more|longer|greater|further|farther|bigger|earlier) th[ae]n|over|above|beyond|at ?least|minimum|min|>"
    r"|no later than|not later than"
    r"|mas (?:de|que)|al menos|por lo menos|como minimo|minimo"
    r"|mehr als|uber|ueber|mindestens|langer als|spatestens"
    r"|plus de|plus d'|au moins|au minimum"
    r"|mais (?:de|que)|pelo menos|ao menos|no minimo|acima de"
)
UNTIL_WORDS = r"up to|until|till|bis(?: zu)?|hasta|jusqu'a|ate"
FILLERS = (
    r"(?:\s*(?:about|around|only|just|like|roughly|approx|the|next|coming|full|a|las|los|proximas|den|der|die|nachsten"
    r"|prochaines|as|proximas)\b)*\s*$"
)
NEGATION = re.compile(
    r"(?:\bnot|n't|\b(?:is|are|does|do|was)nt|\bno|\bnicht|\bpas|\bnao)(?: (?:any|es|son|e|sao|gonna be|be))?\s*$"
)
COMPARISON = re.compile(
    rf"(?:^|(?<=[\W\d]))(?:(?P<above>{ABOVE_WORDS})|(?P<below>{BELOW_WORDS})|(?P<until>{UNTIL_WORDS})){FILLERS}"
)
MORE_OR_LESS = re.compile(
    r"\b(?:more|less|mas|menos|mehr|weniger|plus|moins|mais) (?:or|o|oder|ou) \w+ ?\w*[ ']$"
)
BEFORE_AFTER = re.compile(r"\s*(?:in advance|before|prior|ahead|beforehand|antes|vor\b|vorher|avant)")
OR_MORE = re.compile(
    r"\s*(?:\+|(?:or|o|oder|ou) (?:more|longer|mas|mehr|langer|plus|mais)\b|and (?:up|over|more)\b)"
)
OR_LESS = re.compile(r"\s*(?:or|o|oder|ou) (?:less|fewer|sooner|menos|weniger|moins)\b")
ELAPSED_BEFORE = re.compile(
    r"\b(?:wait\w*|been|took|takes?|taken|for|since|after|hace|seit|vor|depuis|il y a|ha)\s*$"
)
ELAPSED_AFTER = re.compile(r"\s*(?:ago|earlier|old|long|lessons?|class(?:es)?|sessions?|trial|atras)\b")


def _bounded(words: str) -> Iterator[tuple[TimeAmount, Condition]]:
    """Find the amounts that are compared with something, and how."""
    for amount in time_amounts(words):
        bound = _bound_before(words[: amount.start], words[amount.end :]) or _bound_after(amount, words)
        if bound:
            yield amount, Condition(bound=bound, hours=amount.hours, unit=amount.unit)
        if bound and MORE_OR_LESS.search(words[: amount.start]):
            yield amount, Condition(bound=bound.other, hours=amount.hours, unit=amount.unit)


def _bound_before(before: str, after: str) -> Bound | None:
    match = COMPARISON.search(before)
    if match is None:
        return None
    if match["until"]:
        return Bound.ABOVE if BEFORE_AFTER.match(after) else Bound.BELOW
    bound = Bound.ABOVE if match["above"] else Bound.BELOW
    return bound.other if NEGATION.search(before[: match.start()]) else bound


def _bound_after(amount: TimeAmount, words: str) -> Bound | None:
    after = words[amount.end :]
    if amount.plus or OR_MORE.match(after):
        return Bound.ABOVE
    return Bound.BELOW if OR_LESS.match(after) else None


# --- what a customer says -----------------------------------------------------------------------

POINT_BEFORE = re.compile(
    r"\b(?:in|is|it's|its|starts?|en|es|faltan?|quedan?|dentro de|ist|noch|dans|est|reste|em|e|daqui a)"
    r"(?: (?:about|around|like|only|just|roughly|unas|unos|etwa|nur|environ|cerca de))?\s*$"
)
POINT_AFTER = re.compile(
    r"\s*(?:away|from now|left|to go|until|till|before|remaining|antes|ubrig|vorher|avant|restantes)\b"
)
NAMED_BEFORE = re.compile(r"(?:^|\b(?:is|it's|its|starts?|class|lesson|for|on|es|ist|est|e)|'s|,)\s*$")
NAMED_AFTER = re.compile(r"'s\s+(?:\w+\s+)?(?:class|lesson|session|slot|appointment|booking)")
NAMED_TIMES = {
    r"today|tonight|right now|this (?:morning|afternoon|evening)|hoy|heute|aujourd'hui|hoje": StatedValue(
        low=0, high=24
    ),
    r"day after tomorrow|pasado manana|ubermorgen|apres[- ]demain|depois de amanha": StatedValue(
        low=24, high=72
    ),
    r"(?<!after )(?:tomorrow|tomorow|tommorow|tmrw|tmr)|(?<!pasado )(?<!la )manana|morgen|(?<!apres[- ])demain|(?<!de )amanha": StatedValue(
        low=0, high=48
    ),
    r"next (?:week|weekend|month|year|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|(?:proxima semana|semana que vi?ene|semana que vem|nachste woche|semaine prochaine)": (
        StatedValue(low=24, high=inf)
    ),
}
MORE = re.compile(r"\b(?:more|longer|over|further|later|above|bigger|greater|mas|mehr|langer|plus|mais)\b")
LESS = re.compile(r"\b(?:less|under|sooner|below|shorter|fewer|closer|menos|weniger|moins)\b")


def _explicit(words: str, *, is_reply: bool) -> Iterator[StatedValue]:
    compared = tuple(_bounded(words))
    for amount in time_amounts(words):
        if _has_elapsed(amount, words):
            continue
        values = tuple(condition.value for other, condition in compared if other == amount)
        if not values and (is_reply or _is_point_in_time(amount, words)):
            values = (StatedValue(low=amount.hours, high=amount.hours),)
        yield from values
    yield from _named_times(words, is_reply=is_reply)


def _has_elapsed(amount: TimeAmount, words: str) -> bool:
    comparison = COMPARISON.search(words[: amount.start])
    before = words[: comparison.start() if comparison else amount.start]
    return bool(ELAPSED_BEFORE.search(before) or ELAPSED_AFTER.match(words[amount.end :]))


def _is_point_in_time(amount: TimeAmount, words: str) -> bool:
    return bool(POINT_BEFORE.search(words[: amount.start]) or POINT_AFTER.match(words[amount.end :]))


def _named_times(words: str, *, is_reply: bool) -> Iterator[StatedValue]:
    for pattern, value in NAMED_TIMES.items():
        match = re.search(rf"\b(?:{pattern})\b", words)
        if match and (
            is_reply or NAMED_BEFORE.search(words[: match.start()]) or NAMED_AFTER.match(words[match.end() :])
        ):
            yield value


def _elliptic(words: str, asked: tuple[Condition, ...]) -> Iterator[StatedValue]:
    """Read "less", "more than that", "not more" against the amount in the bot's question."""
    is_long = len(words.split()) > LONGEST_ELLIPSIS
    if is_long or len({condition.hours for condition in asked}) != 1 or any(time_amounts(words)):
        return
    for pattern, bound in ((MORE, Bound.ABOVE), (LESS, Bound.BELOW)):
        if match := pattern.search(words):
            negated = NEGATION.search(words[: match.start()])
            yield Condition(bound=bound.other if negated else bound, hours=asked[0].hours).value

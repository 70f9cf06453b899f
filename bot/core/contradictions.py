"""What two texts on one matter state differently: an amount, a price, a date, a time, or "can" beside "cannot".

Two statements are compared when each is the other's nearest by the words that they share, rare words counting more. Statements under
conditions of which at most one holds ("more than 24 hours", "less than 24 hours") complete each other and are no contradiction.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.core.conditions import Condition, opposed, single_condition
from bot.core.echoes import NEXT_THOUGHT, SUPPOSED
from bot.core.facts import Figure, figures_in, placed_figures
from bot.core.languages import ALL_SMALL_WORDS
from bot.core.lexical import rarity_of
from bot.core.limits import Limit, limits_of
from bot.core.markdown import BlockKind, blocks_of, ends_in_question, plain_text, sentences_of
from bot.core.quantities import REMEMBERED, folded
from bot.core.wording import SAME, all_stems

FEWEST_WORDS = 2
ALIKE_DENIED = 0.5  # of two sentences, one of which denies the other, and
THOUGHT_DENIED = 0.75  # of what one states and the other denies
LINK = re.compile(
    r"!?\[[^\[\]\n]{0,400}\]\([^()\n]{0,2000}(?:\([^()\n]{0,400}\)[^()\n]{0,400})?\)|<https?://[^<>\s]+>"
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "v1.8.7", "UNO R4" and "CVE-2025-69209" name something, and state no amount.
NAMED_BEFORE = re.compile(r"(?:[^\W\d_]-?|\d[.-]|[/_#=<>])$")
NAMED_AFTER = re.compile(r"\.\d|[^\W\d_]|[-/]\w")
COUNTED = re.compile(r"\s+([^\W\d_]{3,})")
PLAIN = "#"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An amount as it was written, its fact in one form for all ways of writing it, and what it is an amount of."""

    said: str
    fact: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A part of a sentence that states something by itself."""

    stems: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence or table row: `read` is its text without links, `row` the first cell, None in prose, and `under` the heading that it stands under."""

    text: str
    read: str
    stems: frozenset[str]
    under: str = ""
    row: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One side of a comparison: statements, and the whole of the article that they stand in."""

    title: str
    statements: tuple[Statement, ...]
    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two statements side by side, what differs in them, and how alike they are otherwise, from 0 to 1."""

    left: str
    right: str
    differs: tuple[str, ...]
    alike: float


Rarity = Mapping[str, float]


def differences(left: Text, right: Text, rarity: Rarity, *, least: float) -> tuple[Difference, ...]:
    """Return what both state differently, the most alike first; *least* is how alike two statements must be whose amounts differ.

    An amount that the other article states somewhere too is of another case, so it differs from nothing.
    """
    known = {one.text for one in left.statements} & {other.text for other in right.statements}
    found = [
        Difference(left=one.text, right=other.text, differs=differs, alike=round(alike, 3))
        for one, other, alike in aligned(left.statements, right.statements, rarity)
        if not {one.text, other.text} & known
        and (differs := tuple(dict.fromkeys(_differing(one, other, left, right, alike=alike, least=least))))
        and not _complete_each_other((left.title, one), (right.title, other))
    ]
    return tuple(sorted(found, key=lambda difference: -difference.alike))


def text_of(title: str, article: str, passage: str | None = None, heading: str = "") -> Text:
    """Return an article as one side of a comparison, or of its statements those of one *passage* under its *heading*."""
    part = article if passage is None else passage
    return Text(title=title, statements=statements_of(part, heading), article=f"{title}\n{article}")


def rarity_in(texts: Iterable[Text]) -> Rarity:
    """Return how much each stem tells statements apart."""
    return rarity_of([statement.stems for text in texts for statement in text.statements])


@lru_cache(maxsize=4_096)
def statements_of(markdown: str, heading: str = "") -> tuple[Statement, ...]:
    """Return what a text states, in order; questions and what has too few words to tell of anything are left out."""
    return tuple(_statements(markdown, heading))


def _statements(markdown: str, heading: str) -> Iterator[Statement]:
    for block in blocks_of(markdown):
        if block.kind is BlockKind.HEADING:
            heading = plain_text(block.text)
        elif block.kind is not BlockKind.FENCE:
            for sentence in sentences_of(block.text):
                statement = _statement(sentence, heading, is_row=block.kind is BlockKind.TABLE)
                if _tells_something(statement):
                    yield statement


def _tells_something(statement: Statement) -> bool:
    words = len(statement.stems) + bool(NUMBER.search(statement.read))
    return words >= FEWEST_WORDS and not ends_in_question(statement.text)


def _statement(markdown: str, heading: str, *, is_row: bool) -> Statement:
    read = plain_text(LINK.sub(" \u2014 ", markdown))
    first_cell = markdown.strip(" |").partition("|")[0]
    return Statement(
        text=plain_text(markdown),
        read=read,
        stems=all_stems(read),
        under=heading,
        row=folded(plain_text(first_cell)) if is_row else None,
    )


# --- what a statement says ----------------------------------------------------------------------


@lru_cache(maxsize=REMEMBERED)
def amounts_of(text: str) -> tuple[Amount, ...]:
    """Return the amounts of a text; numbers that are part of a name are none."""
    words, figures = placed_figures(text)
    return tuple(_amount(words, figure) for figure in figures if not _is_name(words, figure))


@lru_cache(maxsize=REMEMBERED)
def thoughts_of(text: str) -> tuple[Thought, ...]:
    """Return what a sentence states without a condition."""
    return tuple(_thoughts(text))


def _is_name(words: str, figure: Figure) -> bool:
    return bool(NAMED_BEFORE.search(words[: figure.start]) or NAMED_AFTER.match(words[figure.end :]))


def _amount(words: str, figure: Figure) -> Amount:
    unit = NUMBER.sub(PLAIN, figure.fact)
    said = words[figure.start : figure.end]
    counted = COUNTED.match(words[figure.end :]) if unit == PLAIN else None
    if counted and counted[1] not in ALL_SMALL_WORDS:
        return Amount(said=said + counted[0], fact=figure.fact, unit=f"{PLAIN} {counted[1][:5]}")
    return Amount(said=said, fact=figure.fact, unit=unit)


def _thoughts(text: str) -> Iterator[Thought]:
    for part in NEXT_THOUGHT.split(text):
        stems = all_stems(part)
        if len(stems) >= FEWEST_WORDS and not SUPPOSED.match(folded(part)):
            limits = limits_of(part)
            if Limit.IF not in limits.stated:
                yield Thought(stems=stems, negated=limits.negated)


# --- comparing ----------------------------------------------------------------------------------


def aligned(
    left: Sequence[Statement], right: Sequence[Statement], rarity: Rarity
) -> list[tuple[Statement, Statement, float]]:
    """Pair the statements that are each other's nearest, in the order of the left ones; table rows only when they are of the same thing."""
    pairs = [
        (here, there, alike)
        for here, there, alike in _scored(left, right, rarity)
        if _comparable(left[here], right[there])
    ]
    best_of_left, best_of_right = dict[int, float](), dict[int, float]()
    for here, there, alike in pairs:
        best_of_left[here] = max(best_of_left.get(here, 0.0), alike)
        best_of_right[there] = max(best_of_right.get(there, 0.0), alike)
    return [
        (left[here], right[there], alike)
        for here, there, alike in pairs
        if alike == best_of_left[here] == best_of_right[there]
    ]


def _comparable(one: Statement, other: Statement) -> bool:
    return one.row is None or other.row is None or one.row == other.row


def _complete_each_other(left: tuple[str, Statement], right: tuple[str, Statement]) -> bool:
    """Whether at most one of two statements can hold: their own conditions, or those of their headings and titles, exclude each other."""
    return any(opposed(a, b) for a in _given(*left) for b in _given(*right))


def _given(title: str, statement: Statement) -> tuple[Condition, ...]:
    texts = (statement.read, statement.under, title)
    return tuple(condition for text in texts if (condition := single_condition(text)))[:1]


def _scored(
    left: Sequence[Statement], right: Sequence[Statement], rarity: Rarity
) -> Iterator[tuple[int, int, float]]:
    """Yield the places of two statements that share a word, and the share of their words that both have, weighed by how rare they are.

    By way of the words, because most of two articles' statements have little in common.
    """
    with_stem = _places([statement.stems for statement in right])
    with_meaning = _places([_meant(statement.stems) for statement in right])
    weights = [_weight(statement.stems, rarity) for statement in right]
    for here, one in enumerate(left):
        shared = defaultdict[int, float](float)
        for words, places in ((one.stems, with_meaning), (_meant(one.stems), with_stem)):
            for stem in words & places.keys():
                for there in places[stem]:
                    shared[there] += rarity.get(stem, 1.0)
        own = _weight(one.stems, rarity)
        yield from ((here, there, weight / (own + weights[there])) for there, weight in shared.items())


def _places(texts: Iterable[frozenset[str]]) -> dict[str, list[int]]:
    places = defaultdict[str, list[int]](list)
    for place, stems in enumerate(texts):
        for stem in stems:
            places[stem].append(place)
    return places


def _weight(stems: Iterable[str], rarity: Rarity) -> float:
    return sum(rarity.get(stem, 1.0) for stem in stems)


@lru_cache(maxsize=16_384)
def _meant(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems with all that mean the same."""
    return stems.union(*(SAME.get(stem, frozenset()) for stem in stems))


def _differing(
    one: Statement, other: Statement, left: Text, right: Text, *, alike: float, least: float
) -> Iterator[str]:
    if alike >= least:
        yield from _amounts_apart(one, other, left, right)
    if alike >= max(least, ALIKE_DENIED) and _is_prose(one) and _is_prose(other):
        pairs = ((a, b) for a in thoughts_of(one.read) for b in thoughts_of(other.read))
        yield from ("not" for a, b in pairs if _is_denied(a, b))


def _is_prose(statement: Statement) -> bool:
    return statement.row is None and statement.text.endswith((".", "!"))


def _amounts_apart(one: Statement, other: Statement, left: Text, right: Text) -> Iterator[str]:
    here, there = amounts_of(one.read), amounts_of(other.read)
    if not {a.unit for a in here} & {a.unit for a in there}:
        return
    only_here = [a for a in here if a.fact not in _facts(right.article)]
    only_there = [a for a in there if a.fact not in _facts(left.article)]
    units = {a.unit for a in only_here} & {a.unit for a in only_there}
    if one.stems != other.stems:
        units.discard(PLAIN)  # a number of nothing in particular compares only where all else is the same
    yield from (a.said for a in (*only_here, *only_there) if a.unit in units)


@lru_cache(maxsize=256)
def _facts(article: str) -> frozenset[str]:
    return figures_in(article)


def _is_denied(one: Thought, other: Thought) -> bool:
    if one.negated is other.negated:
        return False
    shared = len(one.stems & _meant(other.stems)) + len(other.stems & _meant(one.stems))
    return shared >= THOUGHT_DENIED * (len(one.stems) + len(other.stems))

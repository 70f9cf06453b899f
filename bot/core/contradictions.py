"""What two texts on one matter state differently: an amount, a price, a date, a time, or "can" beside "cannot".

Two statements are compared when each is the other's nearest by the words that they share, rare words counting more. Statements under
conditions of which at most one holds ("more than 24 hours", "less than 24 hours") complete each other and are no contradiction.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.core.conditions import Condition, opposed, single_condition
from bot.core.facts import figures_in
from bot.core.lexical import rarity_of
from bot.core.stated import PLAIN, Amount, Statement, Thought, amounts_of, statements_of, thoughts_of
from bot.core.wording import SAME

ALIKE_DENIED = 0.5  # of two sentences, one of which denies the other, and
THOUGHT_DENIED = 0.75  # of what one states and the other denies
OF_THE_SAME = 0.35  # from here on two statements of one amount are of one case

Rarity = Mapping[str, float]
Pair = tuple[Statement, Statement, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One side of a comparison: the statements to compare, and all statements of the article that they stand in."""

    title: str
    statements: tuple[Statement, ...]
    article: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two statements side by side, what differs in them, and how alike they are otherwise, from 0 to 1."""

    left: str
    right: str
    differs: tuple[str, ...]
    alike: float


def text_of(title: str, article: str, passage: str | None = None, heading: str = "") -> Text:
    """Return an article as one side of a comparison, or of its statements those of one *passage* under its *heading*."""
    whole = statements_of(article)
    part = whole if passage is None else statements_of(passage, heading)
    return Text(title=title, statements=part, article=whole)


def rarity_in(texts: Iterable[Text]) -> Rarity:
    """Return how much each stem tells statements apart."""
    return rarity_of([statement.stems for text in texts for statement in text.statements])


def differences(left: Text, right: Text, rarity: Rarity, *, least: float) -> tuple[Difference, ...]:
    """Return what both state differently, the most alike first; *least* is how alike two statements must be whose amounts differ.

    An amount that the other article states of much the same too, or in its title, is of another case, so it differs from nothing.
    """
    known = {one.text for one in left.statements} & {other.text for other in right.statements}
    sides = _Sides(left=left, right=right, rarity=rarity)
    found = [
        Difference(left=pair[0].text, right=pair[1].text, differs=differs, alike=round(pair[2], 3))
        for pair in aligned(left.statements, right.statements, rarity)
        if not {pair[0].text, pair[1].text} & known
        and (differs := tuple(dict.fromkeys(sides.differing(pair, least=least))))
        and not _complete_each_other((left.title, pair[0]), (right.title, pair[1]))
    ]
    return tuple(sorted(found, key=lambda difference: -difference.alike))


def aligned(left: Sequence[Statement], right: Sequence[Statement], rarity: Rarity) -> list[Pair]:
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


# --- what differs -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    left: Text
    right: Text
    rarity: Rarity

    def differing(self, pair: Pair, *, least: float) -> Iterator[str]:
        one, other, alike = pair
        if alike >= least:
            yield from (amount.said for amount in self._amounts(one, other))
        if alike >= max(least, ALIKE_DENIED) and _is_prose(one) and _is_prose(other):
            thoughts = ((a, b) for a in thoughts_of(one.read) for b in thoughts_of(other.read))
            yield from ("not" for a, b in thoughts if _is_denied(a, b))

    def _amounts(self, one: Statement, other: Statement) -> Iterator[Amount]:
        here, there = _apart(amounts_of(one.read), amounts_of(other.read))
        here = [a for a in here if a.fact not in self._stated(self.right, one)] if there else []
        there = [a for a in there if a.fact not in self._stated(self.left, other)] if here else []
        units = {a.unit for a in here} & {a.unit for a in there}
        if one.stems != other.stems:
            units.discard(PLAIN)  # a number of nothing in particular compares only where all else is the same
        yield from (a for a in (*here, *there) if a.unit in units)

    def _stated(self, text: Text, about: Statement) -> frozenset[str]:
        """Return the facts that the other article states of much the same."""
        same = (s for s in text.article if _alike(s.stems, about.stems, self.rarity) >= OF_THE_SAME)
        facts = (amount.fact for statement in same for amount in amounts_of(statement.read))
        return figures_in(text.title).union(facts)


def _apart(here: Sequence[Amount], there: Sequence[Amount]) -> tuple[list[Amount], list[Amount]]:
    """Leave the amounts of each side that the other one lacks, of units that both have."""
    facts = {a.fact for a in here} & {a.fact for a in there}
    units = {a.unit for a in here} & {a.unit for a in there}
    mine, theirs = ([a for a in side if a.unit in units and a.fact not in facts] for side in (here, there))
    return mine, theirs


def _is_prose(statement: Statement) -> bool:
    return statement.row is None and statement.text.endswith((".", "!"))


def _is_denied(one: Thought, other: Thought) -> bool:
    if one.negated is other.negated:
        return False
    shared = len(one.stems & _meant(other.stems)) + len(other.stems & _meant(one.stems))
    return shared >= THOUGHT_DENIED * (len(one.stems) + len(other.stems))


def _complete_each_other(left: tuple[str, Statement], right: tuple[str, Statement]) -> bool:
    """Whether at most one of two statements can hold: their own conditions, or those of their headings and titles, exclude each other."""
    return any(opposed(a, b) for a in _given(*left) for b in _given(*right))


def _given(title: str, statement: Statement) -> tuple[Condition, ...]:
    texts = (statement.read, statement.under, title)
    return tuple(condition for text in texts if (condition := single_condition(text)))[:1]


# --- how alike ----------------------------------------------------------------------------------


def _comparable(one: Statement, other: Statement) -> bool:
    return one.row is None or other.row is None or one.row == other.row


def _scored(
    left: Sequence[Statement], right: Sequence[Statement], rarity: Rarity
) -> Iterator[tuple[int, int, float]]:
    """Yield the places of two statements that share a word, and how alike they are.

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


def _alike(one: frozenset[str], other: frozenset[str], rarity: Rarity) -> float:
    """Return the share of two statements' words that both have, weighed by how rare they are."""
    shared = _weight(one & _meant(other), rarity) + _weight(other & _meant(one), rarity)
    return shared / ((_weight(one, rarity) + _weight(other, rarity)) or 1.0)


def _weight(stems: Iterable[str], rarity: Rarity) -> float:
    return sum(rarity.get(stem, 1.0) for stem in stems)


@lru_cache(maxsize=16_384)
def _meant(stems: frozenset[str]) -> frozenset[str]:
    """Return the stems with all that mean the same."""
    return stems.union(*(SAME.get(stem, frozenset()) for stem in stems))

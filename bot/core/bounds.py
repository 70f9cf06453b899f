"""Amounts and how they are limited: "at most 3 people", "up to 24 hours before", "$5 or more"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.core.conditions import BEFORE_AFTER, COMPARISON, NEGATION, OR_LESS, OR_MORE, Bound
from bot.core.facts import measures_in
from bot.core.quantities import REMEMBERED

IN_ADVANCE = re.compile(
    rf"(?:{BEFORE_AFTER.pattern})|\s*(?:de|d')\s*(?:antelacion|avance)|\s*de antecedencia"
)
MOST_OF = re.compile(r"\b(maximum|minimum|maximo|minimo) (?:of|de|von)\s*$")
# "The 24-hour limit" names a limit without its side.
LIMIT_ITSELF = re.compile(
    r"[\s-]*(?:limit|window|mark|rule|notice|deadline|period|policy|cut-?off|frist|regel|grenze|limite|plazo|delai|prazo|regla|regra)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An amount, and the side that is meant; None when it is just that amount. `named` when only a limit of it is spoken of."""

    what: str
    bound: Bound | None
    named: bool = False


@lru_cache(maxsize=REMEMBERED)
def amounts_in(text: str) -> frozenset[Amount]:
    """Return the amounts of a text, in one form for each way of writing them."""
    return frozenset(_read(text))


def unsupported_bound(stated: frozenset[Amount], sources: frozenset[Amount]) -> str | None:
    """Return an amount that the *sources* limit otherwise, or limit where it is stated without."""
    for amount in stated:
        known = {other.bound for other in sources if other.what == amount.what and not other.named}
        if known and not amount.named and amount.bound not in known:
            return f"{amount.bound or 'exactly'} {amount.what}"
    return None


def _read(text: str) -> Iterator[Amount]:
    words, figures = measures_in(text)
    for figure in figures:
        before, after = words[: figure.start], words[figure.end :]
        is_named = bool(LIMIT_ITSELF.match(after))
        yield Amount(what=figure.fact, bound=_bound(before, after), named=is_named)


def _bound(before: str, after: str) -> Bound | None:
    match = COMPARISON.search(MOST_OF.sub(r"\1 ", before))
    if match is None:
        return _bound_behind(after)
    if match["until"]:
        return Bound.ABOVE if IN_ADVANCE.match(after) else Bound.BELOW
    bound = Bound.ABOVE if match["above"] else Bound.BELOW
    return bound.other if NEGATION.search(before[: match.start()]) else bound


def _bound_behind(after: str) -> Bound | None:
    # "Cancel 24 hours before" is meant as the least.
    if OR_MORE.match(after) or IN_ADVANCE.match(after):
        return Bound.ABOVE
    return Bound.BELOW if OR_LESS.match(after) else None

"""What a text states, sentence by sentence and row by row: its words, its amounts, and what it says outright or denies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bot.core.echoes import NEXT_THOUGHT, SUPPOSED
from bot.core.facts import Figure, placed_figures
from bot.core.languages import ALL_SMALL_WORDS
from bot.core.limits import Limit, limits_of
from bot.core.markdown import BlockKind, blocks_of, ends_in_question, plain_text, sentences_of
from bot.core.quantities import REMEMBERED, folded
from bot.core.wording import all_stems

FEWEST_WORDS = 2  # a number is one
PLAIN = "#"  # the unit of a number of nothing in particular
LINK = re.compile(
    r"!?\[[^\[\]\n]{0,400}\]\([^()\n]{0,2000}(?:\([^()\n]{0,400}\)[^()\n]{0,400})?\)|<https?://[^<>\s]+>"
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "v1.8.7", "UNO R4" and "CVE-2025-69209" name something, and state no amount.
NAMED_BEFORE = re.compile(r"(?:[^\W\d_]-?|\d[.-]|[/_#=<>])$")
NAMED_AFTER = re.compile(r"\.\d|[^\W\d_]|[-/]\w")
COUNTED = re.compile(r"\s+([^\W\d_]{3,})")


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

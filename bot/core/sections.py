"""A passage as pieces to quote: paragraphs, whole lists, tables; without what only navigates or cannot be shown.

Every part of a piece stands verbatim in the passage, white space aside.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from bot.core.markdown import Block, BlockKind, blocks_of, plain_text, sentences_of
from bot.core.quantities import REMEMBERED

MARKER = r"(?:[-*+•]|\d+[.)])"
STEP_START = re.compile(rf" {{0,3}}{MARKER}(?:\s|$)")
UNSEEN_LINE = re.compile(
    rf"\s*(?:>\s*)*(?:{MARKER}\s+)?!\[[^\]]*\]\([^)]*\)\s*"  # an image
    r"|\s*<!--.*-->\s*"
    r"|\s*(?:>\s*)+\[![A-Za-z]+\]\s*"  # the sign of a callout
    rf"|\s*(?:{MARKER}\s+)?\[[^\]]*\]\(#[^)]*\)\s*"  # a jump within the article
)
NAVIGATION = re.compile(
    r"\W*(?:in this article|on this page|(?:table of )?contents|en este art[ií]culo|in diesem artikel|dans cet article"
    r"|neste artigo)\W*"
    r"|(?:\W*(?:see also|see|related(?: articles)?|read more|back to|siehe auch|v[eé]ase(?: tambi[eé]n)?|voir aussi"
    r"|veja tamb[eé]m))?(?:[\s|·,;:>/*-]*\[[^\]]*\]\([^)]*\))+[\s.|]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something to show whole; `parts` are its verbatim runs, more than one where a line between was left out.

    A list is one piece of kind ITEM whose parts are its steps.
    """

    kind: BlockKind
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the Markdown to show."""
        return "\n".join(self.parts)

    @property
    def announces(self) -> bool:
        """Whether it only introduces what follows: "Follow these steps:"."""
        return self.kind is BlockKind.PARAGRAPH and self.text.rstrip("*_ ").endswith(":")


@lru_cache(maxsize=REMEMBERED)
def pieces_of(markdown: str) -> tuple[Piece, ...]:
    """Return what a passage says, in order; consecutive list items are one piece."""
    shown = [piece for block in blocks_of(markdown) if (piece := _piece(block))]
    return tuple(_lists_whole(shown))


@lru_cache(maxsize=REMEMBERED)
def without_overlap(markdown: str, before: str) -> tuple[Piece, ...]:
    """Return the pieces of a passage that do not repeat the end of the passage *before* it."""
    known = unspaced(before)
    blocks = list(blocks_of(markdown))
    while blocks and unspaced(blocks[0].text) in known:
        del blocks[0]
    kept = "\n".join(block.joint.strip(" ") + block.text for block in blocks)
    if not blocks or blocks[0].kind is not BlockKind.PARAGRAPH:
        return pieces_of(kept)
    sentences = sentences_of(blocks[0].text)
    fresh = next((i for i, sentence in enumerate(sentences) if unspaced(sentence) not in known), 0)
    return pieces_of(kept[kept.index(sentences[fresh]) :])


@lru_cache(maxsize=REMEMBERED)
def lead_of(markdown: str) -> tuple[str, ...]:
    """Return the first two sentences, without Markdown's signs."""
    first = next((piece.text for piece in pieces_of(markdown)), "")
    return sentences_of(plain_text(first))[:2]


def within(piece: Piece, budget: int) -> Piece | None:
    """Return the steps of a list that fit into *budget* characters; None when none does, or it is no list."""
    if piece.kind is not BlockKind.ITEM:
        return None
    kept: list[str] = []
    for step in _steps(piece.parts):
        budget -= sum(len(part) + 1 for part in step)
        if budget < 0:
            break
        kept.extend(step)
    return Piece(kind=piece.kind, parts=tuple(kept)) if kept else None


def unspaced(text: str) -> str:
    """Return *text* with every run of white space as one space."""
    return " ".join(text.split())


def _piece(block: Block) -> Piece | None:
    lines = block.text.split("\n")
    if block.kind is BlockKind.FENCE:
        return Piece(kind=block.kind, parts=(block.text,))
    runs = ["\n".join(run).strip("\n") for unseen, run in _runs(lines) if not unseen]
    parts = tuple(run for run in runs if run.strip())
    says_nothing = not plain_text("\n".join(parts)) or (
        block.kind is not BlockKind.ITEM and NAVIGATION.fullmatch("\n".join(parts)) is not None
    )
    return None if says_nothing else Piece(kind=block.kind, parts=parts)


def _runs(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    for unseen, run in groupby(lines, key=lambda line: UNSEEN_LINE.fullmatch(line) is not None):
        yield unseen, list(run)


def _lists_whole(pieces: Sequence[Piece]) -> Iterator[Piece]:
    for is_list, group in groupby(pieces, key=lambda piece: piece.kind is BlockKind.ITEM):
        if is_list:
            yield Piece(kind=BlockKind.ITEM, parts=tuple(part for piece in group for part in piece.parts))
        else:
            yield from group


def _steps(parts: Sequence[str]) -> Iterator[list[str]]:
    """Put the parts that an image divided back into their step."""
    step: list[str] = []
    for part in parts:
        if step and STEP_START.match(part):
            yield step
            step = []
        step.append(part)
    yield step

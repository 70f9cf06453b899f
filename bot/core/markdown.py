"""Markdown as support articles use it: blocks in reading order, sentences, and the words without the signs.

A splitter, not a renderer: it must never fail and never lose text, and it need not agree with CommonMark's corner cases.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class BlockKind(StrEnum):
    """What a block is, because each kind is divided in its own way."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"
    FENCE = "fence"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of Markdown; `joint` is what separates it from the block before it, `level` a heading's depth."""

    kind: BlockKind
    text: str
    joint: str = "\n\n"
    level: int = 0


_ENDS_IN_QUESTION = re.compile(r"\?[\"')\]*_\u201d\u2019\s]*$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_CLOSING_SIGNS = re.compile(r"(?:^|[ \t])#+$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*)")
_ITEM = re.compile(r" {0,3}(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+\S.*|[ \t]*)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_QUOTE = re.compile(r" {0,3}>")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]*_]{0,3}\s+|(?<=[。\uff01\uff1f])|\n+")


def blocks_of(markdown: str) -> tuple[Block, ...]:
    """Split *markdown* into blocks; thematic breaks and blank lines are left out."""
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(_read_blocks(lines))


def _read_blocks(lines: list[str]) -> Iterator[Block]:
    at = 0
    after_item = False
    while at < len(lines):
        end, block = _next_block(lines, at)
        if block is not None:
            is_item = block.kind is BlockKind.ITEM
            joint = "\n" if is_item and after_item else "\n\n"
            yield Block(kind=block.kind, text=block.text, joint=joint, level=block.level)
            after_item = is_item
        at = end


def _next_block(lines: list[str], at: int) -> tuple[int, Block | None]:
    """Read the block that starts at line *at*; return the line after it."""
    line = lines[at]
    if not line.strip() or _RULE.fullmatch(line):
        return at + 1, None
    if heading := _HEADING.fullmatch(line):
        text = _CLOSING_SIGNS.sub("", (heading[2] or "").strip()).strip()
        return at + 1, Block(kind=BlockKind.HEADING, text=text, level=len(heading[1])) if text else None
    kind, end = _extent(lines, at)
    text = "\n".join(lines[at:end]).strip("\n").rstrip()
    if kind is BlockKind.PARAGRAPH and end < len(lines) and (mark := _UNDERLINE.fullmatch(lines[end])):
        level = 1 if mark[1].startswith("=") else 2
        return end + 1, Block(kind=BlockKind.HEADING, text=" ".join(text.split()), level=level)
    return end, Block(kind=kind, text=text.strip() if kind is BlockKind.PARAGRAPH else text)


def _extent(lines: list[str], at: int) -> tuple[BlockKind, int]:
    if fence := _FENCE.fullmatch(lines[at]):
        return BlockKind.FENCE, _fence_end(lines, at, fence[1])
    if _ITEM.fullmatch(lines[at]):
        return BlockKind.ITEM, _item_end(lines, at)
    if _starts_table(lines, at):
        return BlockKind.TABLE, _run_end(lines, at, re.compile(r".*\|.*"))
    if _QUOTE.match(lines[at]):
        return BlockKind.QUOTE, _run_end(lines, at, re.compile(r" {0,3}>.*"))
    return BlockKind.PARAGRAPH, _paragraph_end(lines, at)


def _starts_table(lines: list[str], at: int) -> bool:
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return "|" in lines[at] and "|" in below and _TABLE_RULE.fullmatch(below) is not None


def _run_end(lines: list[str], at: int, member: re.Pattern[str]) -> int:
    end = at + 1
    while end < len(lines) and member.fullmatch(lines[end]):
        end += 1
    return end


def _fence_end(lines: list[str], at: int, mark: str) -> int:
    """Find the line after the closing fence; an unclosed one ends with the article."""
    closing = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    for end in range(at + 1, len(lines)):
        if closing.fullmatch(lines[end]):
            return end + 1
    return len(lines)


def _item_end(lines: list[str], at: int) -> int:
    """Find the line after a list item: indented lines and blank lines before them belong to it."""
    end = at + 1
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            after = next((n for n in range(end, len(lines)) if lines[n].strip()), len(lines))
            if after == len(lines) or not lines[after].startswith(("  ", "\t")):
                return end
            end = after
        elif not line.startswith(("  ", "\t")) and _interrupts(lines, end):
            return end
        elif fence := _FENCE.fullmatch(line):
            end = _fence_end(lines, end, fence[1])
        else:
            end += 1
    return end


def _paragraph_end(lines: list[str], at: int) -> int:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _interrupts(lines, end):
        end += 1
    return end


def _interrupts(lines: list[str], at: int) -> bool:
    """Tell whether the line at *at* begins a block even without a blank line before it."""
    line = lines[at]
    starts = (_HEADING, _FENCE, _ITEM, _RULE, _UNDERLINE)
    return (
        any(start.fullmatch(line) for start in starts) or bool(_QUOTE.match(line)) or _starts_table(lines, at)
    )


def lines_of(text: str) -> tuple[str, ...]:
    """Split text into lines, leaving code samples whole."""
    lines = text.split("\n")
    parts: list[str] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        end = _fence_end(lines, at, fence[1]) if fence else at + 1
        parts.append("\n".join(lines[at:end]))
        at = end
    return tuple(parts)


def ends_in_question(text: str) -> bool:
    """Return whether a text ends with a question, whatever closes it: "(Is it **tomorrow?**)" does."""
    return _ENDS_IN_QUESTION.search(text) is not None


def sentences_of(text: str) -> tuple[str, ...]:
    """Split running text at the ends of sentences and lines, leaving nothing out but white space."""
    ends = [0, *(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]
    return tuple(part for start, end in pairwise(ends) if (part := text[start:end].strip()))


_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$", re.MULTILINE), ""),
    (re.compile(r"^(?:[ \t]*>)+[ \t]?(?:\[![A-Za-z]+\])?", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*(?:[-*+•][ \t]+|#{1,6}[ \t]+)", re.MULTILINE), ""),
    (re.compile(r"!?\[([^\[\]\n]{0,400})\]\([^()\n]{0,2000}(?:\([^()\n]{0,400}\)[^()\n]{0,400})?\)"), r"\1"),
    (re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>"), r"\1"),
    (re.compile(r"(\*{1,3})(?=\S)([^*\n]{1,400})(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)([^_\n]{1,400})(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"~~(?=\S)([^~\n]{1,400})~~"), r"\1"),
    (re.compile(r"`+"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def plain_text(markdown: str) -> str:
    """Return the words without Markdown's signs: links and images as their text, numbers of steps kept."""
    text = _FENCE_LINE.sub("", markdown)
    for sign, instead in _SIGNS:
        text = sign.sub(instead, text)
    lines = (" ".join(line.replace("|", " ").split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)

"""Long texts in parts that Slack takes: at a paragraph, a line, a sentence or a word, and never inside a sign. Pure.

Lengths are counted as Slack's clients count, in UTF-16 units, so that a part is never longer than it looks here.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

FENCE = "```"
_ENDS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])[\"')\]*_]{0,3}\s+|(?<=[。\uff01\uff1f])"),
    re.compile(r"\s+"),
)
_SIGN = re.compile(r"&(?:amp|lt|gt);|<[^<>\n]*>")
_LONGEST_SIGN = 2_500  # an address with its label
_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")


def size(text: str) -> int:
    """Return how long Slack takes a text to be."""
    return len(text) + sum(character > "\uffff" for character in text)


def fits(text: str, limit: int) -> bool:
    """Tell whether a text is short enough."""
    return size(text) <= limit


def beginning(text: str, limit: int) -> str:
    """Return as much of a text as is short enough, whatever it ends with."""
    return text[: _reach(text, limit)]


def shortened(text: str, limit: int) -> str:
    """Return the beginning of a text, whole words where there are some; what was left out shows as an ellipsis."""
    if fits(text, limit):
        return text
    return f"{text[: _cut(text, limit - 2, _ENDS[-1:])].rstrip()} …"


def split_plain(text: str, limit: int) -> tuple[str, ...]:
    """Return the parts of a text in which no sign means anything; none for a text without words."""
    return tuple(part for part in _parts(text, limit) if part.strip())


def split_mrkdwn(text: str, limit: int) -> tuple[str, ...]:
    """Return the parts of mrkdwn; a code fence that has to be parted is closed and opened again."""
    return tuple(part for part in _fenced(_parts(text, limit - 2 * len(FENCE) - 2)) if _says(part))


def _says(part: str) -> bool:
    return bool(part.replace(FENCE, "").strip())


def _fenced(parts: Iterator[str]) -> Iterator[str]:
    is_open = False
    for part in parts:
        opened = f"{FENCE}\n{part}" if is_open else part
        is_open = opened.count(FENCE) % 2 == 1
        yield f"{opened}\n{FENCE}" if is_open else opened


def _parts(text: str, limit: int) -> Iterator[str]:
    rest = text.strip("\n")
    while not fits(rest, limit):
        at = _cut(rest, limit)
        yield rest[:at].rstrip()
        rest = rest[at:].lstrip("\n")
    yield rest


def _cut(text: str, limit: int, ends: Sequence[re.Pattern[str]] = _ENDS) -> int:
    """Return where to part a text: as late as the limit allows, at the best end in the last three quarters of it."""
    reach = _reach(text, limit)
    for end in ends:
        places = [found.end() for found in end.finditer(text, 0, reach) if found.end() > reach // 4]
        places = [place for place in places if not _is_inside_sign(text, place)]
        if places:
            return places[-1]
    return _anywhere(text, reach)


def _reach(text: str, limit: int) -> int:
    used = 0
    for at, character in enumerate(text):
        used += 2 if character > "\uffff" else 1
        if used > limit:
            return at
    return len(text)


def _anywhere(text: str, reach: int) -> int:
    """Return a place that parts no sign and no letter from its marks; a sign that is as long as a part is parted all the same."""
    at = reach
    while at > 1 and (_is_inside_sign(text, at) or _belongs_together(text, at)):
        at -= 1
    return at if at > 1 else max(reach, 1)


def _belongs_together(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at] if at < len(text) else ""
    is_mark = bool(after) and (after in _JOINERS or unicodedata.combining(after) > 0)
    return is_mark or before == "\u200d" or (before == after == "`")


def _is_inside_sign(text: str, at: int) -> bool:
    starts = (text.rfind(mark, max(0, at - _LONGEST_SIGN), at) for mark in "&<")
    signs = (_SIGN.match(text, start) for start in starts if start >= 0)
    return any(sign is not None and sign.end() > at for sign in signs)

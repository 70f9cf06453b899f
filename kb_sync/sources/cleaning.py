"""What an author delivered to the Markdown that is stored: HTML becomes Markdown, what readers cannot see is removed.

Code is left as it is. Images become their descriptions, addresses stay (FAULTS K12). What was cleaned once stays as it is.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb_sync.sources.html_elements import BLOCKS, begins_with_block, decoded, depth_after, holds_element
from kb_sync.sources.html_markdown import markdown_of_html, markdown_of_pieces

CLEANER = "2"  # part of an article's digest: a change here means that every article is cleaned again

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e01ef]"
)
_JOINERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]+")
_AS_PICTURE = "\ufe0e\ufe0f"
_JOINER = "\u200d"
_MARKS = re.compile("[\ue000\ue001]")  # private characters that stand around the number of a piece of code
_MARK = re.compile("\ue000([0-9]+)\ue001")
_OPENING = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}(?=[^`\n]*$))"
    r"|(?<!`)(?P<ticks>`{1,5})(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`)"
    r"|\\[\\<&!\[\]`]"
    r"|(?P<comment><!--)",
    re.MULTILINE,
)
_COMMENT_END = re.compile(r"--!?>")
_LINE_START = re.compile(r"(?:\A|\n) {0,3}\Z")
_NEEDS_WORK = re.compile(r"[<&]|!\[|\]\(#|\{[.#:]|\[\s{0,20}\]\(")
_LINE = re.compile(r"^(?=.)", re.MULTILINE)
_ALL_HTML = re.compile(rf"\s*<(?:!doctype|{'|'.join(sorted(BLOCKS))})\b.*>\s*", re.IGNORECASE | re.DOTALL)
_PAGE = re.compile(r"\s*<(?:!doctype|html|body|main|article)\b", re.IGNORECASE)
_TEXT_OUTSIDE = re.compile(r"\n[ \t]*\n[ \t]*[^<\s]")
_UNTIDY = re.compile(r"\n(?:(?<=[^\S\n]\n)|\n\n)")
_PARAGRAPH_END = re.compile(r"(\n[ \t]*\n)")
_IMAGE = re.compile(r"!\[([^\[\]]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")
_LINK_IN_PAGE = re.compile(r"\[([^\[\]\n]{1,500})\]\(#[^()\s]{0,500}\)")
_ATTRIBUTES = re.compile(r"(?<=\))\{[.#:][^{}\n]{0,200}\}|^\{[.#:][^{}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_HEADING_ID = re.compile(
    r"^( {0,3}#{1,6} [^\n]{0,500}?)[ \t]{0,20}\{[.#:][^{}\n]{0,200}\}(?=[ \t#]{0,20}$)", re.MULTILINE
)
_EMPTY_LINK = re.compile(r"(?<!!)\[\s{0,20}\]\([^()\n]{0,2000}\)")
_MOST_ROUNDS = 6  # what was taken out may leave a tag or an image behind that its parts make up


def cleaned(text: str) -> str:
    """Return *text* as Markdown without HTML, hidden text, invisible characters or images."""
    text = _tidied(normal_form(text))
    for _ in range(_MOST_ROUNDS):
        if not _NEEDS_WORK.search(text):
            break
        again = _tidied(normal_form(_once_cleaned(_MARKS.sub("", text))))
        if again == text:
            break
        text = again
    return text


def cleaned_html(html: str, *, base_url: str = "") -> str:
    """Return an article that is all HTML as clean Markdown; links within its site are completed from *base_url*."""
    return cleaned(markdown_of_html(normal_form(html), base_url=base_url))


def is_html(text: str) -> bool:
    """Return whether an article is all HTML: a page, or blocks from beginning to end with no paragraph outside."""
    is_blocks = _ALL_HTML.fullmatch(text) is not None and _TEXT_OUTSIDE.search(text) is None
    return is_blocks or _PAGE.match(text) is not None


def normal_form(text: str) -> str:
    """Return *text* composed (NFC), with LF alone between lines and without characters that show nothing."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return unicodedata.normalize("NFC", _JOINERS.sub(_as_needed, _INVISIBLE.sub("", text)))


def _as_needed(found: re.Match[str]) -> str:
    """Keep of joiners and variants what one sign can use: behind other scripts and pictures one, or a picture's pair."""
    run = found[0]
    if found.start() == 0 or found.string[found.start() - 1] <= "\x7f":
        return run[0] if run[0] in _AS_PICTURE else ""
    return run if run[0] in _AS_PICTURE and run[1:] == _JOINER else run[0]


def _once_cleaned(text: str) -> str:
    marked = _Marked.of(text)
    text = _without_html(marked) if "<" in marked.text or "&" in marked.text else marked.text
    text = _LINK_IN_PAGE.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _HEADING_ID.sub(r"\1", _ATTRIBUTES.sub("", text))
    return marked.restored(_EMPTY_LINK.sub("", text))


def _without_html(marked: "_Marked") -> str:
    if not holds_element(marked.text):
        return decoded(marked.text)
    return "".join(_without_elements(region, marked) for region in _regions(marked.text))


def _without_elements(region: str, marked: "_Marked") -> str:
    if not holds_element(region):
        return decoded(region)
    markdown = markdown_of_pieces(region.strip(), marked.restored)
    before = region[: len(region) - len(region.lstrip())]
    indent = before.rpartition("\n")[2]
    lines = [line for line in region.split("\n") if line.strip()]
    if begins_with_block(region) and len(indent) < 4 and all(line.startswith(indent) for line in lines):
        return before + _LINE.sub(indent, markdown).removeprefix(
            indent
        )  # it belongs to the list item above it
    return before + markdown


def _regions(text: str) -> Iterator[str]:
    """Split *text* between paragraphs where no element is open: the converter reads only what holds HTML."""
    depth = 0
    held: list[str] = []
    for part in _PARAGRAPH_END.split(text):
        held.append(part)
        depth = depth_after(part, depth)
        if not depth:
            yield "".join(held)
            held.clear()
    yield "".join(held)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marked:
    """Markdown without comments, in which marks stand for code and for signs that a backslash makes text."""

    text: str
    pieces: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "_Marked":
        pieces: list[str] = []
        parts: list[str] = []
        last_end = max(text.rfind("-->"), text.rfind("--!>"))
        at = 0
        while found := _OPENING.search(text, at):
            parts.append(text[at : found.start()])
            at = _end_of(found, last_end)
            if not found["comment"]:
                parts.append(f"\ue000{len(pieces)}\ue001")
                pieces.append(text[found.start() : at])
            elif at == found.end():
                parts.append(found[0])
        return cls(text="".join((*parts, text[at:])), pieces=pieces)

    def restored(self, text: str) -> str:
        return _MARK.sub(lambda found: self.pieces[int(found[1])], text)


def _end_of(found: re.Match[str], last_comment_end: int) -> int:
    """Return where a comment, a fenced sample or anything else ends; one that nothing ends goes on to the end.

    A comment that begins within a line and never ends is text, as Markdown has it.
    """
    text, start = found.string, found.start()
    if fence := found["fence"]:
        closing = re.compile(rf"^[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*$", re.MULTILINE)
        end = closing.search(text, found.end())
        return end.end() if end else len(text)
    if not found["comment"]:
        return found.end()
    if end := _COMMENT_END.search(text, start + 2) if last_comment_end >= start + 2 else None:
        return end.end()
    return len(text) if _LINE_START.search(text[max(start - 4, 0) : start]) else found.end()


def _tidied(text: str) -> str:
    """Leave out white space at the ends of lines, and all but one of several blank lines."""
    if not _UNTIDY.search(text):
        return text.rstrip().strip("\n")
    lines: list[str] = []
    for line in text.split("\n"):
        trimmed = line.rstrip()
        if trimmed or (lines and lines[-1]):
            lines.append(trimmed)
    return "\n".join(lines).strip("\n")

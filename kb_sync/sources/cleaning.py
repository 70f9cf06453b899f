"""What an author delivered to the Markdown that is stored: HTML becomes Markdown, what readers cannot see is removed.

Code is left as it is. Images become their descriptions, addresses stay (FAULTS K12).
"""

import re
import unicodedata

from kb_sync.sources.html_text import html_to_markdown

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e01ef]"
)
_MARK = ("\ue000", "\ue001")  # private characters that stand for a piece of code while HTML is read
_MARKS = re.compile("[\ue000\ue001]")
_CODE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[^\n`]*\n(?:.*\n)*?[ \t]*(?P=fence)[`~]*[ \t]*$"
    r"|(?<!`)(?P<ticks>`{1,3})(?!`)[^`\n]+(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE,
)
_IMAGE = re.compile(r"!\[([^\[\]]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")
_LINK_IN_PAGE = re.compile(r"\[([^\[\]\n]{1,500})\]\(#[^()\s]{0,500}\)")
_ATTRIBUTES = re.compile(r"(?<=\))\{[.#:][^{}\n]{0,200}\}|^\{[.#:][^{}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_EMPTY_LINK = re.compile(r"(?<!!)\[\s{0,20}\]\([^()\n]{0,2000}\)")


def cleaned(text: str) -> str:
    """Return *text* as Markdown without HTML, hidden text, invisible characters or images."""
    text = normal_form(text)
    if "<" in text or "&" in text:
        text = _without_html(text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK_IN_PAGE.sub(r"\1", text)
    text = _ATTRIBUTES.sub("", _EMPTY_LINK.sub("", text))
    return "\n".join(_trimmed_lines(text)).strip("\n")


def normal_form(text: str) -> str:
    """Return *text* composed (NFC), with LF alone between lines and without characters that show nothing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


def _without_html(text: str) -> str:
    pieces: list[str] = []

    def keep(found: re.Match[str]) -> str:
        pieces.append(found[0])
        return f"{_MARK[0]}{len(pieces) - 1}{_MARK[1]}"

    marked = html_to_markdown(_CODE.sub(keep, _MARKS.sub("", text)))
    return re.sub(f"{_MARK[0]}([0-9]+){_MARK[1]}", lambda found: pieces[int(found[1])], marked)


def _trimmed_lines(text: str) -> list[str]:
    """Leave out white space at the ends of lines, and all but one of several blank lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        trimmed = line.rstrip()
        if trimmed or (lines and lines[-1]):
            lines.append(trimmed)
    return lines

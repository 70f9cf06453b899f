"""HTML inside Markdown to Markdown: tables, lists, links and headings keep their meaning, hidden elements go.

An angle bracket that opens no HTML element, such as <port> in a command, is text and stays.
"""

import re
from html import unescape
from html.parser import HTMLParser

from kb_sync.sources.html_elements import AROUND, KNOWN, UNSEEN, VOID

Attributes = list[tuple[str, str | None]]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BREAK_AT_LINE_END = re.compile(r"<br\s*/?>[ \t]*(?=\n)", re.IGNORECASE)
_NO_TAG = re.compile(r"""<(?!/?[A-Za-z](?>[^<>"']+|"[^"]*"|'[^']*')*+>)""")
_NO_ENTITY = re.compile(r"&(?!#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
_HIDING = re.compile(
    r"display:none|visibility:hidden|(?:font-size|opacity):0(?![.\d]*[1-9])"
    r"|(?<![-\w])color:(?:white\b|transparent\b|#fff(?:fff)?\b|rgba?\(255,255,255)"
)
_SAFE_SCHEME = re.compile(r"(?:https?:|mailto:|tel:|[^:]*(?:[/?]|$))", re.IGNORECASE)


def html_to_markdown(text: str) -> str:
    """Return *text* with its HTML as Markdown; any text gives a result."""
    # What is no tag or entity is escaped first: the parser would drop an unfinished tag with all that follows it,
    # and read the "&copy" of an address as a sign.
    text = _NO_ENTITY.sub("&amp;", _NO_TAG.sub("&lt;", _without_comments(text)))
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.markdown()


def _without_comments(text: str) -> str:
    return _BREAK_AT_LINE_END.sub("", _COMMENT.sub("", text))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out = _Lines()
        self._hidden: list[str] = []  # open elements, from the hidden one inwards
        self._links: list[str] = []
        self._opens_link = False  # the bracket waits for the link's first word, because a link may hold none
        self._lists: list[int] = []  # the next number of each open list, 0 for bullets
        self._tables: list[_Table] = []

    def markdown(self) -> str:
        while self._tables:
            self._end_table()
        return self._out.text()

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag not in KNOWN:
            self.handle_data(unescape(self.get_starttag_text() or ""))
        elif self._hidden or tag in UNSEEN or _is_hidden(attributes):
            if tag not in VOID:
                self._hidden.append(tag)
        elif tag in AROUND:
            self._begin(AROUND[tag][0])
        else:
            self._open(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                pass
        elif self._hidden or tag in VOID:
            return
        elif tag not in KNOWN:
            self._write(f"</{tag}>")
        elif tag in AROUND:
            self._begin(AROUND[tag][1])
        else:
            self._close(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._write(data)

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "a":
                self._links.append(_target(attributes.get("href", "")))
                self._opens_link = bool(self._links[-1])
            case "img":
                self._write(attributes.get("alt", ""))
            case "table":
                self._tables.append(_Table())
            case "tr" | "td" | "th" if self._tables:
                self._tables[-1].begin(tag)
            case "ul" | "ol":
                self._begin("\n\n")
                self._lists.append(1 if tag == "ol" else 0)
            case "li":
                self._begin(f"\n{self._bullet()}")
            case "code":
                self._write("`")
            case _:
                pass  # a row or cell outside a table

    def _close(self, tag: str) -> None:
        match tag:
            case "a" if self._links:
                target = self._links.pop()
                self._write(f"]({target})" if target and not self._opens_link else "")
                self._opens_link = False
            case "table" if self._tables:
                self._end_table()
            case "ul" | "ol":
                del self._lists[-1:]
                self._begin("\n\n")
            case "code":
                self._write("`")
            case _:
                pass  # rows, cells and items end where the next one begins

    def _bullet(self) -> str:
        indent = "   " * max(len(self._lists) - 1, 0)
        if not self._lists or not self._lists[-1]:
            return f"{indent}* "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1] - 1}. "

    def _begin(self, sign: str) -> None:
        if self._tables:
            self._tables[-1].write(" ")
        else:
            self._out.begin(sign)

    def _write(self, text: str) -> None:
        if self._opens_link and text.strip():
            text = f"[{text.lstrip()}"
            self._opens_link = False
        if self._tables:
            self._tables[-1].write(text)
        else:
            self._out.write(text)

    def _end_table(self) -> None:
        """Write the innermost table; one within a cell becomes part of that cell's text."""
        table = self._tables.pop().markdown()
        self._begin("\n\n")
        self._write(table)
        self._begin("\n\n")


class _Lines:
    """Text under way. Indentation after a sign that begins a line was the HTML's: Markdown would read it as code."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._is_fresh = False
        self._line = (
            ""  # the start of the current line, enough to tell whether it is a row of a Markdown table
        )

    def text(self) -> str:
        return "".join(self._parts)

    def begin(self, sign: str) -> None:
        if self._line.startswith("|"):
            self._add(" ")
        else:
            self._add(sign)
            self._is_fresh = True

    def write(self, text: str) -> None:
        text = text.lstrip() if self._is_fresh else text
        if text:
            self._add(text)
            self._is_fresh = False

    def _add(self, text: str) -> None:
        self._parts.append(text)
        _, newline, line = text.rpartition("\n")
        self._line = (line if newline else self._line + line).lstrip()[:1]


class _Table:
    def __init__(self) -> None:
        self._rows: list[list[str]] = []
        self._around: list[str] = []

    def begin(self, tag: str) -> None:
        if tag == "tr" or not self._rows:
            self._rows.append([])
        if tag != "tr":
            self._rows[-1].append("")

    def write(self, text: str) -> None:
        if self._rows and self._rows[-1]:
            self._rows[-1][-1] += text
        else:
            self._around.append(text)

    def markdown(self) -> str:
        rows = [cells for row in self._rows if any(cells := [_cell(text) for text in row])]
        lines = [f"| {' | '.join(cells)} |" for cells in rows]
        if lines:
            lines.insert(1, "|---" * max(len(cells) for cells in rows) + "|")
        return "\n\n".join(
            part for part in (" ".join("".join(self._around).split()), "\n".join(lines)) if part
        )


def _cell(text: str) -> str:
    return " ".join(text.replace("|", " ").split())


def _is_hidden(attributes: dict[str, str]) -> bool:
    style = "".join(attributes.get("style", "").lower().split())
    return "hidden" in attributes or _HIDING.search(style) is not None


def _target(href: str) -> str:
    href = href.strip()
    if not href or href.startswith("#") or not _SAFE_SCHEME.match(href):
        return ""
    return href.replace(" ", "%20").replace("(", "%28").replace(")", "%29")

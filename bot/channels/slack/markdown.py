"""The bot's Markdown as Slack's mrkdwn. Pure.

Slack has no headings, tables, images or nested lists; they become bold lines, aligned code, links and indented lines. Raw HTML stays
text, as everywhere, and a link that a customer may not follow is its label.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.channels.rendering import safe_url
from bot.channels.slack.mrkdwn import link, literal
from bot.channels.slack.splitting import FENCE

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKS = {"strong": "*", "em": "_", "s": "~"}
_BULLETS = ("•", "◦", "▪")
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}
_INDENT = "    "
_RULE = "———"
_BOUNDARY = "\u200b"  # lets a mark begin or end within a word
_NO_MARKS: frozenset[str] = frozenset()


def to_mrkdwn(markdown: str, *, site: str = "") -> str:
    """Return mrkdwn; *site* is where our own pages of articles are read, empty when nobody outside can reach them."""
    tree = SyntaxTreeNode(_PARSER.parse(markdown))
    return _blocks(tree.children, site)


def followable(url: str, *, site: str = "") -> str | None:
    """Return the whole address of a link that a reader in Slack may follow; None otherwise."""
    safe = safe_url(url)
    if safe is None or not safe.startswith("/"):
        return safe
    return f"{site.rstrip('/')}{safe}" if site else None


def _blocks(nodes: Iterable[SyntaxTreeNode], site: str) -> str:
    return "\n\n".join(filter(None, (_block(node, site) for node in nodes)))


def _block(node: SyntaxTreeNode, site: str) -> str:
    draw = _DRAWN.get(node.type)
    return draw(node, site) if draw else literal(node.content)


def _paragraph(node: SyntaxTreeNode, site: str) -> str:
    return _inline(node.children, site).strip()


def _heading(node: SyntaxTreeNode, site: str) -> str:
    return _wrapped("*", _inline(node.children, site, frozenset({"*"})).strip())


def _quote(node: SyntaxTreeNode, site: str) -> str:
    lines = _blocks(node.children, site).split("\n")
    return "\n".join(line if line.startswith("> ") else f"> {line}".rstrip() for line in lines)


def _fence(node: SyntaxTreeNode, _site: str) -> str:
    return fenced(node.content)


def fenced(text: str) -> str:
    """Return text as a block of code, in which nothing is a sign."""
    code = text.strip("\n").replace(FENCE, "\u02cb" * len(FENCE))
    safe = code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"{FENCE}\n{safe}\n{FENCE}" if code.strip() else ""


def _list(node: SyntaxTreeNode, site: str) -> str:
    first = int(str(node.attrs.get("start", 1))) if node.type == "ordered_list" else None
    depth = sum(1 for up in _above(node) if up.type in ("bullet_list", "ordered_list"))
    bullet = _BULLETS[min(depth, len(_BULLETS) - 1)]
    signs = (bullet if first is None else f"{first + at}." for at in range(len(node.children)))
    return "\n".join(_item(item, sign, site) for sign, item in zip(signs, node.children, strict=True))


def _item(node: SyntaxTreeNode, sign: str, site: str) -> str:
    lines = "\n".join(filter(None, (_block(child, site) for child in node.children))).split("\n")
    return "\n".join([f"{sign} {lines[0]}".rstrip(), *_indented(lines[1:])])


def _indented(lines: Iterable[str]) -> Iterable[str]:
    """Indent the lines of an item, but for code, whose own indents count."""
    is_code = False
    for line in lines:
        is_fence = line == FENCE
        yield line if is_code or is_fence or not line else f"{_INDENT}{line}"
        is_code ^= is_fence


def _above(node: SyntaxTreeNode) -> Iterable[SyntaxTreeNode]:
    while node.parent is not None:
        node = node.parent
        yield node


def _table(node: SyntaxTreeNode, site: str) -> str:
    cells = [row.children for part in node.children for row in part.children]
    rows = [[_cell(cell, site) for cell in row] for row in cells]
    columns = [
        (max(map(_width, column)), str(head.attrs.get("style", "")).endswith("right"))
        for head, column in zip(cells[0], zip_longest(*rows, fillvalue=""), strict=True)
    ]
    rule = "-+-".join("-" * width for width, _ in columns)
    lines = [_row(row, columns) for row in rows]
    return fenced("\n".join([lines[0], rule, *lines[1:]]))


def _row(cells: Sequence[str], columns: Sequence[tuple[int, bool]]) -> str:
    """Return one line of a table; of each column it gives the width, and whether its cells stand on the right."""
    padded = (_padded(cell, column) for cell, column in zip(cells, columns, strict=False))
    return " | ".join(padded).rstrip()


def _padded(cell: str, column: tuple[int, bool]) -> str:
    width, is_right = column
    space = " " * (width - _width(cell))
    return f"{space}{cell}" if is_right else f"{cell}{space}"


def _cell(node: SyntaxTreeNode, site: str) -> str:
    return " ".join("".join(_words(child, site) for child in node.children).split())


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _words(node: SyntaxTreeNode, site: str) -> str:
    """Return what an inline node says without marks; a link is followed by its address."""
    if node.type in ("softbreak", "hardbreak"):
        return " "
    said = "".join(_words(child, site) for child in node.children) if node.children else node.content
    url = followable(str(node.attrs.get("href", "")), site=site) if node.type == "link" else None
    return f"{said} ({url})" if url and url != said else said


def _inline(nodes: Sequence[SyntaxTreeNode], site: str, marks: frozenset[str] = _NO_MARKS) -> str:
    said = ""
    for node in nodes:
        said = _joined(said, _span(node, site, marks))
    return said


def _joined(said: str, more: str) -> str:
    """Put two spans together so that a mark formats although it stands within a word."""
    touches = bool(said and more) and (
        (said[-1].isalnum() and more[0] in "*_~`") or (more[0].isalnum() and said[-1] in "*_~`")
    )
    return f"{said}{_BOUNDARY if touches else ''}{more}"


def _span(node: SyntaxTreeNode, site: str, marks: frozenset[str]) -> str:
    if node.type == "inline":
        return _inline(node.children, site, marks)
    if node.type in _MARKS:
        return _marked(node, site, marks)
    if node.type in ("link", "image"):
        return _link(node, site)
    if node.type == "code_inline":
        return _wrapped("`", _code(node.content))
    return _BREAKS.get(node.type) or literal(node.content)


def _marked(node: SyntaxTreeNode, site: str, marks: frozenset[str]) -> str:
    mark = _MARKS[node.type]
    said = _inline(node.children, site, marks | {mark})
    return said if mark in marks else _wrapped(mark, said)


def _wrapped(mark: str, text: str) -> str:
    """Put a mark around each line, because none reaches over a line's end; white space stays outside."""
    return "\n".join(_wrapped_line(mark, line) for line in text.split("\n"))


def _wrapped_line(mark: str, line: str) -> str:
    said = line.strip()
    if not said:
        return line
    start = line.index(said)
    return f"{line[:start]}{mark}{said}{mark}{line[start + len(said) :]}"


def _code(text: str) -> str:
    return text.replace("`", "\u02cb").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _link(node: SyntaxTreeNode, site: str) -> str:
    label = "".join(_words(child, "") for child in node.children) or node.content
    url = followable(str(node.attrs.get("href") or node.attrs.get("src") or ""), site=site)
    return link(url, label) if url else literal(label)


_DRAWN: Mapping[str, Callable[[SyntaxTreeNode, str], str]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quote,
    "fence": _fence,
    "code_block": _fence,
    "table": _table,
    "hr": lambda _node, _site: _RULE,
}

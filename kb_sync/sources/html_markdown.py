"""HTML to Markdown through markdownify: what is hidden is taken out first, and some elements are written our way.

In an article that is Markdown, text outside elements, and text within one that has blank lines, is Markdown already
and keeps its lines; all other text is HTML's, where white space is a space.
"""

import re
from collections.abc import Callable, Set
from urllib.parse import urljoin

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, Tag
from markdownify import MarkdownConverter

from kb_sync.sources.html_elements import BLOCKS, KNOWN, elements_only, literal
from kb_sync.sources.html_hiding import remove_hidden
from kb_sync.sources.html_tables import Cell, inner_table_of, open_layouts, table_of

_ROOT = "article-text"
_ROW = "markdown-row"
_ROWS = re.compile(r"^[ \t]*\|.*<.*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_LINE = re.compile(r"^(?=.)", re.MULTILINE)
_INDENT_AFTER_BLOCK = re.compile(r"\A[ \t]+(?=\S)")
_ESCAPE = re.compile(r"\\([\\<&!\[\]`])")
_TICKS = re.compile("`+")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|brush|highlight-source)[-:]\s*([A-Za-z0-9+#_-]{1,30})")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE_SCHEMES = frozenset({"http:", "https:", "mailto:", "tel:"})
_IN_TARGET = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "|": "%7C", "\\": "%5C", "`": "%60"}
)
_UNSTRESSED = frozenset({"_noformat", "th", *(f"h{level}" for level in range(1, 7))})
_STRONG = frozenset({"b", "strong"})
_STRESSED = frozenset({"em", "i"})
_STRUCK = frozenset({"del", "s", "strike"})


def markdown_of_html(html: str, *, base_url: str = "") -> str:
    """Return an article that is all HTML as Markdown; links that name no site belong to that of *base_url*."""
    return _converted(html, _Converter(base_url=base_url))


def markdown_of_pieces(text: str, restored: Callable[[str], str]) -> str:
    """Return Markdown with HTML in it as Markdown alone; *restored* puts code back where a mark stands for it."""
    rows = _ROWS.sub(lambda row: f"<{_ROW}>{row[0]}</{_ROW}>", elements_only(text))
    return _converted(rows, _Converter(restored=restored))


def _converted(html: str, converter: "_Converter") -> str:
    soup = BeautifulSoup(f"<{_ROOT}>{html}</{_ROOT}>", "lxml")
    remove_hidden(soup)
    open_layouts(soup)
    return converter.convert_soup(soup)


class _Converter(MarkdownConverter):
    """Each method named after an element returns its Markdown; *text* is the Markdown of what it holds."""

    def __init__(self, *, base_url: str = "", restored: Callable[[str], str] | None = None) -> None:
        names = [*KNOWN, _ROW, "[document]"]
        super().__init__(heading_style="ATX", escape_asterisks=False, escape_underscores=False, convert=names)
        self._base_url = base_url
        self._restored = restored
        self._markdown_holders: dict[int, bool] = {}
        self._numbers: dict[int, int] = {}  # of list items, counted once for each list
        self._cells: dict[int, list[Cell]] = {}
        self._rows: dict[int, list[list[Cell]]] = {}

    def process_tag(self, node: Tag, parent_tags: Set[str] | None = None) -> str:
        parents = {*(parent_tags or ()), *({"_inline"} if node.name == _ROW else ())}
        text: str = super().process_tag(node, parent_tags=parents)  # type: ignore[misc]  # the stub leaves it out
        return text

    def process_text(self, el: NavigableString, parent_tags: Set[str] | None = None) -> str:
        parents = parent_tags or frozenset[str]()
        if "_noformat" in parents or not self._is_markdown(el):
            text: str = super().process_text(el, parent_tags=parents)  # type: ignore[misc]  # as above
            return text
        before = el.previous_sibling
        is_after_block = isinstance(before, Tag) and before.name in BLOCKS
        return literal(_INDENT_AFTER_BLOCK.sub("", str(el)) if is_after_block else str(el))

    def escape(self, text: str, parent_tags: Set[str]) -> str:
        return literal(text)

    def convert_block(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        text = text.strip()
        if "_inline" in parent_tags:
            return f" {text} "
        if "_noformat" in parent_tags:
            return f"{text}\n"
        return f"\n\n{text}\n\n" if text else ""

    convert_address = convert_article = convert_aside = convert_body = convert_caption = convert_block
    convert_center = convert_dd = convert_details = convert_dialog = convert_div = convert_dl = convert_block
    convert_dt = convert_fieldset = convert_figcaption = convert_figure = convert_footer = convert_block
    convert_form = convert_header = convert_hgroup = convert_legend = convert_main = convert_block
    convert_nav = convert_p = convert_section = convert_summary = convert_block

    def convert_hr(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return " " if "_inline" in parent_tags else "\n\n---\n\n"

    def convert_br(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return (
            f" {text}" if "_inline" in parent_tags else f" \n{text}"
        )  # the library counts a line that ends in one

    def convert_img(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return literal(" ".join(_attribute(el, "alt").split()))

    def convert_a(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        target = self._target(_attribute(el, "href"))
        words = " ".join(text.split())
        if not target or not words or parent_tags & {"_noformat", "a"}:
            return text
        return _between(text, f"[{words}]({target})")

    def convert_b(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return text if parent_tags & (_STRONG | _UNSTRESSED) else _stressed(el, text, "**")

    def convert_i(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return text if parent_tags & (_STRESSED | _UNSTRESSED) else _stressed(el, text, "*")

    def convert_s(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return text if parent_tags & (_STRUCK | _UNSTRESSED) else _stressed(el, text, "~~")

    convert_strong = convert_b
    convert_em = convert_i
    convert_del = convert_strike = convert_s

    def convert_kbd(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        return text if "_noformat" in parent_tags else literal(text)

    def convert_code(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        if "_noformat" in parent_tags or not text.strip():
            return text
        if self._is_markdown(el):  # where a backslash before a sign is none of the code
            text = _ESCAPE.sub(r"\1", self._with_code(text))
        return _between(text, _code_span(self._with_code(text)))

    convert_samp = convert_tt = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        code = self._with_code(text).strip("\n").rstrip()
        if "_noformat" in parent_tags or not code.strip():
            return text
        if "_inline" in parent_tags:
            return f" {_code_span(code)} "
        fence = "`" * max(3, _longest_ticks(code) + 1)
        return f"\n\n{fence}{_language(el)}\n{code}\n{fence}\n\n"

    def convert_list(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        if "_inline" in parent_tags:
            return f" {text.strip()} "
        if el.parent is not None and el.parent.name in {"ol", "ul"}:  # not within an item, as it should be
            return f"\n{_LINE.sub('   ', text.strip())}\n"
        return f"\n{text.rstrip()}" if "li" in parent_tags else f"\n\n{text.rstrip()}\n\n"

    convert_ul = convert_ol = convert_dir = convert_menu = convert_list

    def convert_li(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        text = text.strip()
        if "_inline" in parent_tags:
            return f"{self._bullet(el, '•')} {text} " if _is_one_of_several(el) else f"{text} "
        bullet = f"{self._bullet(el, '*')} "
        return f"{bullet}{_LINE.sub(' ' * len(bullet), text)[len(bullet) :]}\n" if text else "\n"

    def convert_td(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        if el.parent is None or el.parent.name != "tr":
            return f" {text.strip()} "
        words = " ".join(self._with_code(text).split())
        cell = Cell(text=words, columns=_span(el, "colspan"), rows=_span(el, "rowspan"))
        self._cells.setdefault(id(el.parent), []).append(cell)
        return ""

    convert_th = convert_td

    def convert_tr(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        cells = self._cells.pop(id(el), [])
        table = el.find_parent("table")
        if table is None:
            return f"{text} {' '.join(cell.text for cell in cells)}\n"
        self._rows.setdefault(id(table), []).append(cells)
        return text

    def convert_table(self, el: Tag, text: str, parent_tags: Set[str]) -> str:
        rows = self._rows.pop(id(el), [])
        if "_inline" in parent_tags:
            return f" {text.strip()} {inner_table_of(rows)} "
        return f"\n\n{text.strip()}\n\n{table_of(rows)}\n\n"

    def _is_markdown(self, el: PageElement) -> bool:
        """Return whether a text is an author's Markdown: it is in no block, or in one whose text has blank lines."""
        holder = el.parent
        while holder is not None and holder.name not in BLOCKS and holder.name not in {_ROOT, _ROW}:
            holder = holder.parent
        if self._restored is None or holder is None:
            return False
        if id(holder) not in self._markdown_holders:
            texts = (str(one) for one in holder.contents if isinstance(one, NavigableString))
            self._markdown_holders[id(holder)] = holder.name in {_ROOT, _ROW} or any(
                _BLANK_LINE.search(text) and text.strip() for text in texts
            )
        return self._markdown_holders[id(holder)]

    def _with_code(self, text: str) -> str:
        return self._restored(text) if self._restored else text

    def _target(self, href: str) -> str:
        """Return the address as Markdown can hold it; empty when it leads within the page or runs code."""
        href = "".join(sign for sign in href.strip() if sign >= " ")
        if not href or href.startswith("#"):
            return ""
        if self._base_url:
            href = _joined(self._base_url, href)
        scheme = _SCHEME.match(href)
        return "" if scheme and scheme[0].lower() not in _SAFE_SCHEMES else href.translate(_IN_TARGET)

    def _bullet(self, item: Tag, sign: str) -> str:
        parent = item.parent
        if parent is None or parent.name != "ol":
            return sign
        if id(item) not in self._numbers:
            number = _number(parent, "start", 1)
            for child in parent.contents:
                if isinstance(child, Tag) and child.name == "li":
                    number = _number(child, "value", number)
                    self._numbers[id(child)] = number
                    number += 1
        return f"{self._numbers[id(item)]}."


def _is_one_of_several(item: Tag) -> bool:
    return item.find_previous_sibling("li") is not None or item.find_next_sibling("li") is not None


def _between(text: str, words: str) -> str:
    """Put the space that *text* has around it outside of what is written instead."""
    return f"{' ' * text[:1].isspace()}{words}{' ' * text[-1:].isspace()}"


def _stressed(el: Tag, text: str, sign: str) -> str:
    words = text.strip()
    if not words or "\n" in words or not _stands_apart(el, text):
        return text
    return _between(text, f"{sign}{words}{sign}")


def _stands_apart(el: Tag, text: str) -> bool:
    """Return whether Markdown would see signs around *text* as stress: not between a letter and a point."""
    before, after = _neighbour(el.previous_sibling, -1), _neighbour(el.next_sibling, 0)
    opens = text[0].isspace() or before not in "*a" or (text[0].isalnum() and before != "*")
    return opens and (text[-1].isspace() or after not in "*a" or (text[-1].isalnum() and after != "*"))


def _neighbour(sibling: PageElement | None, at: int) -> str:
    """Return `a` for a letter or digit next to an element, `*` for signs of stress, a space for anything else."""
    if isinstance(sibling, Tag):
        return "*" if sibling.name in _STRONG | _STRESSED | _STRUCK else " "
    return "a" if isinstance(sibling, NavigableString) and sibling[at:][:1].isalnum() else " "


def _code_span(code: str) -> str:
    code = " ".join(code.split())
    ticks = "`" * (_longest_ticks(code) + 1)
    return f"{ticks} {code} {ticks}" if "`" in code else f"`{code}`"


def _longest_ticks(code: str) -> int:
    return max((len(ticks) for ticks in _TICKS.findall(code)), default=0)


def _language(pre: Tag) -> str:
    code = pre.find("code")
    names = " ".join(_attribute(tag, "class") for tag in (pre, code) if isinstance(tag, Tag))
    found = _LANGUAGE.search(names)
    return found[1].lower() if found else ""


def _attribute(tag: Tag, name: str) -> str:
    value = tag.attrs.get(name) or ""
    return value if isinstance(value, str) else " ".join(value)


def _span(cell: Tag, name: str) -> int:
    return max(1, _number(cell, name, 1))


def _number(tag: Tag, name: str, default: int) -> int:
    text = _attribute(tag, name).strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else default


def _joined(base_url: str, href: str) -> str:
    try:
        return urljoin(base_url, href)
    except ValueError:  # an address such as http://[ is none
        return ""

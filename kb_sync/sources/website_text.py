"""The main text of a web page as HTML: what every page of the site has around it goes, lists, tables, code and links stay.

Trafilatura finds it and drops the rest; its own Markdown would lose code and tables within steps, so its tree becomes HTML again.
"""

from configparser import ConfigParser
from typing import Any

from bs4 import BeautifulSoup
from lxml import etree  # type: ignore[import-untyped]  # it ships no types
from trafilatura import bare_extraction
from trafilatura.settings import DEFAULT_CONFIG, Document

_LISTS = {"ol": "ol", "ul": "ul", "dl": "dl"}
_NAMES = {
    "lb": "br",
    "quote": "blockquote",
    "graphic": "img",
    "row": "tr",
    "th": "p",  # the row around it is lost where a table stands in a list
    "td": "p",
    "ref": "a",
}
_MARKED = {"#b": "strong", "#i": "em", "#t": "code", "#sub": "sub", "#sup": "sup"}


def main_html(page: BeautifulSoup, title: str) -> str:
    """Return the main text of *page* without *title* above it; empty when there is none."""
    found = bare_extraction(
        str(page),
        config=_settings(),
        fast=True,  # its other ways to find a text lose the structure
        favor_recall=True,
        include_comments=False,
        include_formatting=True,
        include_images=True,
        include_links=True,
        include_tables=True,
    )
    if not isinstance(found, Document):
        return ""
    for element in list(found.body.iter(etree.Element)):
        _to_html(element)
    _remove_title(found.body, title)
    return str(etree.tostring(found.body, encoding="unicode", method="html"))


def _settings() -> ConfigParser:
    """Let short articles be articles: below this size the library takes all text of the page instead, menus included."""
    settings = ConfigParser()
    settings.read_dict(DEFAULT_CONFIG)
    settings.set("DEFAULT", "MIN_EXTRACTED_SIZE", "0")
    return settings


def _to_html(element: Any) -> None:
    """Give an element of the library's vocabulary (TEI) the name that it has in HTML."""
    kind = element.get("rend") or ""
    match element.tag:
        case "head":
            element.tag = kind if kind in {"h1", "h2", "h3", "h4", "h5", "h6"} else "h3"
        case "list":
            element.tag = _LISTS.get(kind, "ul")
        case "item":
            element.tag = kind[:2] if kind.startswith(("dt", "dd")) else "li"
        case "hi":
            element.tag = _MARKED.get(kind, "span")
        case "cell":
            element.tag = "th" if element.get("role") == "head" else "td"
        case "code" if _is_block(element):
            element.tag = "pre"
        case "ref":
            element.set("href", element.get("target") or "")
            element.tag = "a"
        case tag:
            element.tag = _NAMES.get(tag, tag)


def _is_block(code: Any) -> bool:
    return (
        "\n" in "".join(code.itertext()) or code.find(".//lb") is not None or code.getparent().tag == "body"
    )


def _remove_title(body: Any, title: str) -> None:
    first = next(iter(body), None)
    if first is not None and first.tag == "h1" and " ".join("".join(first.itertext()).split()) == title:
        body.remove(first)

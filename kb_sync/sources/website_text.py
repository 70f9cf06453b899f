"""The main text of a web page as HTML: what every page of the site has around it goes, lists, tables, code and links stay.

Trafilatura finds it and drops the rest; its own Markdown would lose code and tables within steps, so its tree becomes HTML again.
"""

import logging
from configparser import ConfigParser
from typing import Any

from bs4 import BeautifulSoup
from lxml import etree  # type: ignore[import-untyped]  # it ships no types
from trafilatura import bare_extraction
from trafilatura.settings import DEFAULT_CONFIG, Document

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BY_KIND = {
    "head": ({name: name for name in _HEADINGS}, "h3"),
    "list": ({"ol": "ol", "dl": "dl"}, "ul"),
    "hi": ({"#b": "strong", "#i": "em", "#t": "code", "#sub": "sub", "#sup": "sup"}, "span"),
    "cell": ({}, "td"),
}
_NAMES = {
    "lb": "br",
    "quote": "blockquote",
    "graphic": "img",
    "ref": "a",
    "row": "tr",
}

logging.getLogger("trafilatura").setLevel(logging.ERROR)  # a page without text is in the report already


def main_html(page: BeautifulSoup, title: str) -> str:
    """Return the main text of *page* without *title* above it; empty when there is none."""
    _flatten_tables_in_lists(page)
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


def _flatten_tables_in_lists(page: BeautifulSoup) -> None:
    """Make a line of each row: the library would lose which cells belong together."""
    for table in page.select("li table"):
        if table.decomposed:
            continue  # it stood within another
        for row in table.find_all("tr"):
            line = page.new_tag("p")
            line.string = " | ".join(
                " ".join(cell.get_text(" ").split()) for cell in row.find_all(["th", "td"])
            )
            table.insert_before(line)
        table.decompose()


def _settings() -> ConfigParser:
    """Let short articles be articles: below this size the library takes all text of the page instead, menus included."""
    settings = ConfigParser()
    settings.read_dict(DEFAULT_CONFIG)
    settings.set("DEFAULT", "MIN_EXTRACTED_SIZE", "0")
    return settings


def _to_html(element: Any) -> None:
    """Turn an element of the library's vocabulary (TEI) into one of HTML."""
    name = _name(element)
    if element.tag == "ref":
        element.set("href", element.get("target") or "")
    if name != element.tag:  # some names that a page may make up cannot be set
        element.tag = name


def _name(element: Any) -> str:
    kind = element.get("rend") or ""
    match element.tag:
        case "item":
            return kind[:2] if kind.startswith(("dt", "dd")) else "li"
        case "cell" if element.get("role") == "head":
            return "th"
        case "code" if _is_block(element):
            return "pre"
        case tag if tag in _BY_KIND:
            names, other = _BY_KIND[tag]
            return names.get(kind, other)
        case tag:
            return _NAMES.get(tag, str(tag))


def _is_block(code: Any) -> bool:
    return (
        "\n" in "".join(code.itertext()) or code.find(".//lb") is not None or code.getparent().tag == "body"
    )


def _remove_title(body: Any, title: str) -> None:
    first = next(iter(body), None)
    if first is not None and first.tag in _HEADINGS and " ".join("".join(first.itertext()).split()) == title:
        body.remove(first)

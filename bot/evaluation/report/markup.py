"""HTML and SVG as text: elements whose attributes and texts are escaped, so that a file's name or label stays text."""

from collections.abc import Iterable, Sequence
from html import escape

Markup = str  # text that is markup already


def element(name: str, *children: Markup, **attributes: str | float) -> Markup:
    """Return an element; `class_` is the attribute class, and underscores in names become hyphens."""
    given = "".join(f' {_named(key)}="{_written(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(children)}</{name}>"


def written(text: str) -> Markup:
    """Return *text* as markup that shows it."""
    return escape(text)


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table whose first column names its rows. It scrolls by itself where the page is narrower, by keyboard too."""
    head = element("tr", *(element("th", written(one), scope="col") for one in headings))
    body = (
        element(
            "tr", element("th", written(row[0]), scope="row"), *(element("td", written(c)) for c in row[1:])
        )
        for row in rows
    )
    content = element(
        "table",
        element("caption", element("span", written(caption))),
        element("thead", head),
        element("tbody", *body),
    )
    return element("div", content, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _named(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _written(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.5g}"

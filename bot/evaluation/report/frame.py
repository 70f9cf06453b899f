"""What pages have in common: a head that needs and allows nothing else, key numbers, and figures with their numbers."""

from pathlib import Path

from bot.evaluation.report.markup import Markup, element, written

_STYLE = Path(__file__).parent / "report.css"
_NOTHING_ELSE = "default-src 'none'; style-src 'unsafe-inline'"


def framed(title: str, about: str, *sections: Markup) -> Markup:
    """Return the whole page; *about* says below its title what it is of."""
    head = element(
        "head",
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING_ELSE}">',
        '<meta name="color-scheme" content="light dark">',
        element("title", written(f"Candor: {title.lower()}")),
        element("style", _STYLE.read_text(encoding="utf-8")),
    )
    main = element(
        "main", element("h1", written(title)), element("p", written(about), class_="about"), *sections
    )
    return f"<!doctype html>\n{element('html', head, element('body', main), lang='en')}\n"


def section(title: str, identity: str, *parts: Markup) -> Markup:
    """Return a part of the page with a title of its own."""
    return element("section", element("h2", written(title), id=identity), *parts, aria_labelledby=identity)


def numbers(*pairs: tuple[str, str]) -> Markup:
    """Return key numbers with their names."""
    return element("dl", *(_number(name, value) for name, value in pairs), class_="numbers")


def figures(*drawn: Markup) -> Markup:
    """Return figures beside each other where the page is wide."""
    return element("div", *drawn, class_="figures")


def figure(title: str, drawing: Markup, table: Markup = "") -> Markup:
    """Return a drawing with its numbers as a table, folded."""
    details = element("details", element("summary", "The numbers"), table) if table else ""
    return element("figure", element("figcaption", element("h3", written(title))), drawing, details)


def _number(name: str, value: str) -> Markup:
    return element("div", element("dt", written(name)), element("dd", written(value)))

"""The addresses of Candor's own pages of articles: where an article can be read that has no address of its own."""

import re
from urllib.parse import quote

from bot.core.knowledge import ArticleId

FOLDER = "/articles/"
# One segment that begins as ids do, so that no dots lead out of the folder; with the heading to begin at, if any.
_PAGE = re.compile(rf"{FOLDER}[A-Za-z0-9][A-Za-z0-9._:%-]*(?:#[\w.%-]*)?")


def link_to(article: ArticleId, url: str) -> str:
    """Return where the article can be read: at its own *url*, or else on a page of Candor's."""
    return url or FOLDER + quote(article, safe=":")


def is_article_page(link: str) -> bool:
    """Tell whether *link* leads to one of these pages, whatever server shows it."""
    return _PAGE.fullmatch(link) is not None


def anchor_of(heading: str) -> str:
    """Return what a link to a heading has after its `#`: "Come back?" is "come-back"."""
    return "-".join(re.findall(r"\w+", heading.casefold()))

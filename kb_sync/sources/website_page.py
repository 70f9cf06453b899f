"""A fetched web page to an article, or to the reason why it is none. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup, Tag
from yarl import URL

from bot.core.chunking import has_text
from bot.errors import InputRejected, SourceUnavailable
from kb_sync.sources.fetching import AGENT, GONE, Fetched, require_answer
from kb_sync.sources.fields import is_locale, to_article
from kb_sync.sources.html_hiding import remove_hidden
from kb_sync.sources.sitemap import ListedPage, moment_ms
from kb_sync.sources.source import LeftOut, SourcedArticle
from kb_sync.sources.website_addresses import Site, article_id
from kb_sync.sources.website_text import main_html

_HTML = frozenset({"", "text/html", "application/xhtml+xml"})
_NOT_LISTED = re.compile(r"(?:^|[,:\s])(?:noindex|none)(?:$|[,\s])", re.IGNORECASE)
_SEPARATOR = re.compile(r"\W+$")
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that is an article; `is_main` tells whether it stands at the address that it calls its main one."""

    sourced: SourcedArticle
    is_main: bool


def page_of(fetched: Fetched, listed: ListedPage, site: Site) -> Page | LeftOut:
    """Return what the page that is listed is; SourceUnavailable when that cannot be told for now."""
    reason = _gone(fetched) or _no_page(fetched)
    if reason:
        return LeftOut(origin=listed.address, reason=reason)
    soup = BeautifulSoup(fetched.body, "lxml", from_encoding=fetched.charset)
    if fetched.hops and soup.select_one("input[type=password]"):
        raise SourceUnavailable(f"{listed.address}: leads to a page that asks for a password")
    if any(_NOT_LISTED.search(said) for said in _robots(soup)):
        return LeftOut(origin=listed.address, reason="asks search engines not to list it (noindex)")
    return _page(soup, fetched, listed, site)


def one_of_each(found: Iterable[Page | LeftOut]) -> tuple[tuple[SourcedArticle, ...], tuple[LeftOut, ...]]:
    """Return one article for each id, that at its main address or else the first, and what is left out."""
    pages: dict[str, Page] = {}
    left_out: list[LeftOut] = []
    for one in found:
        if isinstance(one, LeftOut):
            left_out.append(one)
            continue
        known = pages.get(one.sourced.article.id)
        kept, other = (one, known) if known is None or (one.is_main and not known.is_main) else (known, one)
        pages[one.sourced.article.id] = kept
        if other is not None:
            reason = f"is another address of {kept.sourced.article.url}"
            left_out.append(LeftOut(origin=other.sourced.origin, reason=reason))
    return tuple(page.sourced for page in pages.values()), tuple(left_out)


def _gone(fetched: Fetched) -> str:
    """Return why nothing is there any more, empty when something is; SourceUnavailable when nobody can tell."""
    if fetched.elsewhere and fetched.is_permanent:
        return f"has moved to {fetched.elsewhere}, which is not read"
    if fetched.elsewhere:  # often where people sign in
        raise SourceUnavailable(f"{fetched.address}: leads to {fetched.elsewhere} for now, which is not read")
    if fetched.status in GONE:
        return f"is gone ({fetched.status})"
    require_answer(fetched)
    return ""


def _no_page(fetched: Fetched) -> str:
    if fetched.content_type not in _HTML:
        return f"is {fetched.content_type}, no web page"
    if fetched.is_cut:
        return f"is longer than {len(fetched.body):,} bytes"
    if _NOT_LISTED.search(fetched.robots):
        return "asks search engines not to list it (noindex)"
    if b"<" not in fetched.body:
        return "holds no HTML"
    return ""


def _robots(soup: BeautifulSoup) -> Iterator[str]:
    for meta in soup.find_all("meta"):
        if _attribute(meta, "name").lower() in {"robots", AGENT}:
            yield _attribute(meta, "content")


def _page(soup: BeautifulSoup, fetched: Fetched, listed: ListedPage, site: Site) -> Page | LeftOut:
    canonical = _canonical(soup, fetched.address, site)
    title = _title(soup)
    language = _language(soup, fetched.address, site) or listed.language
    fields = {
        "id": article_id(canonical),
        "title": title,
        "url": str(canonical),
        "locale": language if is_locale(language) else "",
    }
    at_ms = listed.last_modified_ms
    if at_ms is None:
        at_ms = moment_ms(_property(soup, "article:modified_time"))
    _simplify(soup, fetched.address)
    try:
        article = replace(to_article(fields, main_html(soup, title)), last_modified_ms=at_ms)
    except InputRejected as exc:
        return LeftOut(origin=listed.address, reason=f"its {exc.field} {exc.problem}")
    if not has_text(article):
        return LeftOut(origin=listed.address, reason="has no main text")
    is_main = fetched.hops == 0 and article_id(fetched.address) == article.id
    return Page(sourced=SourcedArticle(article=article, origin=listed.address), is_main=is_main)


def _canonical(soup: BeautifulSoup, address: URL, site: Site) -> URL:
    """Return the address that the page calls its main one, if it is of this site."""
    for link in soup.find_all("link", rel="canonical"):
        if _attribute(link, "href"):
            return site.resolve(_attribute(link, "href"), base=address) or address
    return address


def _title(soup: BeautifulSoup) -> str:
    """Return the main heading, else what is shared under its title, else the window's title.

    A heading outside of the main text is the site's own where the window's title repeats it.
    """
    main = soup.find(["main", "article"])
    within = soup if main is None else main
    shared, window, outside = _property(soup, "og:title"), _text(soup.find("title")), _text(soup.find("h1"))
    names = (_property(soup, "og:site_name"), outside)
    found = (
        _text(within.find("h1")),
        shared,
        _text(_opening_heading(within)),
        _without(names, window),
        outside,
    )
    return next((title for title in found if title), "")


def _opening_heading(main: Tag) -> Tag | None:
    """Return the first heading if no text is above it."""
    heading = main.find(_HEADINGS)
    above = heading.find_previous(string=lambda text: bool(text and text.strip())) if heading else None
    return heading if isinstance(heading, Tag) and (above is None or main not in above.parents) else None


def _without(names: Sequence[str], title: str) -> str:
    """Return a window's title without the site's name behind it, such as "Reset | ACME"."""
    for name in names:
        shorter = _SEPARATOR.sub("", title.removesuffix(name))
        if name and shorter and shorter != title:
            return shorter
    return title


def _language(soup: BeautifulSoup, address: URL, site: Site) -> str:
    root = soup.find("html")
    language = _attribute(root, "lang") if isinstance(root, Tag) else ""
    if language:
        return language
    for link in soup.find_all("link", rel="alternate"):
        if site.resolve(_attribute(link, "href"), base=address) == address and _attribute(link, "hreflang"):
            return _attribute(link, "hreflang")
    return ""


def _simplify(soup: BeautifulSoup, address: URL) -> None:
    """Take out what nobody sees and links within the page, and make all others whole."""
    base = soup.find("base", href=True)
    above = address.join(URL(_attribute(base, "href"))) if isinstance(base, Tag) else address
    if isinstance(soup.body, Tag):
        remove_hidden(soup.body)
    for link in soup.find_all("a"):
        href = _attribute(link, "href").strip()
        if href and not href.startswith("#"):
            link["href"] = _joined(above, href)
        elif link.find_parent(_HEADINGS) and len(link.get_text(strip=True)) <= 1:
            link.decompose()  # a sign that links to its own heading
        else:
            link.unwrap()


def _joined(base: URL, href: str) -> str:
    try:
        return str(base.join(URL(href)))
    except ValueError:
        return href


def _property(soup: BeautifulSoup, name: str) -> str:
    meta = soup.find("meta", property=name)
    return " ".join(_attribute(meta, "content").split()) if isinstance(meta, Tag) else ""


def _text(element: object) -> str:
    return " ".join(element.get_text(" ").split()) if isinstance(element, Tag) else ""


def _attribute(element: Tag, name: str) -> str:
    value = element.get(name)
    return value if isinstance(value, str) else " ".join(value or ())

"""Which addresses belong to the website that a person named, and the ids that its pages have. Pure.

Nothing is ever fetched from another host than the named one, which may be on a private network: an operator named it.
"""

import hashlib
import re
from dataclasses import dataclass

from yarl import URL

from bot.core.knowledge import ArticleId
from bot.errors import SourceRejected

_LONGEST_ID = 128
_NO_ID = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A website, or the part of it below `scope`; `sitemap` is set when that was named instead."""

    home: URL
    scope: str = "/"
    sitemap: URL | None = None

    def __str__(self) -> str:
        return str(self.sitemap or self.home.with_path(self.scope))

    def resolve(self, address: str, base: URL | None = None) -> URL | None:
        """Return the address in one form for all ways of writing it; None when it is of another site or no address."""
        try:
            url = (base or self.home).join(URL(address.strip())).with_fragment(None)
        except ValueError:
            return None
        if url.raw_host != self.home.raw_host or url.scheme not in {"http", "https"}:
            return None
        if (url.scheme, url.port) == (self.home.scheme, self.home.port):
            return url.with_user(None)
        if not (url.is_default_port() and self.home.is_default_port()):
            return None
        # A site that moved from http to https is the same one; what is encrypted stays so.
        return url.with_user(None).with_scheme("https")

    def covers(self, address: URL) -> bool:
        """Tell whether a page is in the part of the site that was named."""
        return address.path == self.scope.rstrip("/") or address.path.startswith(self.scope)


def site_of(text: str) -> Site:
    """Return the site that *text* names by its own address, or by that of its sitemap."""
    try:
        url = URL(text.strip()).with_fragment(None)
    except ValueError as exc:
        raise SourceRejected(f"{text}: is no address; name one such as https://help.example") from exc
    if not url.raw_host or url.scheme not in {"http", "https"}:
        raise SourceRejected(f"{text}: is no address; name one such as https://help.example")
    if url.user is not None or url.password is not None:  # it would stand in every report
        raise SourceRejected("the address holds a name or password; name it without")
    home = url.origin()
    if _is_sitemap(url):
        return Site(home=home, sitemap=url)
    return Site(home=home, scope=url.path.rstrip("/") + "/")


def article_id(address: URL) -> ArticleId:
    """Return the id of the page at *address*: its path, readable, and different for different pages.

    A slash at the end makes no difference. What an id cannot hold is replaced, and a digest keeps the result unique.
    """
    segments = [segment for segment in address.path.split("/") if segment]
    readable = ":".join(_NO_ID.sub("-", segment) for segment in segments)
    is_whole = readable == ":".join(segments) and not address.query_string
    if is_whole and readable[:1].isalnum() and len(readable) <= _LONGEST_ID and ":" not in "".join(segments):
        return ArticleId(readable)
    whole = "/".join(segments) + f"?{address.query_string}"
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    kept = readable[: _LONGEST_ID - len(digest) - 1].strip("-._:") or "home"
    return ArticleId(f"{kept}-{digest}")


def _is_sitemap(url: URL) -> bool:
    name = url.name.lower()
    return name.endswith((".xml", ".xml.gz")) or "sitemap" in name

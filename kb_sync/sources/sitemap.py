"""A sitemap to the pages and further sitemaps that it lists. Entities and document types are refused, nothing is fetched. Pure."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from xml.parsers import expat

from bot.errors import SourceRejected
from kb_sync.sources.fetching_packed import BrokenPacking, unpacked

_GZIP = b"\x1f\x8b"
_MOST_LISTED = 50_000  # the protocol's own limit
_PARTS = frozenset({"loc", "lastmod"})
_YEAR_OR_MONTH = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """A page as its site lists it; `language` is empty when the sitemap does not say."""

    address: str
    last_modified_ms: int | None = None
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """What one file lists: pages, or further sitemaps."""

    pages: tuple[ListedPage, ...] = ()
    sitemaps: tuple[str, ...] = ()


def sitemap_of(data: bytes, name: str, *, most_bytes: int) -> Sitemap:
    """Return what the file *name* lists; SourceRejected when it is no sitemap."""
    reader = _Reader(name)
    return reader.read(_unpacked(data, name, most_bytes))


def _unpacked(data: bytes, name: str, most_bytes: int) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        whole = unpacked(data, most_bytes=most_bytes)
    except BrokenPacking as exc:
        raise SourceRejected(f"{name}: cannot be unpacked ({exc}); let the site write it anew") from exc
    if len(whole) > most_bytes:
        raise SourceRejected(f"{name}: is larger than {most_bytes:,} bytes; let the site divide it")
    return whole


@dataclass(slots=True)
class _Entry:
    """One `url` or `sitemap` element under way."""

    texts: dict[str, str] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)  # by address


class _Reader:
    """Follows the elements of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pages: list[ListedPage] = []
        self._sitemaps: list[str] = []
        self._path: list[str] = []
        self._entry = _Entry()

    def read(self, data: bytes) -> Sitemap:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        try:
            parser.Parse(data, True)  # noqa: FBT003 - the parser takes it by place: this is all of it
        except (expat.ExpatError, ValueError, LookupError) as exc:
            raise SourceRejected(f"{self._name}: is no sitemap ({exc}); name the address of one") from exc
        return Sitemap(pages=tuple(self._pages), sitemaps=tuple(self._sitemaps))

    def _refuse_doctype(self, *_: object) -> None:
        raise SourceRejected(
            f"{self._name}: is no sitemap (it declares a document type); name the address of one"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name.rpartition(" ")[2])
        match self._path:
            case [root] if root not in {"urlset", "sitemapindex"}:
                raise SourceRejected(
                    f"{self._name}: is no sitemap (it is <{root[:40]}>); name the address of one"
                )
            case [_, "url" | "sitemap"]:
                self._entry = _Entry()
            case ["urlset", "url", "link"] if "href" in attributes:
                self._entry.languages.setdefault(attributes["href"], attributes.get("hreflang", ""))

    def _text(self, text: str) -> None:
        if len(self._path) == 3 and self._path[2] in _PARTS:
            part = self._path[2]
            self._entry.texts[part] = self._entry.texts.get(part, "") + text

    def _end(self, _name: str) -> None:
        address = self._entry.texts.get("loc", "").strip()
        match self._path:
            case ["urlset", "url"] if address:
                self._pages.append(self._page(address))
            case ["sitemapindex", "sitemap"] if address:
                self._sitemaps.append(address)
        self._path.pop()
        if len(self._pages) + len(self._sitemaps) > _MOST_LISTED:
            raise SourceRejected(
                f"{self._name}: lists more than {_MOST_LISTED:,} addresses; let the site divide it"
            )

    def _page(self, address: str) -> ListedPage:
        return ListedPage(
            address=address,
            last_modified_ms=moment_ms(self._entry.texts.get("lastmod", "")),
            language=self._entry.languages.get(address, ""),
        )


def moment_ms(text: str) -> int | None:
    """Return the moment that a W3C date names, its first one when it is a year or month; None when it is no date."""
    text = text.strip()
    if found := _YEAR_OR_MONTH.fullmatch(text):
        text = f"{found[1]}-{found[2] or '01'}-01"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)

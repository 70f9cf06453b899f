"""A website, read through its sitemap: each page is an article, as far as robots.txt permits.

A page that is gone (404, 410) is no article any more. Any other failure fails the whole reading: it says nothing of what the page holds.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from yarl import URL

from bot.errors import SourceRejected, SourceUnavailable
from kb_sync.sources.fetching import GONE, Fetcher, Wait, fetching_session, require_answer
from kb_sync.sources.sitemap import ListedPage, Sitemap, sitemap_of
from kb_sync.sources.source import Delivery, LeftOut, Reading
from kb_sync.sources.website_addresses import Site, site_of
from kb_sync.sources.website_page import Page, one_of_each, page_of
from kb_sync.sources.website_robots import Robots, robots_of

_AT_ONCE = 4  # pages
_ANOTHER_SITE = "is of another site"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteLimits:
    """How much is read of one site, and for how long."""

    pages: int = 20_000
    sitemaps: int = 500
    page_bytes: int = 5_000_000
    sitemap_bytes: int = 50_000_000
    robots_bytes: int = 500_000
    request_s: float = 20.0
    read_s: float = 3_600.0


class Website:
    """The articles of the site that *address* names, or of its part below a path, or of one sitemap; SourceRejected."""

    def __init__(
        self, address: str, *, wait: Wait = asyncio.sleep, limits: WebsiteLimits | None = None
    ) -> None:
        self._site = site_of(address)
        self._wait = wait
        self._limits = limits or WebsiteLimits()

    @property
    def name(self) -> str:
        return str(self._site)

    async def read(self, progress: Reading) -> Delivery:
        try:
            async with (
                asyncio.timeout(self._limits.read_s),
                fetching_session() as session,
            ):
                fetcher = Fetcher(
                    site=self._site, session=session, wait=self._wait, request_s=self._limits.request_s
                )
                visit = _Visit(site=self._site, limits=self._limits, fetcher=fetcher, progress=progress)
                return await visit.delivery()
        except TimeoutError as exc:
            minutes = f"{self._limits.read_s / 60:g}"
            raise SourceUnavailable(
                f"{self.name}: was not read within {minutes} minutes; try again later"
            ) from exc


@dataclass(slots=True, kw_only=True)
class _Visit:
    """One reading of a site; what is found to be no article on the way is noted in `left_out`."""

    site: Site
    limits: WebsiteLimits
    fetcher: Fetcher
    progress: Reading
    left_out: list[LeftOut] = field(default_factory=list)
    outside: int = 0  # pages that are not in the part of the site that was named
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def delivery(self) -> Delivery:
        robots = robots_of(
            await self.fetcher.get(self.site.home / "robots.txt", most_bytes=self.limits.robots_bytes)
        )
        self.fetcher.delay_s = robots.delay_s
        listed = await self._listed(robots)
        self._require_time(len(listed), robots.delay_s)
        articles, left_out = one_of_each(await self._pages(listed, robots))
        everything = (*self.left_out, *left_out)
        if not articles:
            said = f", for instance: {everything[0].origin} {everything[0].reason}" if everything else ""
            raise SourceRejected(f"{self._name}: no page in its sitemap is an article{said}")
        return Delivery(articles=articles, left_out=everything, remarks=tuple(self._remarks()))

    @property
    def _name(self) -> str:
        return str(self.site)

    def _remarks(self) -> Iterator[str]:
        if self.outside:
            yield f"pages in the sitemap that are outside of {self.site.scope}: {self.outside}"

    async def _listed(self, robots: Robots) -> dict[URL, ListedPage]:
        """Return the pages that may be read, in the order of the sitemaps."""
        pages: dict[URL, ListedPage] = {}
        waiting = deque(self._sitemaps(robots))
        known = set(waiting)
        while waiting:
            address = waiting.popleft()
            sitemap = await self._sitemap(address)
            for page in sitemap.pages:
                self._take(page, address, pages, robots)
            further = dict.fromkeys(self._within(sitemap.sitemaps, address))
            waiting.extend(one for one in further if one not in known)
            known.update(further)
            self._require_limits(len(pages), len(known))
        return pages

    def _sitemaps(self, robots: Robots) -> list[URL]:
        if self.site.sitemap is not None:
            return [self.site.sitemap]
        return list(dict.fromkeys(self._within(robots.sitemaps, self.site.home))) or [
            self.site.home / "sitemap.xml"
        ]

    def _within(self, addresses: Iterable[str], base: URL) -> Iterator[URL]:
        for address in addresses:
            resolved = self.site.resolve(address, base)
            if resolved is None:
                self.left_out.append(LeftOut(origin=address, reason=_ANOTHER_SITE))
            else:
                yield resolved

    async def _sitemap(self, address: URL) -> Sitemap:
        fetched = await self.fetcher.get(address, most_bytes=self.limits.sitemap_bytes)
        if fetched.elsewhere:
            raise SourceRejected(f"{address}: leads to {fetched.elsewhere}; name that site")
        if fetched.status in GONE:
            raise SourceRejected(f"{address}: is not there ({fetched.status}); name the address of a sitemap")
        require_answer(fetched)
        if fetched.is_cut:
            raise SourceRejected(f"{address}: is longer than {self.limits.sitemap_bytes:,} bytes; divide it")
        return await asyncio.to_thread(
            sitemap_of, fetched.body, str(address), most_bytes=self.limits.sitemap_bytes
        )

    def _take(self, page: ListedPage, base: URL, pages: dict[URL, ListedPage], robots: Robots) -> None:
        address = self.site.resolve(page.address, base)
        if address is None:
            self.left_out.append(LeftOut(origin=page.address, reason=_ANOTHER_SITE))
        elif not self.site.covers(address):
            self.outside += 1
        elif not robots.permits(address):
            self.left_out.append(LeftOut(origin=page.address, reason="is not to be read, says robots.txt"))
        else:
            pages.setdefault(address, page)

    def _require_limits(self, pages: int, sitemaps: int) -> None:
        if pages > self.limits.pages or sitemaps > self.limits.sitemaps:
            raise SourceRejected(
                f"{self._name}: its sitemap lists more than {self.limits.pages:,} pages, or {self.limits.sitemaps:,} "
                "further sitemaps; name a part of the site, or one of its sitemaps"
            )

    def _require_time(self, pages: int, delay_s: float) -> None:
        if pages * delay_s > self.limits.read_s:
            raise SourceRejected(
                f"{self._name}: robots.txt asks for {delay_s:g} s between two requests, too long for {pages:,} pages; "
                "name a part of the site"
            )

    async def _pages(self, listed: Mapping[URL, ListedPage], robots: Robots) -> list[Page | LeftOut]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._page(*one, robots)) for one in listed.items()]
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        return [task.result() for task in tasks]

    async def _page(self, address: URL, listed: ListedPage, robots: Robots) -> Page | LeftOut:
        async with self._room:
            fetched = await self.fetcher.get(
                address, most_bytes=self.limits.page_bytes, permits=robots.permits
            )
            page = await asyncio.to_thread(page_of, fetched, listed, self.site)
            self.progress.read(1)
            return page

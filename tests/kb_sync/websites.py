"""Websites read for tests, without waiting for anything."""

from dataclasses import dataclass, field

from bot.core.knowledge import Article
from kb_sync.sources.source import Delivery
from kb_sync.sources.website import Website, WebsiteLimits
from tests.kb_sync.folders import CountedReading
from tests.vendors.website_server import WebsiteServer, gives, sitemap


@dataclass
class Waits:
    """Waits that take no time; `seconds` are those that were asked for."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def list_pages(site: WebsiteServer, *paths: str) -> None:
    """Let the site's sitemap list *paths*, each as `path` or `path lastmod`."""
    site.pages["/sitemap.xml"] = gives(sitemap(*(site.url + path for path in paths)), "application/xml")


async def read_site(
    site: WebsiteServer,
    below: str = "",
    *,
    waits: Waits | None = None,
    progress: CountedReading | None = None,
    **limits: float,
) -> Delivery:
    source = Website(site.url + below, wait=waits or Waits(), limits=WebsiteLimits(**limits))
    return await source.read(progress or CountedReading())


def articles_in(delivery: Delivery) -> dict[str, Article]:
    return {one.article.id: one.article for one in delivery.articles}


def left_out_of(delivery: Delivery, site: WebsiteServer) -> dict[str, str]:
    """Return the reasons by path."""
    return {one.origin.removeprefix(site.url): one.reason.replace(site.url, "") for one in delivery.left_out}

"""A website becomes articles as its sitemap and robots.txt say, however it is written down."""

import asyncio
import gzip

import pytest

from tests.kb_sync.folders import CountedReading
from tests.kb_sync.websites import Waits, articles_in, left_out_of, list_pages, read_site
from tests.vendors.website_server import (
    WebsiteServer,
    gives,
    leads_to,
    page,
    sitemap,
    waits_for,
    website_server,
)

RESET = "<h1>Reset the board</h1><p>Hold the button for 5 seconds.</p>"
DAY_MS = 1_789_344_000_000


@pytest.fixture
async def site():
    """A site with two pages and nothing special."""
    async with website_server(
        {"/help/reset": page(RESET), "/help/lights": page("<p>Green is ready.</p>")}
    ) as site:
        list_pages(site, "/help/reset 2026-09-14", "/help/lights")
        yield site


async def test_each_page_is_an_article(site):
    progress = CountedReading()

    found = articles_in(await read_site(site, progress=progress))

    assert list(found) == ["help:reset", "help:lights"]
    reset = found["help:reset"]
    assert (reset.title, reset.body) == ("Reset the board", "Hold the button for 5 seconds.")
    assert (reset.url, reset.locale) == (f"{site.url}/help/reset", "en")
    assert [one.last_modified_ms for one in found.values()] == [DAY_MS, None]
    assert progress.pieces == 2


async def test_the_site_is_told_who_reads_it(site):
    await read_site(site)

    assert {headers["User-Agent"] for headers in site.headers} == {"candor-kb-sync/1.0"}


async def test_robots_names_the_sitemaps_and_what_is_not_read(site):
    robots = (
        f"User-agent: *\nDisallow: /help/l\nSitemap: {site.url}/maps/all\nSitemap: https://other.example/map"
    )
    site.pages |= {
        "/robots.txt": gives(robots, "text/plain"),
        "/maps/all": gives(sitemap(further=["/maps/1.xml.gz", "/maps/1.xml.gz"])),
        "/maps/1.xml.gz": gives(
            gzip.compress(sitemap("/help/reset", "/help/lights").encode()), "application/gzip"
        ),
    }

    delivery = await read_site(site)

    assert list(articles_in(delivery)) == ["help:reset"]
    assert left_out_of(delivery, site) == {
        "https://other.example/map": "is of another site",
        "/help/lights": "is not to be read, says robots.txt",
    }
    assert site.requests == ["/robots.txt", "/maps/all", "/maps/1.xml.gz", "/help/reset"]


@pytest.mark.parametrize(
    ("robots", "delay_s"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: candor-kb-sync\nRequest-rate: 1/4\n\nUser-agent: *\nCrawl-delay: 9", 4),
    ],
)
async def test_the_site_is_asked_no_faster_than_it_wants(site, robots, delay_s):
    site.pages["/robots.txt"] = gives(robots, "text/plain")
    waits = Waits()

    await read_site(site, waits=waits)

    assert waits.seconds == [delay_s] * 3


async def test_a_part_of_a_site_is_read_by_its_path(site):
    list_pages(site, "/help/reset", "/shop/lamp", "/help")
    site.pages["/help"] = page("<h1>Help</h1><p>Choose one.</p>")

    delivery = await read_site(site, "/help")

    assert list(articles_in(delivery)) == ["help:reset", "help"]
    assert delivery.remarks == ("pages in the sitemap that are outside of /help/: 1",)


async def test_a_sitemap_may_be_named_by_its_address(site):
    site.pages["/other-map.xml"] = gives(sitemap("/help/lights"))

    assert list(articles_in(await read_site(site, "/other-map.xml"))) == ["help:lights"]


async def test_pages_of_other_hosts_are_never_asked_for(site):
    async with website_server({"/secret": page("<p>Nobody may read this.</p>")}) as other:
        site.pages["/sitemap.xml"] = gives(
            sitemap(f"{other.url}/secret", "http://169.254.169.254/", "/help/reset")
        )

        delivery = await read_site(site)

    assert list(articles_in(delivery)) == ["help:reset"]
    assert set(left_out_of(delivery, site).values()) == {"is of another site"}
    assert other.requests == []


async def test_what_is_gone_is_no_article(site):
    list_pages(site, "/help/reset", "/old", "/older")
    site.pages["/older"] = gives("", status=410)

    delivery = await read_site(site)

    assert list(articles_in(delivery)) == ["help:reset"]
    assert left_out_of(delivery, site) == {"/old": "is gone (404)", "/older": "is gone (410)"}


async def test_a_page_that_moved_within_the_site_is_the_page_it_became(site):
    list_pages(site, "/old", "/help/reset")
    site.pages["/old"] = leads_to("/help/reset")

    delivery = await read_site(site)

    assert list(articles_in(delivery)) == ["help:reset"]
    assert left_out_of(delivery, site) == {"/old": "is another address of /help/reset"}


async def test_a_page_that_moved_away_for_good_is_no_article(site):
    list_pages(site, "/help/reset", "/moved", "/private")
    site.pages |= {
        "/robots.txt": gives("User-agent: *\nDisallow: /account", "text/plain"),
        "/moved": leads_to("https://other.example/a"),
        "/private": leads_to("/account/a", 308),
    }

    delivery = await read_site(site)

    assert left_out_of(delivery, site) == {
        "/moved": "has moved to https://other.example/a, which is not read",
        "/private": "has moved to /account/a, which is not read",
    }
    assert "/account/a" not in site.requests


async def test_addresses_of_one_page_are_one_article(site):
    list_pages(site, "/help/reset?from=mail", "/help/reset", "/help/reset/", "/help/lights")
    canonical = page(RESET, head='<link rel="canonical" href="/help/reset">')
    site.pages |= {"/help/reset?from=mail": canonical, "/help/reset": canonical, "/help/reset/": canonical}

    delivery = await read_site(site)

    assert list(articles_in(delivery)) == ["help:reset", "help:lights"]
    assert [one.origin.removeprefix(site.url) for one in delivery.articles] == ["/help/reset", "/help/lights"]
    reason = "is another address of /help/reset"
    assert left_out_of(delivery, site) == {"/help/reset?from=mail": reason, "/help/reset/": reason}


async def test_a_page_listed_under_another_address_than_its_main_one_has_the_main_one(site):
    list_pages(site, "/help/reset?from=mail")
    site.pages["/help/reset?from=mail"] = page(RESET, head='<link rel="canonical" href="/help/reset">')

    (article,) = articles_in(await read_site(site)).values()

    assert (article.id, article.url) == ("help:reset", f"{site.url}/help/reset")


async def test_at_most_four_pages_are_asked_for_at_once(site):
    paths = [f"/{number}" for number in range(8)]
    four = asyncio.Barrier(4)
    site.pages |= {path: waits_for(four, page(f"<p>Page {path}</p>")) for path in paths}
    list_pages(site, *paths)

    delivery = await read_site(site)

    assert [one.article.id for one in delivery.articles] == [path[1:] for path in paths]
    assert site.busiest == 4


async def test_the_same_site_gives_the_same_articles(site: WebsiteServer):
    assert (await read_site(site)).articles == (await read_site(site)).articles

"""What a website does wrong fails the whole reading in one sentence: a page that was not fetched never looks withdrawn (R-K3)."""

import gzip

import pytest

from bot.errors import SourceRejected, SourceUnavailable
from tests.kb_sync.websites import Waits, articles_in, left_out_of, list_pages, read_site
from tests.vendors.local_server import Reply, hangs, resets
from tests.vendors.website_server import (
    WebsiteServer,
    breaks_off,
    gives,
    leads_to,
    page,
    sitemap,
    website_server,
)

TEXT = page("<p>Green is ready.</p>")


def packed(body: bytes, by: str = "gzip") -> Reply:
    return gives(body, headers={"Content-Encoding": by})


@pytest.fixture
async def site():
    """A site with nine pages."""
    paths = [f"/{number}" for number in range(9)]
    async with website_server(dict.fromkeys(paths, TEXT)) as site:
        list_pages(site, *paths)
        yield site


async def failure(site: WebsiteServer, below: str = "", **limits: float) -> str:
    with pytest.raises(SourceUnavailable) as failed:
        await read_site(site, below, **limits)
    return str(failed.value).replace(site.url, "")


async def rejection(site: WebsiteServer, below: str = "", **limits: float) -> str:
    with pytest.raises(SourceRejected) as refused:
        await read_site(site, below, **limits)
    assert not isinstance(refused.value, SourceUnavailable)
    return str(refused.value).replace(site.url, "")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(gives("", status=503), "/3: fails (503); try again later", id="503"),
        pytest.param(gives("", status=429), "/3: fails (429); try again later", id="429"),
        pytest.param(gives("", status=403), "/3: answers with 403; see why", id="403"),
        pytest.param(gives("", status=401), "/3: answers with 401; see why", id="401"),
        pytest.param(gives("", status=202), "/3: answers with 202; see why", id="riddle"),
        pytest.param(breaks_off(), "/3: cannot be reached, or broke off (ClientPayloadError)", id="half"),
        pytest.param(resets(), "/3: cannot be reached, or broke off (", id="reset"),
        pytest.param(leads_to("/3"), "/3: redirects again and again", id="circle"),
        pytest.param(
            leads_to("https://login.example", 302), "/3: leads to https://login.example for now", id="302"
        ),
        pytest.param(leads_to(""), "/3: redirects again and again", id="nowhere"),
        pytest.param(leads_to("/login", 302), "/3: leads to a page that asks for a password", id="login"),
        pytest.param(
            packed(gzip.compress(b"<p>Half")[:-9]),
            "/3: answers with what cannot be unpacked (it is cut",
            id="gzip",
        ),
        pytest.param(packed(b"x", "br"), "/3: answers packed by br, which was not asked for", id="br"),
    ],
)
async def test_one_page_that_cannot_be_fetched_fails_the_reading(site, reply, said):
    site.pages |= {"/3": reply, "/login": page('<form><input type="password"></form><p>Sign in.</p>')}

    assert (await failure(site)).startswith(said)


async def test_a_site_that_is_silent_fails_the_reading(site):
    site.pages["/sitemap.xml"] = hangs()

    assert "does not answer in time; try again later" in await failure(site, request_s=0.3)


async def test_what_may_pass_is_tried_again(site):
    site.pages |= {
        "/3": [gives("", status=503), breaks_off(), TEXT],
        "/robots.txt": [gives("", status=500), TEXT],
    }
    waits = Waits()

    assert len(articles_in(await read_site(site, waits=waits))) == 9
    assert sorted(waits.seconds) == [1, 1, 5]


async def test_the_wait_that_the_site_asks_for_is_obeyed_within_reason(site):
    waits = Waits()
    site.pages["/3"] = [gives("", status=503, headers={"Retry-After": "40"}), TEXT]
    await read_site(site, waits=waits)
    site.pages["/3"] = gives("", status=503, headers={"Retry-After": "3600"})

    assert await failure(site) == "/3: fails (503); try again later"
    assert waits.seconds == [40]


async def test_what_is_packed_is_unpacked_no_further_than_allowed(site):
    list_pages(site, "/1", "/2")
    site.pages |= {
        "/1": packed(gzip.compress(b"<title>Lights</title><p>Green is ready.")),
        "/2": packed(gzip.compress(b"<p>" * 9_000)),
    }

    delivery = await read_site(site, page_bytes=4_000)

    assert articles_in(delivery)["1"].body == "Green is ready."
    assert left_out_of(delivery, site) == {"/2": "is longer than 4,000 bytes"}


async def test_a_refusal_is_not_tried_again(site):
    site.pages["/3"] = gives("", status=403)

    await failure(site)

    assert site.requests.count("/3") == 1


async def test_robots_that_cannot_be_read_permit_nothing(site):
    site.pages["/robots.txt"] = gives("", status=503)

    assert await failure(site) == "/robots.txt: fails (503); try again later"
    assert set(site.requests) == {"/robots.txt"}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_site_without_robots_may_be_read(site, status):
    site.pages["/robots.txt"] = gives("Disallow: /", status=status)

    assert len(articles_in(await read_site(site))) == 9


async def test_a_site_that_leads_elsewhere_is_to_be_named_by_that_address(site):
    site.pages["/robots.txt"] = leads_to("https://www.help.example/robots.txt")

    assert (
        await rejection(site) == "/robots.txt: leads to https://www.help.example/robots.txt; name that site"
    )


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(gives("", status=404), "is not there (404); name the address of a sitemap", id="404"),
        pytest.param(
            leads_to("https://x.example/"), "leads to https://x.example/; name that site", id="away"
        ),
        pytest.param(page("<p>No map.</p>"), "is no sitemap (", id="a page"),
        pytest.param(gives(sitemap("/1") * 1_000), "is longer than 50,000 bytes; divide it", id="long"),
        pytest.param(gives(sitemap()), "no page in its sitemap is an article", id="empty"),
        pytest.param(gives(sitemap("/gone")), "an article, for instance: /gone is gone (404)", id="all gone"),
    ],
)
async def test_a_sitemap_that_cannot_be_used_is_named(site, reply, said):
    site.pages["/sitemap.xml"] = reply

    assert said in await rejection(site, sitemap_bytes=50_000)


async def test_a_sitemap_of_several_that_fails_fails_all(site):
    site.pages |= {
        "/sitemap.xml": gives(sitemap(further=["/1.xml", "/2.xml"])),
        "/1.xml": gives(sitemap("/1")),
        "/2.xml": gives("", status=502),
    }

    assert await failure(site) == "/2.xml: fails (502); try again later"


async def test_sitemaps_that_list_each_other_are_read_once(site):
    site.pages |= {
        "/sitemap.xml": gives(sitemap(further=["/1.xml"])),
        "/1.xml": gives(sitemap(further=["/sitemap.xml", "/2.xml"])),
        "/2.xml": gives(sitemap("/1")),
    }

    assert list(articles_in(await read_site(site))) == ["1"]


async def test_a_site_that_is_too_large_is_never_read_in_part(site):
    assert "lists more than 8 pages" in await rejection(site, pages=8)

    site.pages["/sitemap.xml"] = gives(sitemap(further=[f"/{number}.xml" for number in range(9)]))

    assert "or 8 further sitemaps" in await rejection(site, sitemaps=8)


async def test_a_site_that_wants_more_time_than_there_is_is_refused_at_once(site):
    site.pages["/robots.txt"] = gives("User-agent: *\nCrawl-delay: 600", "text/plain")

    assert "asks for 600 s between two requests, too long for 9 pages" in await rejection(site)
    assert "/1" not in site.requests


async def test_a_reading_has_an_end(site):
    site.pages["/8"] = hangs()

    assert "was not read within 0.005 minutes" in await failure(site, read_s=0.3)


async def test_what_is_no_page_is_named(site):
    list_pages(site, "/1", "/manual.pdf", "/long")
    site.pages |= {"/manual.pdf": gives(b"%PDF", "application/pdf"), "/long": gives("<p>" + "x" * 5_000)}

    delivery = await read_site(site, page_bytes=4_000)

    assert left_out_of(delivery, site) == {
        "/manual.pdf": "is application/pdf, no web page",
        "/long": "is longer than 4,000 bytes",
    }


async def test_a_site_that_nobody_serves_is_unavailable():
    async with website_server() as site:
        pass

    assert "cannot be reached, or broke off (ClientConnectorError)" in await failure(site)

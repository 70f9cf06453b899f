"""A sitemap is read, or refused before anything in it can do harm."""

import gzip
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import SourceRejected
from kb_sync.sources.sitemap import ListedPage, Sitemap, moment_ms, sitemap_of
from tests.vendors.website_server import sitemap

DAY_MS = 1_789_344_000_000


def read(data: str | bytes) -> Sitemap:
    return sitemap_of(data.encode() if isinstance(data, str) else data, "map", most_bytes=10_000)


def refusal(data: str | bytes) -> str:
    with pytest.raises(SourceRejected) as refused:
        read(data)
    return str(refused.value)


def test_pages_are_listed_with_their_dates():
    found = read(sitemap("https://h.example/a?x=1&amp;y=2 2026-09-14", "https://h.example/b never"))

    assert found.pages == (
        ListedPage(address="https://h.example/a?x=1&y=2", last_modified_ms=DAY_MS),
        ListedPage(address="https://h.example/b"),
    )


def test_an_index_lists_sitemaps():
    assert read(sitemap(further=["https://h.example/1.xml", " /2.xml "])).sitemaps == (
        "https://h.example/1.xml",
        "/2.xml",
    )


def test_the_language_of_a_page_is_that_of_its_own_alternate():
    data = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml"><url>
    <loc>/de</loc><x:link rel="alternate" hreflang="en" href="/en"/><x:link rel="alternate" hreflang="de" href="/de"/>
    </url></urlset>"""

    assert read(data).pages == (ListedPage(address="/de", language="de"),)


def test_elements_of_other_kinds_are_passed_over():
    data = "<urlset><url><loc>/a</loc><image><loc>/a.png</loc></image><lastmod/></url><url/><x><loc>/b</loc></x></urlset>"

    assert read(data).pages == (ListedPage(address="/a"),)


def test_what_is_packed_is_unpacked():
    assert read(gzip.compress(sitemap("/a").encode())) == read(sitemap("/a"))


BOMB = '<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>'
FILE = '<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param("", "is no sitemap (no element found", id="empty"),
        pytest.param("<!doctype html><html>", "is no sitemap (syntax error", id="page"),
        pytest.param("<html></html>", "is no sitemap (it is <html>)", id="another root"),
        pytest.param(sitemap("/a")[:-5], "is no sitemap (", id="cut off"),
        pytest.param("<urlset><url><loc>&nbsp;</loc>", "is no sitemap (undefined entity", id="entity"),
        pytest.param(BOMB, "is no sitemap (it declares a document type)", id="entity bomb"),
        pytest.param(FILE, "is no sitemap (it declares a document type)", id="entity of a file"),
        pytest.param('<?xml version="1.0" encoding="x-none"?><urlset/>', "is no sitemap (", id="encoding"),
        pytest.param(gzip.compress(b"x" * 20_000), "is larger than 10,000 bytes", id="bomb"),
        pytest.param(gzip.compress(b"<urlset/>" * 9)[:-9], "(it is cut off)", id="cut off when packed"),
        pytest.param(b"\x1f\x8bxxx", "cannot be unpacked", id="not really packed"),
        pytest.param(
            "<urlset>" + "<url><loc>/</loc></url>" * 50_001, "more than 50,000 addresses", id="long"
        ),
    ],
)
def test_what_is_no_sitemap_is_refused(data, said):
    message = refusal(data)

    assert message.startswith("map: ")
    assert said in message


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("2026-09-14", DAY_MS),
        ("2026-09-14T08:30:00Z", DAY_MS + 30_600_000),
        ("2026-09-14T10:30+02:00", DAY_MS + 30_600_000),
        (" 2026-09-14T00:00:00.000Z ", DAY_MS),
        ("2026-09", 1_788_220_800_000),
        ("2026", 1_767_225_600_000),
        ("", None),
        ("2026-13", None),
        ("14 September 2026", None),
    ],
)
def test_a_date_is_as_exact_as_it_is_written(text, ms):
    assert moment_ms(text) == ms


@given(st.text(alphabet="<>/urlset loc&;#\"'x?![]", max_size=60) | st.binary(max_size=60))
def test_any_file_is_read_or_refused(data):
    with suppress(SourceRejected):
        assert isinstance(read(data), Sitemap)


@given(st.text(max_size=30) | st.datetimes().map(str))
def test_any_date_is_read_or_none(text):
    assert isinstance(moment_ms(text), int | None)

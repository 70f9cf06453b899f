"""Addresses belong to the named site or they do not, and every page has an id of its own that stays."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from bot.errors import SourceRejected
from kb_sync.sources.website_addresses import article_id, site_of

SITE = site_of("https://help.example")


@pytest.mark.parametrize(
    ("written", "resolved"),
    [
        pytest.param("https://help.example/a", "https://help.example/a", id="whole"),
        pytest.param(" /a/../b ", "https://help.example/b", id="path"),
        pytest.param("https://HELP.example:443/a#part", "https://help.example/a", id="port and part"),
        pytest.param("http://help.example/a", "https://help.example/a", id="once unencrypted"),
        pytest.param("//help.example/%7eme?q=1", "https://help.example/~me?q=1", id="same scheme"),
        pytest.param("https://somebody:secret@help.example/a", "https://help.example/a", id="password"),
        pytest.param("https://www.help.example/a", None, id="another host"),
        pytest.param("https://help.example:8443/a", None, id="another port"),
        pytest.param("http://help.example:443/a", None, id="another protocol"),
        pytest.param("https://help.example@evil.example/a", None, id="a host in disguise"),
        pytest.param("http://169.254.169.254/latest/meta-data", None, id="a cloud's own address"),
        pytest.param("file:///etc/passwd", None, id="a file"),
        pytest.param("https://[half/a", None, id="no address"),
    ],
)
def test_an_address_is_of_the_site_or_of_another(written, resolved):
    found = SITE.resolve(written)

    assert (None if found is None else str(found)) == resolved


def test_a_site_that_moved_to_https_is_the_same():
    assert str(site_of("http://help.example").resolve("https://help.example/a")) == "https://help.example/a"
    assert site_of("http://127.0.0.1:80").resolve("https://127.0.0.1:8443/a") is None


@pytest.mark.parametrize(
    ("text", "covered", "outside"),
    [
        ("https://help.example", "/anything", None),
        ("https://help.example/docs", "/docs/a", "/docs-old/a"),
        ("https://help.example/docs/", "/docs", "/"),
        ("https://help.example/sitemap_docs.xml", "/anything", None),
    ],
)
def test_a_part_of_a_site_covers_what_is_below_it(text, covered, outside):
    site = site_of(text)

    assert site.covers(URL(f"https://help.example{covered}"))
    assert outside is None or not site.covers(URL(f"https://help.example{outside}"))


@pytest.mark.parametrize(
    ("text", "sitemap"),
    [
        ("https://help.example/docs", None),
        ("https://help.example/map.xml", "https://help.example/map.xml"),
        ("https://help.example/a/Sitemap?page=2", "https://help.example/a/Sitemap?page=2"),
        ("https://help.example/map.xml.gz", "https://help.example/map.xml.gz"),
    ],
)
def test_a_sitemap_may_be_named_instead(text, sitemap):
    site = site_of(text)

    assert (None if site.sitemap is None else str(site.sitemap)) == sitemap


@pytest.mark.parametrize(
    "text", ["https://", "ftp://help.example", "https://[half", "https://me:secret@help.example"]
)
def test_what_is_no_address_is_refused_without_repeating_a_password(text):
    with pytest.raises(SourceRejected) as refused:
        site_of(text)

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("path", "id_"),
    [
        ("/help/reset", "help:reset"),
        ("/help/reset/", "help:reset"),
        ("/help//reset.html", "help:reset.html"),
        ("/de/hilfe_1", "de:hilfe_1"),
    ],
)
def test_an_id_is_the_path(path, id_):
    assert article_id(URL(f"https://help.example{path}")) == id_


@pytest.mark.parametrize(
    ("path", "beginning"),
    [
        ("/", "home-"),
        ("/help?id=7", "help-"),
        ("/hilfe/über uns", "hilfe:-ber-uns-"),
        ("/_internal", "internal-"),
        ("/a:b", "a-b-"),
        ("/" + "x" * 300, "xxx"),
        ("/日本", "home-"),
    ],
)
def test_what_an_id_cannot_hold_is_replaced_by_a_digest(path, beginning):
    id_ = article_id(URL(f"https://help.example{path}"))

    assert id_.startswith(beginning)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", id_)


PATHS = st.lists(st.text(alphabet="aB1._-: ü%?/", min_size=1, max_size=6), max_size=3).map("/".join)


@given(st.lists(PATHS, min_size=2, max_size=2, unique=True))
def test_different_pages_have_different_ids(paths):
    one, other = (URL(f"https://help.example/{path}") for path in paths)
    segments = [[part for part in url.path.split("/") if part] for url in (one, other)]

    is_same = segments[0] == segments[1] and one.query_string == other.query_string

    assert (article_id(one) == article_id(other)) == is_same


@given(st.text(max_size=40))
def test_any_text_is_an_address_of_the_site_or_none(text):
    found = SITE.resolve(text)

    assert found is None or (found.host, found.scheme, found.port) == ("help.example", "https", 443)

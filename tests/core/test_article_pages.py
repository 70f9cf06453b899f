"""Where an article can be read, and which links lead to a page of Candor's own."""

import pytest

from bot.core.article_pages import anchor_of, is_article_page, link_to


@pytest.mark.parametrize(
    ("article", "url", "link"),
    [
        ("KB000003", "https://help.example/3", "https://help.example/3"),
        ("KB000003", "", "/articles/KB000003"),
        ("a.b:c_d-1", "", "/articles/a.b:c_d-1"),
        ("a/b?c#d", "", "/articles/a%2Fb%3Fc%23d"),
        ("über", "", "/articles/%C3%BCber"),
    ],
)
def test_an_article_without_an_address_has_a_page(article, url, link):
    assert link_to(article, url) == link


@pytest.mark.parametrize("link", ["/articles/KB000003", "/articles/1.b:c_d-1", "/articles/KB1#geld-zurück"])
def test_a_page_is_recognised(link):
    assert is_article_page(link)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "/",
        "/articles/",
        "/articles/a/b",
        "/articles/..",
        "/articles/../widget",
        "/articles/%2e%2e",
        "/articles/KB1?x=1",
        "/articles/KB1 x",
        "/articles/KB1\n",
        "/articles\\KB1",
        "//articles/KB1",
        "/\\articles/KB1",
        "https://evil.example/articles/KB1",
        "articles/KB1",
        "/Articles/KB1",
    ],
)
def test_nothing_else_is_one(link):
    assert not is_article_page(link)


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Come back", "come-back"),
        ("Is it a payment or a hold?", "is-it-a-payment-or-a-hold"),
        ("Geld zurück: 24 Stunden", "geld-zurück-24-stunden"),
        ("?", ""),
    ],
)
def test_a_heading_has_an_anchor(heading, anchor):
    assert anchor_of(heading) == anchor

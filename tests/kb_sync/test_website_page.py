"""What a page says about itself is believed: its title, language, date and address, and whether it wants to be found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yarl import URL

from bot.core.knowledge import Article
from kb_sync.sources.fetching import Fetched
from kb_sync.sources.sitemap import ListedPage
from kb_sync.sources.source import LeftOut
from kb_sync.sources.website_addresses import site_of
from kb_sync.sources.website_page import Page, page_of

ADDRESS = "https://help.example/docs/reset"
SITE = site_of("https://help.example")
TEXT = "<p>Hold the button for 5 seconds.</p>"


def fetched(html: str | bytes, **fields) -> Fetched:
    body = html if isinstance(html, bytes) else html.encode()
    return Fetched(address=URL(ADDRESS), status=200, body=body, **fields)


def read(html: str | bytes, *, listed: ListedPage | None = None, **fields) -> Page | LeftOut:
    return page_of(fetched(html, **fields), listed or ListedPage(address=ADDRESS), SITE)


def article(html: str | bytes, **fields) -> Article:
    page = read(html, **fields)
    assert isinstance(page, Page)
    return page.sourced.article


def html(main: str = TEXT, *, head: str = "<title>Reset</title>", root: str = "") -> str:
    return (
        f"<!doctype html><html {root}><head>{head}</head><body><header><h1>ACME</h1></header>"
        f'<nav><a href="/">Home</a></nav><main>{main}</main><footer>© ACME</footer></body></html>'
    )


@pytest.mark.parametrize(
    ("head", "main", "title"),
    [
        ("<title>Reset | ACME</title>", f"<h1>How to <b>reset</b></h1>{TEXT}", "How to reset"),
        ("<title>Reset | ACME</title><meta property='og:title' content='Reset it'>", TEXT, "Reset it"),
        ("<title>Reset | ACME</title>", TEXT, "Reset"),
        ("<title>Reset | ACME</title>", f"<h2>Reset</h2>{TEXT}", "Reset"),
        ("<title>Reset | Lamps</title>", TEXT, "Reset | Lamps"),
        ("<title>ACME</title>", TEXT, "ACME"),
        ("", TEXT, "ACME"),
        ("<title>Reset it</title>", f"{TEXT}<h2>More</h2>", "Reset it"),
    ],
)
def test_the_title_is_the_main_heading_or_what_comes_next(head, main, title):
    found = article(html(main, head=head))

    assert (found.title, found.body) == (title, "Hold the button for 5 seconds.")


@pytest.mark.parametrize(
    ("root", "head", "listed", "locale"),
    [
        ('lang="pt_BR"', "", "de", "pt-BR"),
        ("", '<link rel="alternate" hreflang="nl" href="/docs/reset">', "de", "nl"),
        ("", '<link rel="alternate" hreflang="nl" href="/nl/reset">', "de", "de"),
        ('lang="x-default!"', "", "de", "en"),
        ("", "", "", "en"),
    ],
)
def test_the_language_is_what_the_page_says_then_its_links_then_the_sitemap(root, head, listed, locale):
    page = html(root=root, head=f"<title>Reset</title>{head}")

    assert article(page, listed=ListedPage(address=ADDRESS, language=listed)).locale == locale


def test_the_date_is_that_of_the_sitemap_or_else_that_of_the_page():
    page = html(head="<title>A</title><meta property='article:modified_time' content='2026-09-14'>")

    assert article(page).last_modified_ms == 1_789_344_000_000
    assert article(page, listed=ListedPage(address=ADDRESS, last_modified_ms=5)).last_modified_ms == 5


@pytest.mark.parametrize(
    ("head", "header"),
    [
        ('<meta name="robots" content="noindex, follow">', ""),
        ('<meta name="ROBOTS" content="NONE">', ""),
        ('<meta name="candor-kb-sync" content="noindex">', ""),
        ("", "noindex"),
        ("", "otherbot: nofollow, noindex"),
    ],
)
def test_a_page_that_wants_not_to_be_listed_is_left_out(head, header):
    assert read(html(head=head), robots=header) == LeftOut(
        origin=ADDRESS, reason="asks search engines not to list it (noindex)"
    )


def test_another_robots_wish_is_no_reason():
    assert isinstance(
        read(html(head="<title>A</title><meta name=robots content='noimageindex,follow'>")), Page
    )


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/docs/reset?lang=en", "https://help.example/docs/reset?lang=en"),
        ("https://other.example/reset", ADDRESS),
        ("", ADDRESS),
    ],
)
def test_the_main_address_is_the_canonical_one_of_the_same_site(href, url):
    assert article(html(head=f"<title>A</title><link rel=canonical href='{href}'>")).url == url


def test_steps_tables_code_and_links_stay():
    main = """<h1>Reset</h1><h2 id=a>Steps <a href="#a">¶</a></h2>
    <ol><li><p>Run:</p><pre><code>one --a
two</code></pre></li><li>See <a href="../b?c=1">the guide</a>, or <a href="#a">above</a>.<ul><li>inner</li></ul></li></ol>
    <table><tr><th>Colour</th><th>Means</th></tr><tr><td>Red</td><td>an <code>error</code></td></tr></table>"""

    assert article(html(main)).body.splitlines() == [
        "## Steps",
        "",
        "1. Run:",
        "",
        "   ```",
        "   one --a",
        "   two",
        "   ```",
        "2. See [the guide](https://help.example/b?c=1), or above.",
        "   * inner",
        "",
        "| Colour | Means |",
        "|---|---|",
        "| Red | an `error` |",
    ]


def test_a_table_within_a_step_keeps_its_rows():
    table = (
        "<table><tr><th>Colour</th><th>Means</th></tr><tr><td>Red</td><td>an <b>error</b></td></tr></table>"
    )

    body = article(html(f"<ol><li>Look at the light: {table}</li><li>Wait.</li></ol>")).body

    assert [line.strip() for line in body.splitlines() if line] == [
        "1. Look at the light:",
        "Colour | Means",
        "Red | an error",
        "2. Wait.",
    ]


def test_what_nobody_sees_and_what_is_around_the_text_goes():
    hidden = (
        '<p hidden>A</p><p style="display:none">B</p><p style="color:#fff">C</p><script>D</script><!-- E -->'
    )

    assert (
        article(html(f"<p>See\u200bn.</p>{hidden}{TEXT}")).body == "Seen.\n\nHold the button for 5 seconds."
    )


@pytest.mark.parametrize(
    ("page", "charset"),
    [
        (html("<p>Grüße für alle.</p>").encode("latin-1"), "latin-1"),
        (html("<p>Grüße für alle.</p>", head="<meta charset=windows-1252>").encode("cp1252"), None),
        (html("<p>Grüße für alle.</p>").encode(), None),
        (html("<p>Grüße für alle.</p>").encode(), "no-such-charset"),
    ],
)
def test_signs_are_read_as_the_page_writes_them(page, charset):
    assert article(page, charset=charset).body == "Grüße für alle."


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (html("<div id=app></div>"), "has no main text"),
        (html(head="").replace("ACME", ""), "its title is missing"),
        ("nothing", "holds no HTML"),
    ],
)
def test_a_page_that_is_no_article_says_why(page, reason):
    assert read(page) == LeftOut(origin=ADDRESS, reason=reason)


PARTS = [
    "<p>",
    "</p>",
    "<h1>",
    "<ol>",
    "<li>",
    "<table>",
    "<tr>",
    "<td>",
    "<pre>",
    "<code>",
    "<a",
    "href='#'>",
    "</a>",
    "<br>",
    "<b>",
    "Text",
    "&lt;",
    "<!--",
    "x",
]


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join) | st.text(max_size=60))
@settings(deadline=None, max_examples=60)
def test_any_page_is_an_article_or_says_why_not(main):
    assert isinstance(read(html(main)), Page | LeftOut)
    assert isinstance(read(main), Page | LeftOut)

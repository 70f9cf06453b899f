"""R-W17: what a model or a customer may try to smuggle in comes out as text. The browser tests show the same corpus."""

import pytest

from bot.channels.rendering import ATTRIBUTES, TAGS, render, safe_url
from tests.channels.hostile_texts import HOSTILE
from tests.channels.html_inventory import inventory


def test_the_corpus_is_large_enough():
    assert len(set(HOSTILE)) >= 80


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_keeps_only_allowed_tags_and_safe_links(text):
    found = inventory(render(text))

    assert found.tags <= TAGS
    for tag, name, value in found.attributes:
        assert name in ATTRIBUTES.get(tag, set()) | {"target", "rel"}
        assert name != "href" or value.startswith(("http://", "https://", "mailto:", "/articles/"))


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        pytest.param("a *b* **c**", "<p>a <em>b</em> <strong>c</strong></p>\n", id="emphasis"),
        pytest.param("## Steps", "<p><strong>Steps</strong></p>\n", id="heading is a bold line"),
        pytest.param("3. c\n4. d", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>\n', id="steps go on"),
        pytest.param("`x < y`", "<p><code>x &lt; y</code></p>\n", id="code"),
        pytest.param(
            "![a **cat**](http://evil.example/?q=1)", "<p>a cat</p>\n", id="image is its description"
        ),
        pytest.param("![](http://evil.example/?q=1)", "<p></p>\n", id="image without one is nothing"),
        pytest.param("<b>bold</b>", "<p>&lt;b&gt;bold&lt;/b&gt;</p>\n", id="HTML is text"),
        pytest.param("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n", id="bad link is text"),
        pytest.param("[x](/relative)", "<p>[x](/relative)</p>\n", id="relative link is text"),
    ],
)
def test_markdown_becomes_this_html(markdown, html):
    assert render(markdown) == html


def test_a_link_to_an_article_page_opens_elsewhere_too():
    assert render("[more](/articles/KB000060#steps)") == (
        '<p><a href="/articles/KB000060#steps" target="_blank" '
        'rel="noopener noreferrer nofollow">more</a></p>\n'
    )


def test_a_link_opens_elsewhere_and_tells_nothing():
    assert render("[help](https://help.example/a?b=1&c=2)") == (
        '<p><a href="https://help.example/a?b=1&amp;c=2" target="_blank" '
        'rel="noopener noreferrer nofollow">help</a></p>\n'
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/x",
        "http://a.example",
        "mailto:a@b.example",
        "HTTPS://a.example",
        "/articles/KB1",
        "/articles/a.b:c%20d#e",
    ],
)
def test_a_good_address_is_kept(url):
    assert safe_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        " https://a.example",
        "https://a.example/\nx",
        "//evil.example",
        "/x",
        "/\\evil.example",
        "/\\articles/KB1",
        "//articles/KB1",
        "/articles/",
        "/articles/../widget/frame",
        "/articles//evil.example",
        "/articles/KB1\u202e",
        "/articles/KB1#\u202e",
        "x",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://a.example/x",
        "https:",
        "https://",
        "https://bank.example@evil.example",
        "https://[bad",
        "mailto:",
        "mailto:a@b.example?bcc=evil@evil.example",
        "https://a.example/\u202egpj.exe",
        "ftp://a.example",
        "intent://x",
        "tel:+1",
    ],
)
def test_a_bad_address_is_no_link(url):
    assert safe_url(url) is None

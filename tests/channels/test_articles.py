"""The article pages: what a customer reads who follows the link of an answer, and what there is instead when nothing is."""

import pytest

from bot.channels.articles.page import article_page
from bot.channels.rendering import TAGS
from bot.core.knowledge import ArticleStatus, ArticleText
from bot.errors import RetrievalUnavailable
from tests.channels.hostile_texts import HOSTILE
from tests.channels.html_inventory import inventory
from tests.knowledge_builders import a_passage, an_article

FRAME = frozenset(
    {"html", "head", "meta", "title", "link", "body", "header", "span", "main", "article", "div"}
)
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
CHANGED_MS = 1_787_184_000_000  # 2026-08-20


def page_of(*passages, **fields) -> str:
    article = ArticleText(**{"id": "KB1", "title": "Moving <b>", "passages": passages, **fields})
    return article_page(article, release="r")


def text_of(page: str) -> list[str]:
    return page.partition('dir="auto">\n')[2].partition("</div>")[0].splitlines()


async def _get(rig, path):
    async with rig.http.get(f"{rig.url}{path}") as response:
        return response.status, response.headers, await response.text()


async def test_an_active_article_is_a_page(rig):
    rig.publish(an_article("KB1", last_modified_ms=CHANGED_MS), a_passage(text="1. Open **My lessons**."))

    status, headers, page = await _get(rig, "/articles/KB1")

    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "<li>Open <strong>My lessons</strong>.</li>" in page
    assert '<time datetime="2026-08-20">20 August 2026</time>' in page
    assert '<a href="/">' in page


@pytest.mark.parametrize("status", [status for status in ArticleStatus if status is not ArticleStatus.ACTIVE])
async def test_any_other_article_is_as_unknown_as_one_that_never_was(rig, status):
    rig.publish(an_article("KB1", title="A secret", status=status), a_passage(text="Coming in May."))

    code, headers, page = await _get(rig, "/articles/KB1")
    unknown = await _get(rig, "/articles/KB2")

    assert (code, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "We have no such article" in page
    assert page == unknown[2]


async def test_an_index_that_cannot_be_read_is_said_to_be_a_failure(rig):
    rig.index.fails = RetrievalUnavailable("disk /dev/secret is full")

    status, headers, page = await _get(rig, "/articles/KB1")

    assert (status, headers["Retry-After"]) == (503, "5")
    assert "We cannot show our articles right now" in page
    assert "secret" not in page


async def test_a_page_runs_nothing_and_loads_only_its_own_files(rig):
    rig.publish(an_article("KB1"), a_passage())
    _, headers, page = await _get(rig, "/articles/KB1")

    style, icon = sorted(
        value for tag, name, value in inventory(page).attributes if (tag, name) == ("link", "href")
    )

    assert "script-src" not in headers["Content-Security-Policy"]
    assert headers["Content-Security-Policy"].startswith(
        "default-src 'none'; style-src 'self'; img-src 'self';"
    )
    for path, media_type in ((style, "text/css; charset=utf-8"), (icon, "image/svg+xml")):
        status, file, _ = await _get(rig, path)
        assert (status, file["Content-Type"]) == (200, media_type)
        assert "immutable" in file["Cache-Control"]


def test_headings_are_headings_and_stand_once():
    page = page_of(
        a_passage(headings=(), text="A."),
        a_passage(headings=("Steps",), text="B."),
        a_passage(headings=("Steps",), text="C."),
        a_passage(headings=("Steps", "By phone?"), text="D."),
        a_passage(headings=(), text="**A small section**\n\nE."),
    )

    assert text_of(page) == [
        "<p>A.</p>",
        '<h2 id="steps">Steps</h2>',
        "<p>B.</p>",
        "<p>C.</p>",
        '<h3 id="by-phone">By phone?</h3>',
        "<p>D.</p>",
        '<h2 id="a-small-section">A small section</h2>',
        "<p>E.</p>",
    ]


def test_what_two_passages_of_a_section_share_stands_once():
    first = a_passage(headings=("Steps",), text="1. Open it.\n2. Choose a time.")
    second = a_passage(headings=("Steps",), text="2. Choose a time.\n3. Confirm.")

    assert text_of(page_of(first, second))[1:] == [
        "<ol>",
        "<li>Open it.</li>",
        "<li>Choose a time.</li>",
        "</ol>",
        '<ol start="3">',
        "<li>Confirm.</li>",
        "</ol>",
    ]


def test_a_section_whose_end_stands_joined_with_the_next_one_is_one_section():
    first = a_passage(headings=("Steps",), text="Open it. Choose a time.")
    joined = a_passage(headings=(), text="**Steps**\n\nChoose a time. Confirm.\n\n**By phone**\n\nCall us.")
    last = a_passage(headings=("By phone",), text="Call us. Wait.")

    assert text_of(page_of(first, joined, last)) == [
        '<h2 id="steps">Steps</h2>',
        "<p>Open it. Choose a time.</p>",
        "<p>Confirm.</p>",
        '<h2 id="by-phone">By phone</h2>',
        "<p>Call us.</p>",
        "<p>Wait.</p>",
    ]


def test_two_sections_of_one_name_are_two_and_the_first_has_the_anchor():
    page = page_of(
        a_passage(headings=("Light", "Price"), text="1"), a_passage(headings=("Regular", "Price"), text="2")
    )

    assert [line for line in text_of(page) if "Price" in line] == [
        '<h3 id="price">Price</h3>',
        "<h3>Price</h3>",
    ]


@pytest.mark.parametrize("text", ["**Thank you!**", "One.\n\n**Thank you!**", "**Thank you!**\n\n**Bye.**"])
def test_a_bold_line_with_nothing_below_it_is_no_heading(text):
    assert "<p><strong>Thank you!</strong></p>" in text_of(page_of(a_passage(headings=(), text=text)))


def test_a_table_scrolls_by_itself():
    page = page_of(a_passage(headings=("?",), text="| A | B |\n|---|---|\n| 1 | 2 |"))

    assert text_of(page)[:3] == [
        "<h2>?</h2>",
        '<div class="scroll" role="group" aria-label="Table" tabindex="0">',
        "<table>",
    ]


def test_what_another_section_says_too_stays():
    page = page_of(
        a_passage(headings=("A",), text="It is free."), a_passage(headings=("B",), text="It is free.")
    )

    assert page.count("It is free.") == 2


def test_a_page_is_in_the_language_of_its_article_and_names_its_other_address():
    page = page_of(a_passage(), locale="es", url="https://help.example/1?a=1&b=2")

    assert '<h1 lang="es" dir="auto">Moving &lt;b&gt;</h1>' in page
    assert 'href="https://help.example/1?a=1&amp;b=2"' in page


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "/kb/1"])
def test_an_undated_article_without_a_good_address_says_nothing_of_either(url):
    page = page_of(a_passage(), url=url)

    assert ("Last changed" in page, "also at" in page) == (False, False)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text):
    found = inventory(page_of(a_passage(headings=(text,), text=text), title=text, url=text, locale=text))

    assert found.tags <= TAGS | FRAME | HEADINGS
    assert {name for tag, name, _ in found.attributes if tag in TAGS} <= {
        "href",
        "rel",
        "target",
        "start",
        "class",
    }
    links = [value for tag, name, value in found.attributes if (tag, name) == ("a", "href")]
    assert links[0] == "/"
    assert [
        one for one in links[1:] if not one.startswith(("/articles/", "http://", "https://", "mailto:"))
    ] == []

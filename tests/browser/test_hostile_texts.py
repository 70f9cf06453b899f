"""R-W17 in the browser: the corpus, written by the bot and by the customer, runs nothing and asks for nothing."""

import pytest
from playwright.async_api import expect

from bot.core.conversation import Source
from tests.channels.hostile_texts import HOSTILE
from tests.channels.scripted import answering

pytestmark = pytest.mark.browser


async def test_whatever_the_bot_writes_runs_nothing_and_loads_nothing(rig, page, widget, foreign_requests):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    rig.turns.script = lambda message: answering(*HOSTILE, sources=())
    await widget.open()
    await widget.say("Anything?")

    await expect(widget.messages).to_have_count(3, timeout=20_000)
    inner = await widget.inner()
    loaded = "document.querySelectorAll('.list :is(img, svg, script, style, iframe, object, [onerror], [style])').length"
    assert await inner.evaluate(loaded) == 0
    assert (dialogs, foreign_requests) == ([], [])


async def test_html_that_the_server_let_through_is_rebuilt_from_the_list(
    widget, foreign_requests, violations
):
    await widget.open()
    inner = await widget.inner()
    module = await inner.evaluate("document.querySelector('script').src.replace('main.js', 'safe-html.js')")

    html = await inner.evaluate(
        """async ([module, texts]) => {
          const { safeFragment } = await import(module);
          const box = document.createElement("div");
          for (const text of texts) box.append(safeFragment(text));
          document.body.append(box);
          return box.innerHTML;
        }""",
        [module, HOSTILE],
    )

    assert not {"<img", "<svg", "<script", "<iframe", "onerror=alert(1)>x<", "javascript:"} & set(
        html.split('"')
    )
    bad = "document.querySelectorAll('div :is([onerror], [onload], [style], [href^=javascript], img, script)').length"
    assert await inner.evaluate(bad) == 0
    assert foreign_requests == []
    violations.clear()  # the policy names the handlers in the parser's document, where they cannot run anyway


async def test_only_article_pages_are_links_without_a_host(widget):
    await widget.open()
    inner = await widget.inner()
    module = await inner.evaluate("document.querySelector('script').src.replace('main.js', 'safe-html.js')")
    urls = [
        "/articles/KB1#a",
        "/articles/..",
        "/articles/a/b",
        "//evil.example",
        "/\\evil.example",
        "/",
        "/x",
        "/articles/KB1\n",
    ]

    tags = await inner.evaluate(
        """async ([module, urls]) => {
          const { safeLink } = await import(module);
          return urls.map((url) => safeLink("x", url).tagName);
        }""",
        [module, urls],
    )

    assert tags == ["A", *["SPAN"] * (len(urls) - 1)]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "//evil.example", "/\\evil.example/articles/KB1"])
async def test_hostile_source_addresses_are_no_links(rig, widget, url):
    bad = Source(id="x", title="<b>Title</b>", url=url)
    rig.turns.script = lambda message: answering("Here.", sources=(bad,))
    await widget.open()
    await widget.say("Anything?")

    await expect(widget.messages.nth(2)).to_contain_text("<b>Title</b>")
    await expect(widget.messages.nth(2).get_by_role("link")).to_have_count(0)

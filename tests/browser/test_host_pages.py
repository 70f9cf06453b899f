"""The widget on other people's sites: under their policies, in their language, in their colours."""

import re

import pytest
import pytest_asyncio
from playwright.async_api import FloatRect, Locator, expect

from tests.browser.accessibility import violations as broken_rules
from tests.browser.host_page import Shop, opened_shop
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import running_rig
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

STRICT = (
    "default-src 'none'; script-src {candor}; frame-src {candor}; style-src 'none'; "
    "require-trusted-types-for 'script'"
)


@pytest_asyncio.fixture(loop_scope="session")
async def shop():
    """The site that embeds it."""
    async with opened_shop() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def rig(shop: Shop):
    """A server that the shop may embed."""
    async with running_rig(origins=frozenset({shop.url})) as running:
        yield running


async def _frame_style(widget: WidgetPage, name: str) -> str:
    inner = await widget.inner()
    style: str = await inner.evaluate(
        "(name) => getComputedStyle(document.body).getPropertyValue(name)", name
    )
    return style


async def _box(found: Locator) -> FloatRect:
    box = await found.bounding_box()
    assert box is not None
    return box


async def test_two_directives_are_all_that_a_strict_policy_needs(shop, page, live_server):
    await shop.show(page, live_server, policy=STRICT)
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")

    await expect(widget.button("Yes")).to_be_visible()
    box = await page.locator("iframe").bounding_box()
    assert (box["width"], box["height"]) == (380, 600)


async def test_a_site_that_is_not_on_the_list_gets_no_widget(shop, page, violations):
    async with running_rig() as closed:
        await shop.show(page, closed.url)
        assert "frame-ancestors" in (await wait_until(lambda: violations, deadline_s=20)).pop()

        await expect(page.locator("iframe")).to_be_hidden()


async def test_where_the_customer_is_is_told_without_what_follows_the_path(shop, rig, page, live_server):
    await shop.show(page, live_server)
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()

    (conversation,) = rig.store.states()
    seen = (await rig.widget.access.arrivals.store.profile(conversation.id)).page
    assert (seen.url, seen.title) == (f"{shop.url}/prices", "Shop")


@pytest.mark.parametrize(
    ("lang", "speaks", "writes"),
    [("de-AT", "de", "Senden"), ("pt_BR", "pt", "Enviar"), ("nl", "en", "Send"), ("english", "en", "Send")],
)
async def test_the_pages_language_is_spoken_where_it_is_known(shop, page, live_server, lang, speaks, writes):
    await shop.show(page, live_server, lang=lang)
    widget = WidgetPage(page)
    await page.evaluate("candor('open')")

    await expect(widget.button(writes)).to_be_visible()
    await expect(widget.frame.locator("html")).to_have_attribute("lang", speaks)


async def test_without_a_language_the_browsers_own_is_spoken(shop, browser, live_server):
    context = await browser.new_context(locale="fr-CA")
    page = await context.new_page()
    await shop.show(page, live_server, lang="")
    await page.evaluate("candor('open')")

    await expect(WidgetPage(page).button("Envoyer")).to_be_visible()
    await expect(page.locator("iframe")).to_have_attribute("title", re.compile("Discussion avec"))
    await context.close()


async def test_another_language_is_spoken_at_once_and_nothing_written_is_lost(shop, page, live_server):
    await shop.show(page, live_server)
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()
    await widget.composer.fill("And then")

    await page.evaluate("candor('locale', 'es')")

    await expect(widget.button("Hablar con una persona")).to_be_visible()
    await expect(widget.frame.get_by_role("textbox", name="Tu mensaje")).to_have_value("And then")
    await expect(widget.messages).to_have_count(3)
    await expect(widget.messages.first).to_contain_text("Soy un asistente automático")


async def test_from_the_right_everything_turns_around_and_english_words_say_so(shop, page, live_server):
    await shop.show(page, live_server, lang="ar", direction="rtl")
    widget = WidgetPage(page)
    await widget.open()

    root = widget.frame.locator("html")
    await expect(root).to_have_attribute("dir", "rtl")
    await expect(root).to_have_attribute("lang", "en")
    box = await page.locator("iframe").bounding_box()
    assert box["x"] == 20
    close = await _box(widget.button("Close chat"))
    assert close["x"] < box["x"] + 60
    assert await broken_rules(await widget.inner()) == []


async def test_a_hebrew_message_turns_itself_and_not_the_chat_around_it(shop, page, live_server):
    await shop.show(page, live_server)
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("שלום (change)!")
    await widget.button("Less").wait_for()

    said = widget.messages.nth(1).locator(".bubble")
    await expect(said).to_have_css("unicode-bidi", "plaintext")
    first, last = [await said.evaluate(PLACE_OF, at) for at in (0, len("שלום (change)!") - 1)]
    assert first > last
    box, panel = await _box(said), await _box(page.locator("iframe"))
    assert box["x"] + box["width"] > panel["x"] + panel["width"] - 40


PLACE_OF = """(element, at) => {
  const range = document.createRange();
  range.setStart(element.firstChild, at);
  range.setEnd(element.firstChild, at + 1);
  return range.getBoundingClientRect().x;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("accent", ["#ffd400", "#0a1f8f", "#e05a9c", "#7f7f7f"])
async def test_any_accent_leaves_everything_readable(shop, page, live_server, scheme, accent):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await shop.show(page, live_server, settings={"theme": {"accent": accent, "radius": 6}})
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()

    assert await broken_rules(await widget.inner()) == []
    await expect(widget.messages.nth(1).locator(".bubble")).to_have_css("border-end-start-radius", "6px")


@pytest.mark.parametrize("accent", ["red", "#12345", "url(https://evil.example/a)", 7, None, {"a": 1}])
async def test_what_is_no_colour_is_left_out(shop, page, live_server, accent, foreign_requests):
    settings = {"theme": {"accent": accent, "radius": "9em", "scheme": "dark", "font": "url(x)"}}
    await shop.show(page, live_server, settings=settings)
    widget = WidgetPage(page)
    await widget.open()

    assert "15, 107, 99" in await _frame_style(widget, "--accent") or "5fd4c4" in await _frame_style(
        widget, "--accent"
    )
    assert await _frame_style(widget, "background-color") == "rgb(22, 27, 35)"
    assert [url for url in foreign_requests if not url.startswith(shop.url)] == []

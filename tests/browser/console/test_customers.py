"""Who customers are, in the console: a name, a tick for whom the site vouches for, and the page; all of it is text."""

import pytest
from playwright.async_api import expect

from bot.core.customers import Identity, Page, Subject
from bot.service.arrivals import Coming

pytestmark = pytest.mark.browser

HOSTILE = '<img src="//evil.test/x" onerror="document.title=1"> [x](javascript:alert(1)) \u2713 Verified'


async def comes(office, name, *, page=None, subject="ana"):
    """Let a customer whom the site vouches for ask for a person."""
    identity = Identity(subject=Subject(subject), name=name, issued_ms=office.clock.now_ms())
    arrived = await office.arrivals.identify(
        Coming(locale="en", page=page), identity, before_opening=lambda: None
    )
    await office.say(arrived.ticket.conversation, "I want to talk to a person")
    return arrived.ticket.conversation


async def test_a_known_customer_has_a_name_and_a_tick_and_an_unknown_one_neither(console, office):
    known = await comes(office, "Ana Costa")
    await office.waiting("A person please")
    await console.show()

    ana, unknown = console.row("Ana Costa"), console.row("A person please")
    await expect(ana.get_by_role("img", name="Verified")).to_be_visible()
    await expect(unknown.get_by_role("img", name="Verified")).to_have_count(0)

    await console.open(known)
    await expect(console.heading).to_have_text("Ana Costa")
    await expect(console.heading.get_by_role("img", name="Verified")).to_be_visible()
    assert await console.violations() == []


async def test_the_page_is_named_and_its_address_says_where_it_leads(console, office):
    page = Page(url="https://shop.example/cart", title="Your cart")
    await console.open(await comes(office, "Ana Costa", page=page))

    fact = console.page.locator(".page-fact")
    await expect(fact).to_have_text("Page: Your cart https://shop.example/cart")
    link = fact.get_by_role("link")
    await expect(link).to_have_attribute("href", "https://shop.example/cart")
    await expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    assert await console.violations() == []


async def test_a_name_a_title_and_an_address_are_text_whatever_they_hold(console, office):
    asked: list[str] = []
    console.page.on("request", lambda request: asked.append(request.url))
    page = Page(url="javascript:document.title=1", title=HOSTILE)
    conversation = await comes(office, HOSTILE, page=page)

    await console.open(conversation)
    await expect(console.heading).to_have_text(HOSTILE)
    await expect(console.page.locator(".page-fact")).to_contain_text(HOSTILE)
    await console.show("search")
    await console.page.get_by_role("searchbox").fill("person")
    await console.page.keyboard.press("Enter")
    await expect(console.page.locator(".found a")).to_have_text(HOSTILE)

    assert await console.page.locator("img, a[href^=javascript]").count() == 0
    assert [url for url in asked if not url.startswith(office.url)] == []

"""The demo page's sign-in in Chromium: by keyboard, said to screen readers, kept over a reload, on a phone and in the dark."""

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from tests.channels.rig import running_rig

pytestmark = pytest.mark.browser

PHONE = {"width": 375, "height": 720}


@pytest_asyncio.fixture(loop_scope="session")
async def rig():
    async with running_rig(has_demo=True) as running:
        yield running


def _button(page, name):
    return page.get_by_role("button", name=name, exact=True)


async def _subjects(rig):
    store = rig.widget.access.arrivals.store
    return [(await store.profile(state.id)).customer.subject for state in rig.store.states()]


async def _sign_in(page):
    await _button(page, "Sign in as a demo customer").press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("You are signed in")


async def test_who_signs_in_by_keyboard_asks_as_the_demo_customer(rig, page, widget):
    await _sign_in(page)
    await expect(_button(page, "Sign out")).to_be_focused()

    await _button(page, "How many lessons do I have?").press("Enter")

    await expect(widget.messages.filter(has_text="How many lessons")).to_be_visible()
    assert await _subjects(rig) == ["customer-1001"]


async def test_a_reload_keeps_the_customer_signed_in_until_they_sign_out(page, widget):
    await _sign_in(page)
    await page.reload()
    await _button(page, "Sign out").press("Enter")
    await expect(page.get_by_role("status")).to_have_text("You are signed out.")

    await page.reload()

    await expect(_button(page, "Sign in as a demo customer")).to_be_visible()
    await expect(widget.launcher).to_be_visible()


async def test_who_signed_out_signs_in_again(rig, page, widget):
    await _sign_in(page)
    await _button(page, "Sign out").press("Enter")
    rig.clock.advance(1)
    await _sign_in(page)

    await _button(page, "Which 10 are next?").press("Enter")

    await expect(widget.messages.filter(has_text="Which 10")).to_be_visible()
    assert set(await _subjects(rig)) == {"customer-1001"}


async def test_a_sign_in_that_fails_is_said_and_can_be_tried_again(page, widget):
    await page.route("**/demo/identity", lambda route: route.abort(), times=1)

    await _button(page, "Sign in as a demo customer").press("Enter")

    await expect(page.get_by_role("status")).to_contain_text("did not work")
    await _sign_in(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_is_accessible_on_a_phone(page, widget, scheme):
    await page.set_viewport_size(PHONE)
    await page.emulate_media(color_scheme=scheme)
    await _sign_in(page)

    found = await Axe().run(page)

    assert found.violations_count == 0, found.generate_report()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]

"""News that a customer has not seen: counted on the button and in the page's title, until they are looked at."""

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig
from tests.channels.staff import claim, reply

pytestmark = pytest.mark.browser

TITLE = "Parlato — one-to-one language lessons online"


@pytest_asyncio.fixture(loop_scope="session")
async def away(rig: Rig, widget: WidgetPage) -> WidgetPage:
    """A customer who waits for a person, and has closed the widget."""
    await widget.open()
    await widget.say("I want to talk to a person")
    await expect(widget.messages).to_have_count(3)
    await widget.button("Close chat").click()
    (state,) = rig.store.states()
    await claim(rig, state.id)
    return widget


async def say(rig: Rig, *texts: str) -> None:
    (state,) = rig.store.states()
    for text in texts:
        await reply(rig, state.id, text)


async def test_news_are_counted_on_the_button_and_in_the_title_until_they_are_seen(rig, page, away):
    await say(rig, "Hello.", "Are you there?")

    await expect(away.launcher).to_have_attribute("data-unread", "2")
    await expect(page).to_have_title(f"(2) {TITLE}")
    await away.launcher.click()
    await expect(page).to_have_title(TITLE)
    await away.button("Close chat").click()
    await expect(away.launcher).to_have_attribute("data-unread", "")


async def test_what_was_not_seen_is_still_not_seen_after_a_reload(rig, page, away):
    await say(rig, "Hello.")
    await expect(page).to_have_title(f"(1) {TITLE}")
    await page.reload()

    await expect(page).to_have_title(f"(1) {TITLE}")
    await expect(away.launcher).to_have_accessible_name("Open chat with our help assistant, 1 unread")


async def test_a_page_may_keep_its_title_and_count_for_itself(rig, page, away):
    await page.add_init_script(
        "Object.defineProperty(window, 'candorSettings', { get: () => ({ unreadTitle: false }), set() {} });"
        "addEventListener('candor:unread', ({ detail }) => (window.unread = detail.count))"
    )
    await page.reload()
    await away.launcher.wait_for()
    await say(rig, "Hello.")

    await page.wait_for_function("window.unread === 1")
    assert await page.title() == TITLE


async def test_a_title_that_the_page_has_changed_meanwhile_is_left_alone(rig, page, away):
    await say(rig, "Hello.")
    await expect(page).to_have_title(f"(1) {TITLE}")
    await page.evaluate("document.title = 'Your lessons'")
    await away.launcher.click()

    await expect(away.composer).to_be_visible()
    assert await page.title() == "Your lessons"


async def test_shutdown_gives_the_title_back(rig, page: Page, away):
    await say(rig, "Hello.")
    await expect(page).to_have_title(f"(1) {TITLE}")
    await page.evaluate("candor('shutdown')")

    await expect(page).to_have_title(TITLE)


async def test_what_is_seen_in_one_tab_is_seen_in_all(rig, page, away):
    tab = await page.context.new_page()
    await tab.goto(page.url)
    other = WidgetPage(tab)
    await other.launcher.wait_for()
    await say(rig, "Hello.")
    await expect(away.launcher).to_have_attribute("data-unread", "1")
    await expect(other.launcher).to_have_attribute("data-unread", "1")

    await other.launcher.click()

    await expect(away.launcher).to_have_attribute("data-unread", "")
    await expect(page).to_have_title(TITLE)

"""The console's views beside the desk: canned replies and past conversations."""

import pytest
from playwright.async_api import expect

from bot.core.accounts import AgentRole
from tests.browser.console.console_page import ConsolePage

pytestmark = pytest.mark.browser
NOTE_WHAT_IS_USED = """
  window.used = [];
  window.AudioContext = class extends AudioContext {
    constructor() { super(); used.push('sound'); }
  };
  Notification.requestPermission = async () => { used.push('notifications'); return 'denied'; };
"""


async def test_canned_replies_are_kept_by_content_people_and_only_read_by_agents(page, office, ben):
    content = ConsolePage(page, await office.hire("Cleo Text", AgentRole.CONTENT))
    await content.sign_in()
    await content.show("replies")

    await content.button("New canned reply").click()
    await page.get_by_label("Title").fill("Greeting")
    await page.get_by_label("Text").fill("Thank you for waiting.")
    await content.button("Save").click()
    await expect(page.locator(".canned")).to_contain_text("Thank you for waiting.")
    reader = ConsolePage(page, ben)
    await reader.sign_in()
    await page.reload()
    await expect(page.locator(".canned")).to_contain_text("Greeting")
    await expect(reader.button("New canned reply")).to_have_count(0)


async def test_a_past_conversation_is_found_by_its_words(console, office):
    conversation = await office.waiting("I want a person because of my accordion")
    await office.waiting()
    await console.show("search")

    await console.page.get_by_role("searchbox").fill("accordion")
    await console.page.keyboard.press("Enter")
    await expect(console.page.get_by_role("status").filter(has_text="1 conversation")).to_be_visible()
    await console.page.locator(".found").get_by_role("link").click()
    await expect(console.heading).to_be_focused()
    await expect(console.log).to_contain_text("accordion")
    assert console.page.url.endswith(conversation)


async def test_sounds_and_notifications_are_off_until_they_are_switched_on(console, office):
    await console.page.add_init_script(NOTE_WHAT_IS_USED)
    await console.show()
    await office.waiting()
    await expect(console.said).to_contain_text("A customer waits")
    assert await console.page.evaluate("used") == []

    await console.button("Settings").click()
    await console.page.get_by_label("Play a short sound").check()
    await console.page.get_by_label("Show desktop notifications").click()
    await expect(console.page.get_by_role("dialog")).to_contain_text("does not allow notifications")
    await expect(console.page.get_by_label("Show desktop notifications")).not_to_be_checked()
    await console.page.reload()
    await console.button("Settings").click()
    await expect(console.page.get_by_label("Play a short sound")).to_be_checked()

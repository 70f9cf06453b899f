"""What can be done with a conversation as a whole: beginning a new one, and taking it along."""

import asyncio
from pathlib import Path

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.browser.widget_page import WidgetPage

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session", params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
async def answered(request: pytest.FixtureRequest, page: Page, widget: WidgetPage) -> WidgetPage:
    """A customer with one answer, in a wide and in a narrow window."""
    await page.set_viewport_size(dict(zip(("width", "height"), request.param, strict=True)))
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    return widget


async def test_without_a_conversation_there_is_nothing_more(widget):
    await widget.open()

    await expect(widget.button("More")).to_be_hidden()


async def test_a_new_conversation_is_confirmed_and_the_server_keeps_the_old_one(rig, answered):
    await answered.button("More").click()
    await answered.button("New conversation").click()
    await expect(answered.frame.get_by_role("alertdialog")).to_contain_text("Our team keeps this one")
    await expect(answered.button("Cancel")).to_be_focused()
    await answered.button("New conversation").click()

    await expect(answered.messages).to_have_count(1)
    await expect(answered.composer).to_be_focused()
    assert len(rig.store.states()) == 2


async def test_what_is_said_then_belongs_to_the_new_one(rig, page, answered):
    await answered.button("More").click()
    await answered.button("New conversation").click()
    await answered.button("New conversation").click()
    await expect(answered.messages).to_have_count(1)
    await answered.say("I want to talk to a person")
    await expect(answered.messages).to_have_count(3)
    await page.reload()

    await expect(answered.messages).to_have_count(3)
    assert [state.last_customer_seq for state in rig.store.states()] == [1, 1]


async def test_a_new_conversation_that_cannot_be_begun_leaves_this_one(page, answered):
    await page.route("**/sessions", lambda route: route.abort())
    await answered.button("More").click()
    await answered.button("New conversation").click()
    await answered.button("New conversation").click()

    await expect(answered.frame.get_by_role("alert").filter(has_text="did not work")).to_be_visible()
    await answered.button("Cancel").click()
    await expect(answered.messages).to_have_count(3)


async def test_escape_closes_the_menu_alone_and_the_focus_goes_back(page, answered):
    await answered.button("More").focus()
    await page.keyboard.press("Enter")
    await expect(answered.button("New conversation")).to_be_focused()
    await page.keyboard.press("Escape")

    await expect(answered.frame.get_by_role("dialog")).to_have_count(0)
    await expect(answered.button("More")).to_be_focused()
    await expect(answered.composer).to_be_visible()


async def test_a_page_that_closes_the_widget_closes_the_menu_with_it(page, answered):
    await answered.button("More").click()
    await expect(answered.frame.get_by_role("dialog")).to_be_visible()
    await page.evaluate("candor('close')")
    await answered.open()

    await expect(answered.frame.get_by_role("dialog")).to_have_count(0)


async def test_who_begins_too_many_is_told_so(page, answered):
    refusal = {"error": {"code": "too_many_requests", "message": "Please wait a minute."}}
    await page.route("**/sessions", lambda route: route.fulfill(status=429, json=refusal))
    await answered.button("More").click()
    await answered.button("New conversation").click()
    await answered.button("New conversation").click()

    await expect(answered.frame.get_by_role("alert").filter(has_text="Please wait")).to_be_visible()


async def test_the_conversation_can_be_downloaded_as_text(page, answered):
    await answered.button("More").click()
    async with page.expect_download() as started:
        await answered.button("Download conversation").click()
    download = await started.value

    assert download.suggested_filename.startswith("conversation")
    text = await asyncio.to_thread(Path(await download.path()).read_text, encoding="utf-8")
    assert "How do I reschedule a class?" in text
    assert "My lessons" in text
    await expect(answered.frame.get_by_role("dialog")).to_have_count(0)


async def test_what_is_on_its_way_keeps_the_customer_in_this_conversation(page, answered):
    await page.route("**/messages", lambda route: route.abort())
    await answered.say("And cancel one?")
    await answered.button("More").click()

    await expect(answered.button("New conversation")).to_be_disabled()
    await expect(answered.button("Download conversation")).to_be_enabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_the_menu_and_it_fits(page, answered, scheme):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await answered.button("More").click()
    await answered.button("New conversation").click()
    inner = await answered.inner()
    found = (await Axe().run(inner)).response["violations"]
    box = await answered.frame.get_by_role("alertdialog").bounding_box()
    around = await page.locator("iframe").bounding_box()

    assert [violation["id"] for violation in found] == []
    assert box is not None
    assert around is not None
    assert around["x"] <= box["x"]
    assert box["x"] + box["width"] <= around["x"] + around["width"]

"""An answer that did not help, on the real bot and the sample articles: asked once what was missing, then a person."""

import shutil
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.whole_app import served
from tests.browser.widget_page import WidgetPage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]  # the first test waits for the sync


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def whole_application(synced_sample: Path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("candor") / "data"
    shutil.copytree(synced_sample, folder)
    async with served(folder) as address:
        yield address


@pytest.fixture
def live_server(whole_application):
    """Put the real service in the scripted one's place."""
    return whole_application


@pytest_asyncio.fixture(loop_scope="session", params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
async def doubting(request: pytest.FixtureRequest, page: Page, widget: WidgetPage) -> WidgetPage:
    """A customer whom the first answer did not help, and who was asked what was missing."""
    await page.set_viewport_size(dict(zip(("width", "height"), request.param, strict=True)))
    await widget.open()
    await widget.say("How do I reset my password?")
    await widget.button("No").click()
    await expect(widget.messages.nth(4)).to_contain_text("what was missing?")
    return widget


async def test_what_was_missing_is_looked_for_once_and_a_second_no_brings_a_person(doubting):
    await expect(doubting.composer).to_be_focused()
    await doubting.say("How do I change my email address?")
    await expect(doubting.messages).to_have_count(7)
    await doubting.button("No").click()

    await expect(doubting.frame.locator(".notice")).to_contain_text("sorry that my answer did not help")
    await expect(doubting.state).to_contain_text("in the queue for a person")


async def test_who_would_rather_have_a_person_taps_that(doubting):
    await doubting.frame.locator("candor-replies").get_by_role("button", name="Talk to a person").click()

    await expect(doubting.state).to_contain_text("in the queue for a person")


async def test_the_topics_are_those_of_the_installation(widget: WidgetPage):
    await widget.open()
    topics = widget.frame.locator("candor-replies").get_by_role("button")
    await expect(topics).not_to_have_count(0)
    await topics.first.click()

    await expect(widget.messages.nth(2)).to_contain_text("What would you like to know about it?")
    await expect(widget.frame.locator(".notice")).to_have_count(0)

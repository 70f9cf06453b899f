"""What customers leave beside their words, before agents: an image is shown and nothing of it runs; a rating is in words."""

import base64

import pytest
from playwright.async_api import expect

from tests.channels.console.test_keepsakes import NAME, rate, send

pytestmark = pytest.mark.browser

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ASKS = "window.drawn = document.querySelector('img.sent').decode().then(() => true, () => false)"


async def test_an_image_is_shown_by_its_name_and_saved_by_a_press(console, office):
    conversation = await office.waiting()
    await send(office, conversation, content=DOT)
    await console.open(conversation)

    image = console.log.get_by_role("img", name=NAME)
    await expect(image).to_be_visible()
    assert await console.page.evaluate(ASKS) is True
    link = console.log.get_by_role("link", name=NAME)
    await expect(link).to_have_attribute("download", NAME)
    assert await console.violations() == []


async def test_an_image_that_holds_a_page_is_saved_and_never_opened(console, office):
    """Its bytes begin as an image's and go on as a script."""
    conversation = await office.waiting()
    await send(office, conversation)
    await console.open(conversation)
    address = f"/console/v1/conversations/{conversation}/attachments/3"

    async with console.page.expect_download() as saving:
        await console.page.evaluate(f"location.href = '{address}'")

    assert (await saving.value).url.endswith(address)
    assert "attachments" not in console.page.url
    await expect(console.heading).to_be_visible()


async def test_a_rating_stands_in_the_head_and_its_comment_is_text(console, office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    await maria.do(conversation, "resolve", code="answered", seen=1)
    await console.open(conversation)

    await rate(office, conversation, 4)

    await expect(console.page.get_by_text("Rated 4 of 5: <i>Quick</i>")).to_be_visible()
    assert await console.page.locator(".page-fact i").count() == 0

"""Files that a customer gives: images where they are kept, elsewhere the name, which the bot says it can't read."""

import pytest
import pytest_asyncio
from playwright.async_api import Page, Request, expect

from bot.core.conversation import Kind
from bot.core.outcome import ReasonCode
from tests.browser.cable import Cable, on_the_way_back
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig, running_rig
from tests.channels.scripted import SAID, handing_over

pytestmark = pytest.mark.browser

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
UNREADABLE = "I can't read files. A person from our team will look at it."
HAND_IN = """async ([name, type, event, how]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3])], name, { type }));
  const given = how === "dataTransfer" ? new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer: data })
    : new ClipboardEvent(event, { bubbles: true, cancelable: true, clipboardData: data });
  document.querySelector("textarea").dispatchEvent(given);
}"""
DROP, PASTE = ("drop", "dataTransfer"), ("paste", "clipboardData")


def unreadable(_message):
    SAID[ReasonCode.UNSUPPORTED_MESSAGE] = UNREADABLE
    return handing_over(ReasonCode.UNSUPPORTED_MESSAGE)


@pytest_asyncio.fixture(loop_scope="session", params=[False, True], ids=["names", "images"])
async def rig(request: pytest.FixtureRequest):
    """A server that keeps images, or one that does not."""
    async with running_rig(keeps_images=request.param) as running:
        running.turns.script = unreadable
        yield running


async def files_of(rig: Rig) -> list[str]:
    """Return the names of the files in the only conversation."""
    (state,) = rig.store.states()
    messages = (await rig.store.snapshot(state.id, after=0)).messages
    return [message.text for message in messages if message.kind is Kind.FILE]


async def hand_in(widget: WidgetPage, name: str, media_type: str, how: tuple[str, str]) -> None:
    await (await widget.inner()).evaluate(HAND_IN, [name, media_type, *how])


@pytest.mark.parametrize("how", [DROP, PASTE], ids=["dropped", "pasted"])
async def test_what_is_dropped_or_pasted_is_given_and_the_bot_says_what_becomes_of_it(rig, widget, how):
    await widget.open()
    await hand_in(widget, "bill.png", "image/png", how)

    await expect(widget.messages.nth(1)).to_contain_text("bill.png")
    await expect(widget.frame.locator(".notice")).to_contain_text(UNREADABLE)
    assert await files_of(rig) == ["bill.png"]


@pytest.mark.parametrize("rig", [True], indirect=True, ids=["images"])
async def test_where_images_are_kept_a_button_asks_for_them(rig, page: Page, widget):
    await page.set_viewport_size({"width": 390, "height": 844})
    await widget.open()
    async with page.expect_file_chooser() as chosen:
        await widget.button("Attach an image").click()
    await (await chosen.value).set_files({"name": "bill.png", "mimeType": "image/png", "buffer": PNG})

    await expect(widget.messages.nth(1)).to_contain_text("bill.png")
    await expect(widget.frame.locator(".sending")).to_have_count(0)
    assert await files_of(rig) == ["bill.png"]


@pytest.mark.parametrize("rig", [False], indirect=True, ids=["names"])
async def test_where_they_are_not_there_is_no_button_and_no_content_is_sent(rig, page: Page, widget):
    bodies = []

    def note(request: Request) -> None:
        if request.url.endswith("/attachments"):
            bodies.append(request.post_data_buffer)

    page.on("request", note)
    await widget.open()
    await hand_in(widget, "bill.pdf", "application/pdf", DROP)

    await expect(widget.frame.locator(".notice")).to_be_visible()
    await expect(widget.button("Attach an image")).to_have_count(0)
    assert (await files_of(rig), [bool(body) for body in bodies]) == (["bill.pdf"], [False])


@pytest.mark.parametrize("rig", [True], indirect=True, ids=["images"])
async def test_what_is_no_image_is_declined_at_once_in_words(rig, widget):
    await widget.open()
    await expect(widget.button("Attach an image")).to_be_visible()
    await hand_in(widget, "bill.pdf", "application/pdf", DROP)

    await expect(widget.alert).to_contain_text("Only images of up to 5 MB can be sent")
    assert rig.store.states() == ()


@pytest.mark.parametrize("rig", [True], indirect=True, ids=["images"])
async def test_an_image_whose_receipt_is_lost_is_kept_once(rig, page: Page, widget):
    cable = Cable()
    await cable.lay(page.context)
    cable.lose("attachments", on_the_way_back)
    await widget.open()
    await expect(widget.button("Attach an image")).to_be_visible()
    await hand_in(widget, "bill.png", "image/png", PASTE)

    await expect(widget.messages).to_have_count(3)
    await expect(widget.frame.locator(".sending")).to_have_count(0)
    assert await files_of(rig) == ["bill.png"]

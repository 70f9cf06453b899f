"""The widget without a mouse, on a phone, and for people who use assistive technology."""

import pytest
from playwright.async_api import expect

from tests.browser.accessibility import violations as broken_rules
from tests.browser.widget_page import WidgetPage

pytestmark = pytest.mark.browser


async def test_a_whole_conversation_needs_only_the_keyboard(page, widget):
    await widget.launcher.focus()
    await page.keyboard.press("Enter")
    await expect(widget.composer).to_be_focused()
    await page.keyboard.type("first line")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("How do I reschedule?")
    await page.keyboard.press("Enter")

    await expect(widget.messages.nth(1)).to_contain_text(
        "first line\nHow do I reschedule?", use_inner_text=True
    )
    await expect(widget.composer).to_be_focused()
    await expect(widget.composer).to_be_empty()
    await page.keyboard.press("Escape")
    await expect(widget.launcher).to_be_focused()


async def test_tab_reaches_everything_in_the_order_in_which_it_is_read(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()
    await widget.button("Close chat").focus()

    reached = []
    for _ in range(7):
        await page.keyboard.press("Tab")
        inner = await widget.inner()
        look = "document.activeElement.ariaLabel ?? document.activeElement.textContent"
        reached.append(await inner.evaluate(look))

    link = "How to Reschedule a Lesson (opens in a new tab)"
    assert reached == ["Conversation", link, "Yes", "No", "Talk to a person", "Your message", "Send"]


@pytest.mark.parametrize("name", ["Yes", "Talk to a person"])
async def test_the_focus_goes_on_when_what_was_pressed_is_gone(page, widget, name):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()
    await widget.button(name).focus()

    await page.keyboard.press("Enter")

    await expect(widget.composer).to_be_focused()


async def test_new_messages_are_announced(widget):
    await widget.open()
    log = widget.frame.get_by_role("log")

    await expect(log).to_have_attribute("aria-live", "polite")
    await widget.say("How do I reschedule a class?")
    await expect(log).to_contain_text("Open My lessons.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_the_page_or_the_frame(page, widget, scheme):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    inner = await widget.inner()
    found = await broken_rules(page) + await broken_rules(inner)
    await widget.open()
    found += await broken_rules(page) + await broken_rules(inner)
    for text, button in [("How do I reschedule a class?", "Yes"), ("I must change something", "Less")]:
        await widget.say(text)
        await widget.button(button).wait_for()
        found += await broken_rules(inner)
    await widget.button("Talk to a person").click()
    await expect(widget.state).to_contain_text("queue")
    found += await broken_rules(inner)
    await page.context.set_offline(True)
    await expect(widget.state).to_contain_text("No connection")
    found += await broken_rules(inner)

    assert found == []


async def test_on_a_phone_the_panel_fills_the_screen(page, widget):
    await page.set_viewport_size({"width": 375, "height": 700})
    await widget.open()

    assert await page.locator("iframe").bounding_box() == {"x": 0, "y": 0, "width": 375, "height": 700}
    inner = await widget.inner()
    assert await inner.evaluate("document.documentElement.scrollWidth") == 375


async def test_on_a_desk_the_panel_is_380_by_600(page, widget):
    await widget.open()

    box = await page.locator("iframe").bounding_box()
    assert (box["width"], box["height"]) == (380, 600)


@pytest.mark.parametrize("width", [320, 375, 640])
async def test_the_demo_page_never_scrolls_sideways(page, widget, width):
    await page.set_viewport_size({"width": width, "height": 700})

    assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_at_twice_the_size_everything_can_still_be_reached(browser, live_server):
    # Twice the zoom on a screen of 1280 by 720 leaves half of each in CSS pixels.
    context = await browser.new_context(viewport={"width": 640, "height": 360}, device_scale_factor=2)
    page = await context.new_page()
    await page.goto(f"{live_server}/")
    widget = WidgetPage(page)
    await widget.open()

    box = await page.locator("iframe").bounding_box()
    assert box["y"] >= 0
    for name in ("Close chat", "Talk to a person", "Send"):
        await expect(widget.button(name)).to_be_in_viewport(ratio=1)
    await context.close()


async def test_on_the_narrowest_screen_nothing_is_cut_off(page, widget):
    await page.set_viewport_size({"width": 320, "height": 480})
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()

    inner = await widget.inner()
    assert await inner.evaluate("document.documentElement.scrollWidth") == 320
    for name in ("Close chat", "Yes", "No", "Talk to a person", "Send"):
        await expect(widget.button(name)).to_be_in_viewport(ratio=1)


async def test_nothing_moves_for_who_asked_for_stillness(widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").wait_for()

    inner = await widget.inner()
    assert await inner.evaluate("document.getAnimations().length") == 0


async def test_with_the_readers_own_colours_what_can_be_pressed_has_an_edge(page, widget):
    await page.emulate_media(forced_colors="active", reduced_motion="reduce")
    await expect(widget.frame.locator(".launcher")).to_have_css("border-top-width", "2px")
    await widget.open()

    for name in ("Close chat", "Send"):
        await expect(widget.button(name)).to_have_css("border-top-width", "2px")
    assert await broken_rules(await widget.inner()) == []

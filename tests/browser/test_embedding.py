"""The widget and the page that embeds it: what each may ask of the other, and what neither can reach."""

import pytest
from playwright.async_api import expect

from tests.browser.widget_page import WidgetPage
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

RECORD = """
  window.heard = [];
  for (const name of ["ready", "opened", "closed", "message", "handoff", "error"])
    addEventListener(`candor:${name}`, (event) => heard.push([name, event.detail]));
"""


async def _heard(page) -> list[str]:
    return [name for name, _ in await page.evaluate("heard")]


async def test_the_page_hears_what_happens_and_not_what_was_said(page, live_server):
    await page.add_init_script(RECORD)
    await page.goto(live_server)
    await page.evaluate("candor('ask', 'I want to talk to a person')")

    async def look() -> list[str] | None:
        heard = await _heard(page)
        return heard if "handoff" in heard else None

    heard: list[str] = await wait_until(look, deadline_s=20)

    assert heard[:2] == ["ready", "opened"]
    assert {"message", "handoff"} <= set(heard[2:])
    assert "person" not in str(await page.evaluate("heard"))


async def test_calls_before_the_loader_are_kept(page, live_server):
    await page.add_init_script(
        "window.candor = Object.assign((...c) => candor.q.push(c), { q: [] }); candor('open')"
    )
    await page.goto(live_server)

    await expect(page.frame_locator("iframe").get_by_role("textbox")).to_be_visible()


async def test_a_second_load_changes_nothing(page, widget):
    await page.add_script_tag(url="/widget.js")
    await page.evaluate("candor('boot')")

    assert await page.locator("iframe").count() == 1


async def test_shutdown_forgets_the_conversation(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    await page.evaluate("candor('shutdown')")
    await expect(page.locator("iframe")).to_have_count(0)

    await page.evaluate("candor('open')")

    await expect(widget.messages).to_have_count(1)


async def test_an_unknown_command_is_an_error_event(page, live_server):
    await page.add_init_script(RECORD)
    await page.goto(live_server)
    await page.evaluate("candor('constructor'); candor('dance')")

    assert (await _heard(page)).count("error") == 2


async def test_news_that_do_not_come_from_the_frame_are_ignored(page, widget):
    await page.evaluate("window.postMessage({ candor: 1, tell: 'gone' }, '*')")
    await page.evaluate("candor('open')")

    await expect(widget.composer).to_be_visible()


async def test_orders_that_do_not_come_from_the_page_are_ignored(page, widget):
    inner = await widget.inner()
    await inner.evaluate("window.postMessage({ candor: 1, do: 'ask', text: 'forged' }, '*')")
    await widget.open()

    await expect(widget.messages).to_have_count(1)


async def test_nothing_is_asked_of_any_other_server(widget, foreign_requests):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Yes").click()
    await widget.button("Talk to a person").click()
    await expect(widget.state).to_contain_text("queue")

    assert foreign_requests == []


async def test_what_is_called_while_it_leaves_is_done_when_it_is_gone(page, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)

    await page.evaluate("candor('shutdown'); candor('open')")

    await expect(widget.messages).to_have_count(1)
    assert await page.locator("iframe").count() == 1


async def test_a_page_may_say_when_it_begins_and_a_sign_out_needs_no_beginning(page, live_server):
    await page.add_init_script(
        "Object.defineProperty(window, 'candorSettings', { get: () => ({ boot: false }), set() {} })"
    )
    await page.goto(live_server)
    await page.wait_for_function("window.candor?.loaded")
    assert await page.locator("iframe").count() == 0

    await page.evaluate("candor('boot', { title: 'Ask us' }); candor('open')")
    await expect(page.frame_locator("iframe").get_by_role("heading")).to_contain_text("Ask us")
    await page.reload()
    await page.wait_for_function("window.candor?.loaded")
    await page.evaluate("candor('shutdown')")

    await expect(page.locator("iframe")).to_have_count(0)


async def test_the_page_chooses_the_side(page, live_server):
    await page.add_init_script(
        "Object.defineProperty(window, 'candorSettings', { get: () => ({ side: 'left' }), set() {} })"
    )
    await page.goto(live_server)
    await WidgetPage(page).open()

    assert (await page.locator("iframe").bounding_box())["x"] == 20


async def test_closing_by_the_page_leaves_the_focus_where_it_is(page, widget):
    await page.evaluate("candor('open')")
    await expect(widget.composer).to_be_focused()
    await page.get_by_role("link", name="Prices").focus()
    await page.evaluate("candor('close')")
    await expect(widget.launcher).to_be_visible()

    await expect(page.get_by_role("link", name="Prices")).to_be_focused()

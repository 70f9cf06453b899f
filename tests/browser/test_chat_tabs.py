"""Several tabs of one customer's, and a machine that sleeps: all show the same, and catch up."""

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.cable import Cable
from tests.browser.widget_page import WidgetPage
from tests.channels.staff import claim, reply
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

QUESTION = "How do I reschedule a class?"
PERSON = "I want to talk to a person"
HOUR_MS = 3_600_000


@pytest_asyncio.fixture(loop_scope="session")
async def other(page: Page, widget: WidgetPage) -> WidgetPage:
    """The widget in a second tab, opened before anything was said."""
    tab = await page.context.new_page()
    await tab.goto(page.url)
    opened = WidgetPage(tab)
    await opened.launcher.wait_for()
    await opened.open()
    return opened


async def test_a_conversation_that_begins_in_one_tab_is_in_the_other(rig, widget, other):
    await widget.open()
    await widget.say(QUESTION)
    await expect(other.messages).to_have_count(3)
    await other.say(PERSON)

    await expect(widget.messages).to_have_count(5)
    assert await widget.messages.all_inner_texts() == await other.messages.all_inner_texts()
    assert len(rig.store.states()) == 1


async def test_two_tabs_that_begin_at_once_begin_one_conversation(rig, widget, other):
    await widget.open()
    await widget.composer.fill(QUESTION)
    await other.composer.fill(PERSON)
    inner, beside = await widget.inner(), await other.inner()
    press = "document.querySelector('.send').click()"
    await inner.evaluate(press)
    await beside.evaluate(press)

    await expect(widget.frame.get_by_text(PERSON)).to_be_visible()
    await expect(other.frame.get_by_text(QUESTION)).to_be_visible()
    await expect(widget.frame.locator(".sending")).to_have_count(0)
    assert len(rig.store.states()) == 1


async def test_a_new_conversation_in_one_tab_is_the_new_one_of_all(rig, widget, other):
    await widget.open()
    await widget.say(QUESTION)
    await expect(other.messages).to_have_count(3)
    await widget.button("More").click()
    await widget.button("New conversation").click()
    await widget.button("New conversation").click()

    await expect(other.messages).to_have_count(1)
    await other.say(PERSON)
    await expect(widget.messages).to_have_count(3)
    assert len(rig.store.states()) == 2


async def test_who_leaves_in_one_tab_has_left_in_all(page, widget, other):
    await widget.open()
    await widget.say(QUESTION)
    await expect(other.messages).to_have_count(3)
    await page.evaluate("candor('shutdown')")

    await expect(other.messages).to_have_count(1)


async def test_what_another_tab_had_not_sent_is_gone_when_one_leaves(page, widget, other):
    await widget.open()
    await widget.say(QUESTION)
    await expect(other.messages).to_have_count(3)
    await page.context.set_offline(True)
    await other.say(PERSON)
    await expect(other.frame.locator(".sending")).to_have_count(1)
    await page.evaluate("candor('shutdown')")

    await expect(other.messages).to_have_count(1)
    assert await (await other.inner()).evaluate("sessionStorage.getItem('candor.sending')") == "[]"


async def test_a_tab_that_slept_for_an_hour_catches_up_with_messages_and_state(rig, page, widget):
    cable = Cable()
    await cable.lay(page.context)
    await page.clock.install()
    await page.reload()
    await widget.open()
    await widget.say(PERSON)
    await expect(widget.messages).to_have_count(3)
    (state,) = rig.store.states()
    cable.deafen()
    await claim(rig, state.id)
    await reply(rig, state.id, "Hello, I am Ana.")

    await page.clock.fast_forward(HOUR_MS)

    await expect(widget.messages).to_have_count(4)
    await expect(widget.state).to_contain_text("You are talking to a person.")


async def test_a_line_that_says_nothing_any_more_is_noticed_when_the_tab_is_looked_at(rig, page, widget):
    cable = Cable()
    await cable.lay(page.context)
    await page.reload()
    await widget.open()
    await widget.say(PERSON)
    await expect(widget.messages).to_have_count(3)
    (state,) = rig.store.states()
    cable.deafen()
    await claim(rig, state.id)
    await reply(rig, state.id, "Hello, I am Ana.")
    await (await widget.inner()).evaluate("dispatchEvent(new Event('online'))")

    await expect(widget.messages).to_have_count(4)
    assert await wait_until(lambda: len(cable.sockets) == 1, deadline_s=20)

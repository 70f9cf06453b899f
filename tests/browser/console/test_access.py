"""The console for everybody: assistive technology, small screens, dark rooms; and texts that are up to no good."""

import pytest
from playwright.async_api import expect

from bot.core.accounts import AgentRole
from tests.browser.console.console_page import ConsolePage, expect_no_sideways_scrolling
from tests.channels.console.door import PASSWORD
from tests.channels.hostile_texts import HOSTILE
from tests.channels.scripted import answering, by_keyword

pytestmark = pytest.mark.browser


async def _busy(office, maria):
    """A conversation with everything in it."""
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule?")
    await office.say(conversation, "I want to talk to a person")
    await maria.claim(conversation)
    await maria.reply(conversation, "Hello!")
    await maria.do(conversation, "note", client_message_id="n1", text="Be kind.")
    return conversation


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_any_view(console, office, maria, scheme):
    await console.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await console.show()
    await expect(console.page.get_by_text("Nobody is waiting")).to_be_visible()
    found = await console.violations()
    await office.waiting()
    conversation = await _busy(office, maria)
    await expect(console.rows).to_have_count(2)
    for route in ("queue", f"conversation/{conversation}", "search", "replies", "numbers"):
        await console.show(route)
        await console.page.locator("h2:visible").first.wait_for()
        found += await console.violations()

    assert found == []


async def test_axe_finds_nothing_in_any_panel(console, office, maria):
    await console.open(await _busy(office, maria))
    found = []
    for tab in ("Evidence", "Notes", "History"):
        await console.tab(tab)
        found += await console.violations()

    assert found == []


async def test_dialogs_give_the_focus_back_and_axe_finds_nothing_in_them(console, office, maria):
    await console.open(await _busy(office, maria))
    found = []
    for name in ("Canned replies", "Resolve…", "Transfer…", "Knowledge gap", "Settings", "Keyboard help"):
        await console.button(name).click()
        await console.page.get_by_role("dialog").wait_for()
        found += await console.violations()
        await console.page.keyboard.press("Escape")
        await expect(console.button(name)).to_be_focused()

    assert found == []


async def test_the_tabs_follow_the_arrow_keys(console, office, maria):
    await console.open(await _busy(office, maria))
    await console.page.get_by_role("tab", name="Evidence").focus()

    await console.page.keyboard.press("ArrowRight")
    await expect(console.page.get_by_role("tab", name="Notes (1)")).to_be_focused()
    await expect(console.note).to_be_visible()
    await console.page.keyboard.press("ArrowRight")
    await expect(console.side).to_contain_text("claimed the conversation")


@pytest.mark.parametrize("width", [360, 390, 1024, 1600])
async def test_nothing_scrolls_sideways(console, office, maria, width):
    await console.page.set_viewport_size({"width": width, "height": 800})
    conversation = await _busy(office, maria)

    for route in ("queue", f"conversation/{conversation}", "search", "replies"):
        await console.show(route)
        await expect_no_sideways_scrolling(console.page)


async def test_a_phone_shows_one_thing_at_a_time(console, office, maria):
    await console.page.set_viewport_size({"width": 390, "height": 800})
    conversation = await _busy(office, maria)
    await console.show()

    await console.rows.get_by_role("link").click()
    await expect(console.heading).to_be_focused()
    await expect(console.rows).to_be_hidden()
    await console.button("Evidence and notes").click()
    await expect(console.reply).to_be_hidden()
    await console.button("Close").click()
    await expect(console.reply).to_be_visible()
    await console.button("Back to the queue").click()
    await expect(console.rows.get_by_role("link")).to_be_focused()
    assert conversation not in await console.page.title()


async def test_who_works_on_articles_reads_and_marks_but_does_not_reply(page, office):
    content = ConsolePage(page, await office.hire("Cleo Text", AgentRole.CONTENT))
    await content.sign_in()
    conversation = await office.waiting()
    await content.open(conversation)

    await expect(content.page.locator("#reply-hint")).to_contain_text("agents reply")
    await expect(content.button("Claim")).to_have_count(0)
    await expect(content.button("Knowledge gap")).to_be_enabled()
    await expect(content.rows.get_by_role("button")).to_have_count(0)


async def test_whatever_anybody_writes_runs_nothing_and_loads_nothing(
    console, office, maria, foreign_requests
):
    office.turns.script = lambda message: answering(*HOSTILE, sources=())
    conversation = await office.open()
    await office.say(conversation, "\n".join(HOSTILE)[:4_000])
    office.turns.script = by_keyword
    await office.say(conversation, f"{HOSTILE[0]} person")
    await maria.do(conversation, "note", client_message_id="n1", text="\n".join(HOSTILE)[:4_000])

    await console.open(conversation)
    await console.tab("Notes")
    await expect(console.side).to_contain_text("<script>alert(1)</script>")
    await expect(console.log).to_contain_text("<script>alert(1)</script>")
    bad = ":is(img, script, style, iframe, object, [onerror], [onload], [style], a[href^='javascript'])"
    assert await console.page.locator(f"main {bad}").count() == 0
    assert foreign_requests == []


async def test_who_is_not_signed_in_signs_in_first(page, office, maria):
    stranger = ConsolePage(page, maria)
    await page.goto(f"{stranger.url}#/search")
    await expect(page.get_by_label("E-mail address")).to_be_focused()
    found = await stranger.violations()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")

    await page.get_by_label("E-mail address").fill("maria@shop.example")
    await page.locator("#password").fill(PASSWORD)
    await page.locator("#password").press("Enter")
    await expect(page.get_by_role("heading", name="Search past conversations")).to_be_visible()
    await stranger.button("Sign out").click()
    await expect(page.get_by_label("E-mail address")).to_be_focused()
    assert found == []

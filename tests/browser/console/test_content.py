"""The content page in Chromium, on the real service: what content people see, decide, download and try."""

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from bot.core.accounts import AgentRole
from tests.browser.console.console_page import ConsolePage, console_for, expect_no_sideways_scrolling
from tests.browser.console.content_desk import (
    CURRENT,
    OUTDATED,
    REPLY,
    UNANSWERED,
    opened_content_desk,
    record,
)
from tests.faults.knowledge import QUESTION

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]  # the first test waits for a sync

TABS = ("health", "articles", "pairs", "gaps", "tester", "what-if")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desk(tmp_path_factory):
    async with opened_content_desk(tmp_path_factory.mktemp("content")) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def maria(desk):
    """Answers customers, and has answered one."""
    agent = await desk.hire("Maria Lopez")
    await record(desk, agent)
    return agent


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def cleo(desk, maria):
    """Works on the articles."""
    return await desk.hire("Cleo Marsh", AgentRole.CONTENT)


@pytest.fixture
def live_server(desk):
    """Put the real service in the scripted one's place."""
    return desk.url


@pytest_asyncio.fixture(loop_scope="session")
async def console(page: Page, cleo) -> ConsolePage:
    """Cleo's browser, signed in and blank."""
    console = ConsolePage(page, cleo)
    await console.sign_in()
    return console


async def show(console: ConsolePage, tab: str) -> None:
    """Open a part of the page, and wait for what it asks the service."""
    await console.show(f"content/{tab}")
    panel = console.page.locator(f"#panel-{tab}")
    await panel.wait_for()
    await expect(panel.get_by_text("Loading…")).to_have_count(0)


async def try_question(console: ConsolePage, text: str) -> None:
    await console.page.get_by_role("textbox", name="Message 1", exact=True).fill(text)
    await console.button("Search").click()


async def test_who_works_on_articles_lands_on_them_and_finds_the_address_that_was_handed_out(console):
    await console.page.goto(console.url)
    await expect(console.page.get_by_role("heading", name="Content")).to_be_visible()
    landed = console.page.url

    await console.page.goto(f"{console.url}/content")
    await expect(console.page.get_by_role("tab", name="Health")).to_have_attribute("aria-selected", "true")
    assert landed == console.page.url == f"{console.url}#/content/health"


async def test_agents_land_on_the_queue_and_only_read_the_content(browser: Browser, maria):
    console = await console_for(browser, maria)
    await console.page.goto(console.url)
    await console.page.get_by_role("link", name="Content").click()
    await console.page.get_by_role("tab", name="Pairs").click()

    await expect(console.page.locator("#panel-pairs")).to_contain_text("Your role reads this")
    await expect(console.page.get_by_role("button", name="Keep this one")).to_have_count(0)
    await expect(console.page.get_by_role("heading", name="Contradiction 1")).to_be_visible()
    await console.page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_any_part(console, scheme):
    await console.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = []
    for tab in TABS:
        await show(console, tab)
        if tab == "tester":
            await try_question(console, QUESTION)
            await expect(console.page.get_by_role("table")).to_be_visible()
        found += await console.violations()

    assert found == []


@pytest.mark.parametrize("width", [390, 1024, 1440])
async def test_no_part_scrolls_sideways(console, width):
    await console.page.set_viewport_size({"width": width, "height": 800})
    for tab in TABS:
        await show(console, tab)
        await expect_no_sideways_scrolling(console.page)
        pages = "node => node.scrollWidth - node.clientWidth"
        assert await console.page.locator(".pages").evaluate(pages) == 0


async def test_the_parts_follow_the_arrow_keys_and_the_address_follows_them(console):
    await show(console, "health")
    await console.page.get_by_role("tab", name="Health").focus()

    await console.page.keyboard.press("ArrowRight")
    await expect(console.page.get_by_role("tab", name="Articles")).to_be_focused()
    await expect(console.page.get_by_role("table", name="Articles of the live index")).to_be_visible()
    await console.page.reload()
    await expect(console.page.get_by_role("tab", name="Articles")).to_have_attribute("aria-selected", "true")


async def test_health_says_what_is_live_and_how_to_go_back(console):
    await show(console, "health")

    panel = console.page.locator("#panel-health")
    await expect(panel).to_contain_text("4 articles")
    await expect(panel).to_contain_text("Set KB_SYNC_EVERY")
    await expect(panel).to_contain_text("There is no state before the live one")
    runs = panel.get_by_role("table", name="Runs of the sync")
    await expect(runs.get_by_role("row")).to_have_count(2)
    await expect(runs).to_contain_text("done")


async def test_an_article_is_found_by_its_words_and_opens_with_its_text(console):
    await show(console, "articles")
    await console.page.get_by_label("Words in title, tags or text").fill("workdays")
    await expect(console.page.get_by_text("1 of 4 articles")).to_be_visible()

    opener = console.button("Read “When support is open”")
    await opener.click()
    dialog = console.page.get_by_role("dialog", name="When support is open")
    await expect(dialog).to_contain_text("On Sunday it is closed.")
    found = await console.violations()
    await dialog.get_by_role("button", name="Close").click()
    await expect(opener).to_be_focused()
    assert found == []


async def test_a_contradiction_stands_side_by_side_with_what_differs_marked(console):
    await show(console, "pairs")

    sides = console.page.get_by_role("table", name="Sentences that differ").first
    await expect(sides.get_by_role("columnheader")).to_have_count(2)
    marks = sides.locator("mark")
    await expect(marks).to_have_text(["24", "12"])
    for mark in await marks.all():
        await expect(mark).to_have_css("text-decoration-line", "underline")
        await expect(mark).to_have_css("font-weight", "700")


async def test_a_decision_is_asked_about_listed_and_undone(console):
    await show(console, "pairs")
    await console.button(f"Keep this one: {CURRENT}").click()
    dialog = console.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(f"“{OUTDATED}” is superseded at once")
    found = await console.violations()
    await console.page.keyboard.press("Escape")
    await expect(console.button(f"Keep this one: {CURRENT}")).to_be_focused()

    await console.button(f"Keep this one: {CURRENT}").click()
    await console.button("Supersede the other").click()
    await expect(console.page.locator(".decided")).to_contain_text(f"{OUTDATED} is superseded by {CURRENT}")
    await expect(console.page.locator("#panel-pairs [role=status]")).to_be_focused()
    await console.page.get_by_role("button", name="Undo the decision").click()
    await console.page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    await expect(console.page.get_by_text("1 pair to decide")).to_be_visible()
    assert found == []


async def test_two_articles_are_marked_as_distinct_and_shown_again_when_that_is_undone(console):
    await show(console, "pairs")
    await console.button("Mark as distinct").click()
    await console.page.get_by_role("dialog").get_by_role("button", name="Mark as distinct").click()

    await expect(console.page.get_by_text("No pair needs a decision.")).to_be_visible()
    await console.page.get_by_role("button", name="Undo the decision").click()
    await console.page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    await expect(console.page.get_by_role("heading", name="Contradiction 1")).to_be_visible()


async def test_a_gap_leads_to_its_conversation_and_back(console):
    await show(console, "gaps")
    gap = console.page.locator(".gap").filter(has_text=UNANSWERED)
    await gap.get_by_text("How agents answered (1)").click()
    await expect(gap).to_contain_text(REPLY)

    await gap.get_by_text("Questions (1)").click()
    await expect(gap.get_by_role("button", name="Read “")).to_be_visible()
    await gap.get_by_role("link", name=UNANSWERED, exact=True).click()
    await expect(console.log).to_contain_text(UNANSWERED)
    await console.page.go_back()
    await expect(gap).to_contain_text(REPLY)


async def test_gaps_are_downloaded_as_a_table_and_as_a_draft(console):
    await show(console, "gaps")

    async with console.page.expect_download() as table:
        await console.page.get_by_role("link", name="Download as CSV").click()
    async with console.page.expect_download() as draft:
        await console.page.get_by_role("link", name="Draft an article about").first.click()

    assert (await table.value).suggested_filename == "gaps.csv"
    text = (await (await draft.value).path()).read_text(encoding="utf-8")
    assert "status: draft" in text
    assert REPLY in text


async def test_a_conversation_is_tried_and_shows_ranks_and_verdict(console):
    await show(console, "tester")
    await try_question(console, QUESTION)
    await expect(console.page.get_by_role("status").filter(has_text="Enough evidence")).to_be_visible()
    await expect(console.page.get_by_role("img", name="cosine").first).to_be_visible()
    await expect(console.page.get_by_text("this question's own threshold")).to_be_visible()

    await console.button("Add a message").click()
    await expect(console.page.get_by_role("textbox", name="Message 2")).to_be_focused()
    await console.page.get_by_label("Who wrote message 2").select_option("Assistant")
    await console.page.get_by_role("textbox", name="Message 2").fill("On which day?")
    await console.button("Search").click()
    await expect(console.page.get_by_role("status").filter(has_text="do not end with")).to_be_visible()
    await console.button("Remove message 2").click()
    await expect(console.button("Add a message")).to_be_focused()


async def test_the_slider_takes_the_keyboard_and_each_turn_opens(console):
    await show(console, "what-if")
    slider = console.page.get_by_role("slider", name="Threshold")
    await expect(slider).to_be_enabled()
    await slider.focus()

    await console.page.keyboard.press("End")
    answered = console.page.get_by_role("table", name="Would have been handed over")
    await expect(answered).to_contain_text(QUESTION)
    await console.page.keyboard.press("Home")
    stopped = console.page.get_by_role("table", name="Would have been answered")
    await expect(stopped).to_contain_text(UNANSWERED)
    await stopped.get_by_role("link", name=UNANSWERED).click()
    await expect(console.log).to_contain_text(UNANSWERED)


async def test_an_exact_threshold_is_typed_and_the_one_in_force_comes_back(console):
    await show(console, "what-if")
    exact = console.page.get_by_label("Exact value")
    in_force = await exact.input_value()

    await exact.fill("0.9")
    await expect(console.page.get_by_role("status").filter(has_text="At 0.900:")).to_be_visible()
    await console.button("Back to the threshold in force").click()
    await expect(console.page.get_by_role("status").filter(has_text=f"At {in_force}:")).to_be_visible()
    await expect(console.page.get_by_role("img", name="How many turns change")).to_be_visible()

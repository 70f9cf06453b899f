"""What a newcomer gets: the demo page in Chromium, on the real service and the synced sample articles."""

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.browser.whole_app import served, sync_sample
from tests.browser.widget_page import WidgetPage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]  # the first test waits for the sync

MORE = "How to Reschedule a Lesson"
LESS = "Rescheduling With Less Than 24 Hours Notice"
PHONE = {"width": 375, "height": 720}
BEYOND_THE_EDGE = """() => [...document.querySelectorAll("body *")]
  .filter((element) => !element.matches(".quiet, .author, h1 i"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth
    || element.matches("candor-log, .bubble") && element.scrollWidth > element.clientWidth)
  .map((element) => element.outerHTML.slice(0, 120))"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def whole_application(tmp_path_factory):
    folder = tmp_path_factory.mktemp("candor")
    await sync_sample(folder)
    async with served(folder) as address:
        yield address


@pytest.fixture
def live_server(whole_application):
    """Put the real service in the scripted one's place."""
    return whole_application


@pytest_asyncio.fixture(loop_scope="session")
async def answered(widget):
    """The widget after the seed question was answered."""
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    return widget


def _source(message, title):
    return message.locator(".sources").get_by_role("link", name=title)


async def _followed(page, link) -> Page:
    """Click a link and return the tab that it opens."""
    async with page.context.expect_page() as opened:
        await link.click()
    tab: Page = await opened.value
    return tab


async def _violations(place) -> str:
    found = await Axe().run(place)
    return "" if found.violations_count == 0 else found.generate_report()


async def test_the_seed_question_is_answered_with_steps_and_what_they_depend_on(answered):
    answer = answered.messages.nth(2)

    steps = answer.locator("ol > li")
    await expect(steps.first).to_have_text("Sign in and open My lessons > Upcoming.")
    await expect(steps).to_have_count(5)
    link = _source(answer, MORE)
    await expect(link).to_have_attribute("href", "/articles/KB000003")
    await expect(answer).to_contain_text(f"Other rules apply with less than 24 hours: see “{LESS}”")
    await expect(answered.button("Less than 24 hours")).to_be_visible()


async def test_the_source_of_the_first_answer_opens_the_article(page, answered, foreign_requests):
    article = await _followed(page, _source(answered.messages.nth(2), MORE))

    await expect(article.get_by_role("heading", level=1)).to_have_text(MORE)
    await expect(article.get_by_role("heading", name="Steps to reschedule")).to_be_visible()
    steps = article.locator("ol > li")
    await expect(steps).to_have_count(5)
    await expect(steps.first).to_have_text("Sign in and open My lessons > Upcoming.")
    await expect(article.get_by_text("Last changed on 20 August 2026")).to_be_visible()
    assert await _violations(article) == ""
    assert foreign_requests == []


async def test_an_article_leads_to_others_and_back_to_the_start(page, live_server):
    await page.goto(f"{live_server}/articles/KB000004")
    other = await _followed(page, page.get_by_role("link", name=MORE))
    await expect(other.get_by_role("heading", name="Steps to reschedule")).to_be_in_viewport()

    await other.get_by_role("link", name="Back to the start page").click()

    await expect(other).to_have_url(f"{live_server}/")


@pytest.mark.parametrize(
    "article", ["KB000068", "KB000039", "KB999999"], ids=["draft", "superseded", "unknown"]
)
async def test_an_article_that_is_not_for_customers_is_not_there(page, live_server, article):
    await page.goto(f"{live_server}/articles/{article}")

    await expect(page.get_by_role("heading")).to_have_text("We have no such article")
    assert await _violations(page) == ""


async def test_a_bare_reply_is_answered_from_the_article_it_means(answered):
    await answered.say("no its more than 24 hours")

    answer = answered.messages.nth(4)
    await expect(_source(answer, MORE)).to_be_visible()
    await expect(answer.locator("ol > li").first).to_contain_text("My lessons > Upcoming")
    await expect(_source(answer, LESS)).to_have_count(0)


async def test_a_tapped_option_is_answered_from_the_other_article(answered):
    await answered.button("Less than 24 hours").click()

    answer = answered.messages.nth(4)
    await expect(_source(answer, LESS)).to_be_visible()
    await expect(answer.locator("ol > li").nth(1)).to_contain_text("Ask for a new time")
    await expect(_source(answer, MORE)).to_have_count(0)


async def test_what_no_article_covers_is_handed_over_and_never_answered(widget):
    await widget.open()
    await widget.say("How do I book a class?")

    await expect(widget.frame.locator(".notice")).to_contain_text(
        "I looked through our articles and found none"
    )
    await expect(widget.state).to_contain_text("in the queue for a person")
    await expect(widget.messages).to_have_count(3)
    await expect(widget.frame.locator(".sources")).to_have_count(0)


async def test_who_asks_for_a_person_is_handed_over_and_told_so(widget):
    await widget.open()
    await widget.say("I want to talk to a person")

    await _expect_a_person_was_asked(widget)


async def test_the_button_hands_over_and_says_so(widget):
    await widget.open()
    await widget.button("Talk to a person").click()

    await _expect_a_person_was_asked(widget)


async def test_a_request_for_a_person_counts_when_thanks_follow_at_once(widget):
    await widget.open()
    await widget.say("can I get a person")
    await widget.say("thanks")

    await _expect_a_person_was_asked(widget)


async def _expect_a_person_was_asked(widget):
    await expect(widget.frame.locator(".notice")).to_contain_text("passing you on to a person from our team")
    await expect(widget.state).to_contain_text("in the queue for a person")
    await expect(widget.button("A person has been asked")).to_be_disabled()


async def test_a_reload_keeps_the_conversation_in_order(page, answered):
    await answered.say("no its more than 24 hours")
    await expect(answered.messages).to_have_count(5)
    said = await answered.messages.all_inner_texts()

    await page.reload()
    await answered.open()

    await expect(answered.messages).to_have_count(5)
    assert await answered.messages.all_inner_texts() == said


async def test_a_real_answer_is_accessible_and_asks_nothing_of_other_servers(
    page, answered, foreign_requests
):
    assert await _violations(page) == ""
    assert await _violations(await answered.inner()) == ""
    assert foreign_requests == []


async def test_nothing_is_wider_than_a_phone(page, live_server):
    await page.set_viewport_size(PHONE)
    await page.goto(live_server)
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await widget.button("Less than 24 hours").click()
    await expect(widget.messages).to_have_count(5)

    assert await page.evaluate(BEYOND_THE_EDGE) == []
    assert await (await widget.inner()).evaluate(BEYOND_THE_EDGE) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_an_article_with_a_table_is_for_phones_and_the_dark_too(page, live_server, scheme):
    await page.set_viewport_size(PHONE)
    await page.emulate_media(color_scheme=scheme)
    await page.goto(f"{live_server}/articles/KB000014")

    await expect(page.get_by_role("table")).to_be_visible()
    assert await page.evaluate(BEYOND_THE_EDGE) == []
    assert await _violations(page) == ""

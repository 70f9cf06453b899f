"""The evidence of real turns beside a conversation, and what agents insert from articles and canned replies."""

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from bot.channels.console.evidence import to_evidence
from bot.core.desk import CannedReply
from bot.errors import RetrievalUnavailable
from tests.channels.console.office import Office
from tests.service.records_rig import BROKEN, BROKEN_SQL, COUNT, HOW_MANY, OPERATOR, a_records_rig
from tests.service.rig import QUESTION, REPLIES, UNCOVERED, a_rig

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def rig():
    """A real bot, whose turns are shown in place of the scripted one's."""
    return await a_rig()


async def _open_with(console, office: Office, rig, text: str) -> None:
    """Open a conversation whose every turn shows the evidence of the bot's turn about *text*."""
    turn = await rig.ask(text)
    evidence = to_evidence(turn, await rig.messages(), REPLIES, "en")

    async def answer(route: Route) -> None:
        await route.fulfill(json=evidence)

    await console.page.route("**/turns/*", answer)
    conversation = await office.open()
    await office.say(conversation, "How do I reschedule?")
    await console.open(conversation)


async def test_an_answer_shows_what_was_searched_and_what_it_rests_on(console, office, rig):
    await _open_with(console, office, rig, QUESTION)

    await console.button("Why this answer").click()
    await expect(console.side).to_contain_text("Why this answer was given")
    await expect(console.side.locator("blockquote")).to_have_text(QUESTION)
    bar = console.side.get_by_role("img").first
    assert (await bar.get_attribute("aria-label")).endswith(": used")
    await console.button("message 1").click()
    await expect(console.log.locator("desk-message").first).to_be_focused()


async def test_a_handoff_shows_how_far_the_best_passage_was_from_the_threshold(console, office, rig):
    await _open_with(console, office, rig, UNCOVERED)

    await expect(console.side).to_contain_text("No article was found about this.")
    label = await console.side.get_by_role("img").first.get_attribute("aria-label")
    assert label.startswith("cosine 0.")
    assert label.endswith(": below")
    await expect(console.side.locator(".bar .threshold").first).to_be_attached()


async def test_what_records_were_asked_is_shown_with_the_databases_error(console, office):
    records = await a_records_rig(BROKEN, COUNT)
    await _open_with(console, office, records.rig, HOW_MANY)

    await console.button("Why this answer").click()
    shown = console.side.locator(".statements li")
    await expect(shown).to_have_count(2)
    await expect(shown.first.locator("pre")).to_have_text(BROKEN_SQL)
    await expect(shown.first).to_contain_text(OPERATOR)
    await expect(shown.last).to_contain_text("1 row")
    await expect(console.side).to_contain_text("an answer from the customer")
    await expect(console.side).to_contain_text("The customer's own records · scripted-planner")


async def test_what_failed_is_said_in_words(console, office, rig):
    rig.embedder.at_embed.fails = RetrievalUnavailable("x")
    await _open_with(console, office, rig, QUESTION)

    await expect(console.side).to_contain_text("Failed at: ")
    await expect(console.side.locator("tr.failed")).to_contain_text("the search")
    assert await console.violations() == []


async def test_an_article_is_inserted_with_its_link_and_without_its_markdown(console, office, maria):
    article = {
        "id": "KB000003",
        "title": "How to Reschedule",
        "url": "/articles/KB000003",
        "excerpt": "1. Open **My lessons**, see [Times](/articles/KB000004).",
        "cosine": 0.7,
    }

    async def suggest(route: Route) -> None:
        await route.fulfill(json={"articles": [article], "problem": None})

    await console.page.route("**/suggestions*", suggest)
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)

    await console.button("Articles").click()
    await console.page.get_by_role("button", name="How to Reschedule").click()
    link = f"{office.url}/articles/KB000003"
    await expect(console.reply).to_have_value(f"1. Open My lessons, see Times.\n\nHow to Reschedule: {link}")
    await expect(console.reply).to_be_focused()


def _canned(title: str, text: str) -> CannedReply:
    return CannedReply(id=title, title=title, text=text)


async def test_a_canned_reply_is_found_by_its_words_and_inserted_where_the_cursor_is(console, office, maria):
    await office.desk.desk.save_canned_reply(_canned("greeting", "Thank you for waiting."))
    await office.desk.desk.save_canned_reply(_canned("goodbye", "Have a nice day."))
    conversation = await office.waiting()
    await maria.claim(conversation)
    await console.open(conversation)
    await console.reply.fill("Hello! ")

    await console.button("Canned replies").click()
    await console.page.get_by_label("Find").fill("wait")
    await expect(console.page.locator(".picks button")).to_have_count(1)
    await console.page.locator(".picks button").press("Enter")

    await expect(console.reply).to_have_value("Hello! Thank you for waiting.")


async def test_evidence_that_is_not_kept_is_said_to_be_gone(console, office):
    async def miss(route: Route) -> None:
        await route.fulfill(status=404, json={"error": {"code": "turn_unknown", "message": "No such turn."}})

    await console.page.route("**/turns/*", miss)
    conversation = await office.waiting()
    await console.open(conversation)

    await expect(console.side).to_contain_text("The evidence of this answer is not kept any more.")

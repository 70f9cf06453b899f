"""The Procfile's processes over one MongoDB server: the customer at one, the agent at another, and either killed (FAULTS R-W15)."""

import re
from urllib.parse import urlsplit

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.core.conversation import ConversationId
from tests.browser.widget_page import WidgetPage
from tests.faults.agents import Agent
from tests.faults.formation import Formation
from tests.faults.knowledge import FOR_A_PERSON, QUESTION, calibrate, write_articles
from tests.vendors.atlas import atlas

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SYNCED = re.compile(r"2 added|added\D+2")
TOLD_WITHIN_S = 2.0
AGAIN_WITHIN_S = 60.0  # a process starts, and the widget asks for it again


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def formation(tmp_path_factory):
    """Everything migrated, and the worker's first sync through."""
    folder = tmp_path_factory.mktemp("formation")
    environment = {
        "CANDOR_DATA_DIR": str(folder / "data"),
        "KB_SOURCE": str(write_articles(folder / "articles")),
        "MONGODB_URI": atlas().uri,
        "MONGODB_DATABASE": "formation",
        "SECRET_KEY": "k" * 40,
        "PORT": "0",
    }
    formation = Formation(folder=folder, environment=environment)
    try:
        assert "MongoDB database formation: unique indexes 0 → 8" in await formation.run("release")
        worker = await formation.start("worker")
        await worker.prints(SYNCED)
        await calibrate(formation.settings)
        yield formation
    finally:
        await formation.clear()


@pytest_asyncio.fixture(loop_scope="session")
async def http():
    async with aiohttp.ClientSession() as session:
        yield session


@pytest_asyncio.fixture(loop_scope="session")
async def pair(formation):
    """Two services, side by side."""
    return [await formation.start("web") for _ in range(2)]


@pytest_asyncio.fixture(loop_scope="session")
async def widget(browser, pair):
    """A customer at the first process, who was answered and then asked for a person."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{await pair[0].address()}/")
    widget = WidgetPage(page)
    await widget.open()
    await widget.say(QUESTION)
    await expect(widget.frame.get_by_text("Support is open from 8 to 20")).to_be_visible()
    await widget.say(FOR_A_PERSON)
    await expect(widget.state).to_contain_text("in the queue for a person")
    yield widget
    await context.close()


async def assert_told(widget: WidgetPage, text: str, *, within_s: float = TOLD_WITHIN_S) -> None:
    await expect(widget.frame.get_by_text(text, exact=True)).to_be_visible(timeout=within_s * 1000)


async def test_whichever_process_is_killed_the_customer_and_the_agent_go_on(widget, formation, pair, http):
    """The customer's browser stays at one address, which the platform starts anew; the agent goes wherever a process lives."""
    one, other = pair
    address, desk = await one.address(), await other.address()
    agent = await Agent.hire(http, formation.settings, "maria")
    (row,) = await agent.queue(desk)
    conversation = ConversationId(row["conversation"])
    assert await agent.claim(desk, conversation)
    assert await agent.reply(desk, conversation, "Hello from another", message_id="r1")
    await assert_told(widget, "Hello from another")

    await other.kill()
    assert await agent.reply(address, conversation, "Hello from yours", message_id="r2")
    await assert_told(widget, "Hello from yours")

    third = await formation.start("web")
    desk = await third.address()
    await one.kill()
    await widget.say("Is anybody there?")
    assert await agent.reply(desk, conversation, "I am", message_id="r3")
    await formation.start("web", PORT=str(urlsplit(address).port))
    await assert_told(widget, "I am", within_s=AGAIN_WITHIN_S)
    await expect(widget.frame.get_by_text("Is anybody there?")).to_have_count(1)

"""R-W17 at the desk: whoever wrote it, wherever it stands, no text runs, loads, asks or turns anything in an agent's browser."""

import re
import unicodedata

import pytest
import pytest_asyncio
from playwright.async_api import Frame, Page, expect

from bot.core.conversation import Channel, ConversationId, Role
from tests.browser.console.console_page import ConsolePage
from tests.browser.ill_will import IllWill
from tests.browser.whole_desk import opened_desk
from tests.channels.hostile_texts import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SCRIPT = "<script>alert(1)</script>"
SUGGESTIONS = {
    "articles": [
        {"id": f"h{number}", "title": text, "url": text, "excerpt": text, "cosine": 0.9}
        for number, text in enumerate(HOSTILE)
    ],
    "problem": None,
}
# The icons of the console's own buttons and the bars of the evidence are SVG without any of these.
BAD = (
    ":is(img, image, script, style, iframe, object, embed, video, audio, source, link, base, form[action], input[type=image], "
    "foreignObject, animate, use, [style]:not(textarea), [srcset], [background], [poster], [ping], [onerror], [onload], [ontoggle], [onfocus], "
    "[href^='javascript' i], [href^='data' i], [href*='evil.example']:not([rel~=noopener]))"
)
# A sign that turns the direction may turn the rest of its own paragraph or isolate, in which nobody else's text may stand.
TURNED = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  const above = (text, isApart) => {
    let element = text.parentElement;
    while (!isApart(getComputedStyle(element))) element = element.parentElement;
    return element;
  };
  const block = (text) => above(text, ({ display }) => display !== "inline");
  const home = (text) => above(text, ({ display, unicodeBidi }) => display !== "inline" || unicodeBidi !== "normal");
  const turns = (text, next) => next && block(next) === block(text) && home(text).contains(next);
  return texts
    .filter((text, index) => /[\u202a-\u202e\u2066-\u2069]/.test(text.data) && turns(text, texts[index + 1]))
    .map((text) => home(text).outerHTML.slice(0, 200));
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desk(tmp_path_factory):
    async with opened_desk(tmp_path_factory.mktemp("candor")) as running:
        yield running


@pytest.fixture
def live_server(desk):
    """Put the real service in the scripted one's place."""
    return desk.url


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def agents(desk):
    return await IllWill(desk=desk).colleagues()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def conversation(desk, agents):
    """One in which everybody has said everything."""
    ill_will = IllWill(desk=desk)
    opened = await desk.candor.customers.open(channel=Channel.WIDGET, locale="en")
    await ill_will.answer_and_hand_over(opened.id)
    await ill_will.talk(opened.id, agents)
    await ill_will.mark(opened.id, agents[0])
    return opened.id


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def maria(desk, agents):
    return await desk.hire("Maria Lopez")


@pytest_asyncio.fixture(loop_scope="session")
async def console(page, maria):
    console = ConsolePage(page, maria)
    await console.sign_in()
    return console


@pytest_asyncio.fixture(loop_scope="session")
async def held(desk, conversation, maria, console):
    """Maria's console, with the conversation in her hands."""
    held_by = (await desk.candor.store.conversation(conversation)).agent
    if held_by != maria.id:
        await desk.candor.agents.transfer(conversation, held_by, to=maria.id)
    await console.open(conversation)
    await expect(console.button("Transfer…")).to_be_visible()
    return console


@pytest.fixture
def expect_harmless(foreign_requests):
    """Nothing of the texts became more than text, and none turns its neighbours."""

    async def look(place: Page | Frame) -> None:
        bad = f"[...document.body.querySelectorAll(`{BAD}`)].map((one) => one.outerHTML.slice(0, 200))"
        assert await place.evaluate(bad) == []
        assert await place.evaluate(TURNED) == []
        assert foreign_requests == []

    return look


async def test_the_transcript_is_text(console, conversation, expect_harmless):
    await console.open(conversation)

    await expect(console.log.locator("desk-message.agent")).to_have_count(len(HOSTILE))
    await expect(console.log.locator("desk-message.customer")).to_have_count(len(HOSTILE) + 2)
    await expect(console.log.locator("desk-message.bot").first).to_contain_text(SCRIPT)
    await expect(console.log.locator("desk-message.bot .sources li")).to_have_count(len(HOSTILE))
    await expect(console.log.locator("desk-message.agent .by").first).to_contain_text(SCRIPT)
    await expect(console.log).to_contain_text("Marked wrong by")
    await expect_harmless(console.page)


async def test_the_evidence_is_text_with_titles_and_links(console, conversation, expect_harmless):
    await console.open(conversation)
    await console.log.get_by_role("button", name="Why this answer").first.click()

    await expect(console.side).to_contain_text("Why this answer was given")
    await expect(console.side.locator("p.title")).to_have_count(len(HOSTILE))
    await expect(console.side.locator("table tbody tr")).to_have_count(len(HOSTILE))
    await expect_harmless(console.page)


async def test_notes_and_history_are_text(console, conversation, expect_harmless):
    await console.open(conversation)
    await console.tab("Notes")
    await expect(console.side).to_contain_text("see ftp://evil.example/?q=secret now")
    await expect_harmless(console.page)

    await console.tab("History")
    await expect(console.side).to_contain_text("gave the conversation to a colleague: <")
    await expect_harmless(console.page)


@pytest.mark.parametrize("name", ["Canned replies", "Articles", "Transfer…"])
async def test_what_is_chosen_from_is_text(desk, held, expect_harmless, name):
    await IllWill(desk=desk).canned()
    await held.page.route("**/suggestions*", lambda route: route.fulfill(json=SUGGESTIONS))
    await held.button(name).click()

    await expect(held.page.get_by_role("dialog")).to_contain_text(SCRIPT)
    await expect_harmless(held.page)


@pytest.mark.parametrize("name", ["Canned replies", "Articles"])
async def test_what_is_inserted_is_text(desk, held, expect_harmless, name):
    await IllWill(desk=desk).canned()
    await held.page.route("**/suggestions*", lambda route: route.fulfill(json=SUGGESTIONS))
    await held.button(name).click()
    await held.page.get_by_role("dialog").locator("li button").filter(has_text=SCRIPT).first.click()

    await expect(held.reply).to_have_value(re.compile(re.escape(SCRIPT)))
    await expect_harmless(held.page)


async def test_the_queue_what_a_search_finds_and_the_canned_replies_are_text(
    desk, console, conversation, expect_harmless
):
    await IllWill(desk=desk).canned()
    await IllWill(desk=desk).queue()
    await console.show()
    await expect(console.rows).to_have_count(len(HOSTILE) + 1)
    await expect_harmless(console.page)

    for words in ("alert", "evil", "javascript", "script", "img", "svg"):
        await console.show("search")
        await console.page.get_by_role("searchbox").fill(words)
        await console.page.get_by_role("button", name="Search", exact=True).click()
        await expect(console.page.get_by_role("main")).to_contain_text("<")
        await expect_harmless(console.page)

    await console.show("replies")
    await expect(console.page.locator(".canned h3")).to_have_count(len(HOSTILE))
    await expect_harmless(console.page)


async def test_what_agents_write_is_text_in_the_widget(desk, agents, widget, expect_harmless):
    await widget.open()
    async with widget.page.expect_response("**/sessions") as opened:
        await widget.say("Hello")
    conversation = ConversationId((await (await opened.value).json())["conversation"])
    await IllWill(desk=desk).talk(conversation, agents)

    await expect(widget.frame.locator("candor-message.agent")).to_have_count(len(HOSTILE))
    await expect_harmless(await widget.inner())


@pytest.mark.asyncio(loop_scope="session")
async def test_what_agents_write_is_stored_without_control_characters(desk, conversation):
    replies = await desk.said(conversation, Role.AGENT)
    notes = [note.text for note in await desk.candor.store.notes(conversation)]
    control = {sign for text in (*replies, *notes) for sign in text if unicodedata.category(sign) == "Cc"}

    assert len(replies) == len(HOSTILE)
    assert control <= {"\n", "\t"}

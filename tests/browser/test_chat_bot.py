"""What the widget shows of the bot: that it is one, topics to begin with, how far it is, and whether it helped."""

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from bot.core.categories import Categories
from bot.core.conversation import Kind, Role
from bot.core.outcome import Courtesy, CourtesyKind
from bot.core.replies import LANGUAGES
from tests.channels.rig import running_rig
from tests.channels.scripted import Reply, answering

pytestmark = pytest.mark.browser

TOPICS = ("Payments", "My lessons")
LABELS = [dict.fromkeys(LANGUAGES, topic) for topic in TOPICS]
PHONE = {"width": 390, "height": 844}


async def many() -> int:
    return 63


@pytest_asyncio.fixture(loop_scope="session")
async def rig():
    """A server that offers topics and knows how many articles it has."""
    offered = {"categories": Categories.from_mapping({"category": LABELS}), "count_articles": many}
    async with running_rig(offered=offered) as running:
        yield running


async def test_who_only_looks_is_greeted_by_a_program_offered_topics_and_given_no_conversation(rig, widget):
    await widget.open()

    await expect(widget.messages.first).to_contain_text("I am an automated assistant")
    await expect(widget.button("Payments")).to_be_visible()
    await expect(widget.button("Talk to a person")).to_be_visible()
    assert rig.store.states() == ()


async def test_a_topic_is_sent_as_what_it_is_and_then_the_topics_are_gone(rig, page, widget):
    rig.turns.script = lambda message: Reply(outcome=Courtesy(kind=CourtesyKind.CATEGORY), text="Go on?")
    await page.set_viewport_size(PHONE)
    await widget.open()
    await widget.button("My lessons").click()

    await expect(widget.messages.nth(2)).to_contain_text("Go on?")
    await expect(widget.button("Payments")).to_have_count(0)
    await expect(widget.composer).to_be_focused()
    (state,) = rig.store.states()
    first = (await rig.store.snapshot(state.id, after=0)).messages[0]
    assert (first.role, first.kind, first.text) == (Role.CUSTOMER, Kind.CATEGORY, "My lessons")


async def test_topics_are_large_enough_to_tap_and_reached_by_keyboard(page, widget):
    await page.set_viewport_size(PHONE)
    await widget.open()
    await expect(widget.button("Payments")).to_be_visible()
    box = await widget.button("Payments").bounding_box()
    await widget.button("Payments").focus()
    await page.keyboard.press("Enter")

    assert box is not None
    assert box["height"] >= 24
    await expect(widget.messages.nth(1)).to_contain_text("Payments")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_the_greeting_and_its_topics(page, widget, scheme):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await widget.open()
    await expect(widget.button("Payments")).to_be_visible()
    found = (await Axe().run(await widget.inner())).response["violations"]

    assert [violation["id"] for violation in found] == []


async def test_how_many_articles_are_searched_is_told(rig, widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.messages).to_have_count(3)
    rig.turns.may_finish.clear()
    rig.turns.script = lambda message: answering()
    await widget.say("Can I bring my dog?")

    await expect(widget.frame.locator(".progress")).to_have_text("Searching 63 articles…")
    rig.turns.may_finish.set()
    await expect(widget.frame.locator(".progress")).to_be_empty()


async def test_whether_it_helped_is_asked_under_an_answer_and_yes_is_thanked_for(widget):
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.frame.get_by_text("Did this solve it?")).to_be_visible()
    await widget.button("Yes").click()

    await expect(widget.messages.nth(3)).to_contain_text("Yes, this helped")
    await expect(widget.messages.nth(4)).to_contain_text("Glad that it helped")
    await expect(widget.frame.get_by_text("Did this solve it?")).to_have_count(0)


async def test_a_person_can_be_asked_for_at_any_time_until_one_is(rig, widget):
    rig.turns.may_finish.clear()
    await widget.open()
    await widget.say("How do I reschedule a class?")
    await expect(widget.frame.locator(".draft")).to_be_visible()
    await expect(widget.button("Talk to a person")).to_be_enabled()
    rig.turns.may_finish.set()
    await widget.button("Talk to a person").click()

    await expect(widget.button("A person has been asked")).to_be_disabled()

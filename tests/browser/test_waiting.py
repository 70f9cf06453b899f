"""What a customer sees of the people at the desk: the place in the queue, who has joined, who writes, and what was seen."""

import asyncio

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from bot.core.conversation import ConversationId, Role
from bot.core.desk import ReadMarks
from bot.core.waiting import Wait
from bot.service.live import Changed, ReadUpTo, Typed
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig, running_rig
from tests.channels.staff import Staff, claim, reply
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

MONDAY_NINE_MS = 1_750_057_200_000  # in Berlin; 07:00 UTC


@pytest.fixture
def staff() -> Staff:
    return Staff()


@pytest_asyncio.fixture(loop_scope="session")
async def rig(staff: Staff):
    """A server with people behind it, in place of the one without."""
    async with running_rig(standings=staff.standings) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def queued(rig: Rig, widget: WidgetPage, staff: Staff) -> WidgetPage:
    """A customer who waits at the second place."""
    staff.wait = Wait(position=2, expected_ms=241_000)
    await widget.open()
    await widget.say("I want to talk to a person")
    await expect(widget.state).to_contain_text("number 2")
    return widget


def conversation(rig: Rig) -> ConversationId:
    (only,) = rig.store.states()
    return only.id


async def test_the_place_and_the_wait_are_told_and_kept_up(rig, queued, staff):
    text = "You are number 2 in the queue for a person. Others recently waited about 5 minutes."
    await expect(queued.state).to_have_text(text)

    staff.wait = Wait(position=1)
    rig.live.publish(conversation(rig), Changed())

    await expect(queued.state).to_contain_text("You are number 1 in the queue for a person.")
    await expect(queued.state).to_contain_text("know yet how long it will take.")
    await expect(queued.state).to_have_role("status")


@pytest.mark.parametrize(
    ("zone", "shown"), [("Europe/Berlin", "Monday at 9:00 AM"), ("America/New_York", "Monday at 3:00 AM")]
)
async def test_out_of_hours_the_opening_is_told_in_the_readers_own_time(
    browser, live_server, staff, zone, shown
):
    staff.wait = Wait(position=1, open_now=False, opens_ms=MONDAY_NINE_MS)
    context = await browser.new_context(timezone_id=zone)
    page = await context.new_page()
    await page.goto(f"{live_server}/")
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("I want to talk to a person")

    await expect(widget.state).to_contain_text(f"is back on {shown}, your time.")
    await context.close()


async def test_who_joins_and_writes_has_a_name(rig, queued):
    await claim(rig, conversation(rig))
    await expect(queued.state).to_have_text("Ana has joined. You are talking to a person.")
    await reply(rig, conversation(rig), "**Hello**, <b>I</b> will look.")

    said = queued.messages.last
    await expect(said).to_contain_text("**Hello**, <b>I</b> will look.")
    await expect(said.locator(".author")).to_have_text("Ana")
    await expect(said.locator(".author")).to_be_visible()
    await expect(queued.messages.first.locator(".author")).to_have_text("Assistant")
    await expect(queued.frame.get_by_role("heading")).to_have_text("Parlato help — Ana")


async def test_an_agent_who_writes_is_seen_and_not_announced(rig, queued, page):
    await page.clock.install()
    await claim(rig, conversation(rig))
    writing = queued.frame.get_by_text("Ana is writing…")
    await expect(queued.state).to_contain_text("Ana has joined")
    rig.live.publish(conversation(rig), Typed(by=Role.AGENT))
    await expect(writing).to_be_visible()
    assert await writing.evaluate("element => element.closest('[aria-live], [role]').role") == "region"

    await page.clock.run_for(7_000)

    await expect(writing).to_be_hidden()


async def test_the_message_ends_the_writing(rig, queued):
    await claim(rig, conversation(rig))
    await expect(queued.state).to_contain_text("Ana has joined")
    rig.live.publish(conversation(rig), Typed(by=Role.AGENT))
    writing = queued.frame.get_by_text("Ana is writing…")
    await expect(writing).to_be_visible()

    await reply(rig, conversation(rig), "Hello.")

    await expect(writing).to_be_hidden()


async def test_agents_are_shown_that_the_customer_writes(rig, queued):
    with rig.live.watch(conversation(rig)) as agent:
        await queued.composer.press_sequentially("Hello there", delay=10)
        seen = await wait_until(lambda: drained(agent))

    assert seen == [Typed(by=Role.CUSTOMER)]


async def test_agents_are_shown_what_the_customer_has_in_view_and_nothing_while_it_is_closed(rig, queued):
    await claim(rig, conversation(rig))
    await queued.button("Close chat").click()
    with rig.live.watch(conversation(rig)) as agent:
        await reply(rig, conversation(rig), "Hello.")
        await expect(queued.launcher).to_have_attribute("data-unread", "1")
        assert drained(agent) == [Changed()]
        await queued.launcher.click()

        assert await wait_until(lambda: drained(agent)) == [ReadUpTo(by=Role.CUSTOMER, seq=3)]


def drained(watcher):
    return [watcher._events.get_nowait() for _ in range(watcher._events.qsize())]


async def test_the_last_message_is_marked_when_an_agent_has_seen_it(rig, queued):
    seen = queued.frame.get_by_text("Seen", exact=True)
    await expect(seen).to_have_count(0)
    rig.live.publish(conversation(rig), ReadUpTo(by=Role.AGENT, seq=2))
    await expect(queued.messages.nth(1).get_by_text("Seen")).to_be_visible()

    await queued.say("Are you there?")

    await expect(queued.messages.last).to_contain_text("Are you there?")
    await expect(seen).to_have_count(0)


async def test_a_reload_keeps_what_was_seen(rig, queued, page, staff):
    staff.reads = ReadMarks(agent=2)
    await page.reload()

    await expect(queued.frame.get_by_text("Seen", exact=True)).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_while_a_person_is_there(rig, queued, page, scheme):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await queued.say("I have two invoices.")
    await asyncio.gather(*rig.turns.tasks)
    rig.live.publish(conversation(rig), ReadUpTo(by=Role.AGENT, seq=9))
    found = (await Axe().run(await queued.inner())).response["violations"]
    await claim(rig, conversation(rig))
    await reply(rig, conversation(rig), "Hello.")
    await expect(queued.messages.last).to_contain_text("Hello.")
    rig.live.publish(conversation(rig), Typed(by=Role.AGENT))
    await expect(queued.frame.get_by_text("Ana is writing…")).to_be_visible()
    found += (await Axe().run(await queued.inner())).response["violations"]

    assert [violation["id"] for violation in found] == []

"""A turn whose line is cut at any of its steps: nothing is lost, nothing comes twice, and the order is the server's."""

from collections.abc import Awaitable, Callable

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from bot.core.conversation import ConversationId, Role
from tests.browser.cable import Cable, before_the_server, on_the_way_back
from tests.browser.whole_desk import opened_desk
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig
from tests.channels.staff import claim, reply
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

QUESTION = "How do I reschedule a class?"
PERSON = "I want to talk to a person"


@pytest.fixture
def cable() -> Cable:
    return Cable()


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: Page, cable: Cable) -> Page:
    """A page whose line to the server a test can cut."""
    await cable.lay(page.context)
    return page


@pytest_asyncio.fixture(loop_scope="session", params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
async def talking(request: pytest.FixtureRequest, page: Page, widget: WidgetPage) -> WidgetPage:
    """A customer with one answer, in a wide and in a narrow window."""
    await page.set_viewport_size(dict(zip(("width", "height"), request.param, strict=True)))
    await widget.open()
    await widget.say(QUESTION)
    await expect(widget.messages).to_have_count(3)
    return widget


def only(rig: Rig) -> ConversationId:
    (state,) = rig.store.states()
    return state.id


async def stored(rig: Rig) -> list[str]:
    """Return who said what, by seq."""
    snapshot = await rig.store.snapshot(only(rig), after=0)
    assert [message.seq for message in snapshot.messages] == list(range(1, len(snapshot.messages) + 1))
    return [message.role for message in snapshot.messages]


async def shown(widget: WidgetPage) -> list[str]:
    """Return whose messages are to be seen, the greeting left out."""
    of = "all => all.slice(1).map((one) => one.classList[0])"
    return list(await widget.messages.evaluate_all(of))


async def assert_all_is_there_once(rig: Rig, page: Page, widget: WidgetPage, *, count: int) -> None:
    """Compare what the page made of what it got with the server's list, and with a page that has missed nothing."""
    await expect(widget.messages).to_have_count(count + 1)
    await expect(widget.frame.get_by_text("Sending…")).to_have_count(0)
    assert await shown(widget) == await stored(rig)
    pieced_together = await widget.messages.all_inner_texts()
    await page.reload()
    await widget.open()
    await expect(widget.messages).to_have_count(count + 1)
    assert await widget.messages.all_inner_texts() == pieced_together


async def before_it_is_sent(rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    await cable.cut()
    await widget.say(QUESTION)
    await expect(widget.state).to_contain_text("No connection")


async def on_its_way(_rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    cable.lose("messages", before_the_server)
    await widget.say(QUESTION)


async def after_it_arrived_and_before_the_receipt(_rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    cable.lose("messages", on_the_way_back)
    await widget.say(QUESTION)


async def after_the_receipt_and_before_the_answer(rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    rig.turns.may_finish.clear()
    await widget.say(QUESTION)
    await expect(widget.frame.locator(".sending")).to_have_count(0)
    await cable.cut()
    rig.turns.may_finish.set()


async def during_the_drafts(rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    rig.turns.may_finish.clear()
    await widget.say(QUESTION)
    await expect(widget.frame.locator(".draft")).to_contain_text("Pick a new time")
    await cable.cut()
    rig.turns.may_finish.set()


async def after_the_answer(_rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    await widget.say(QUESTION)
    await expect(widget.messages).to_have_count(5)
    await cable.cut()


async def while_it_reconnects(rig: Rig, cable: Cable, widget: WidgetPage) -> None:
    rig.turns.may_finish.clear()
    await widget.say(QUESTION)
    await expect(widget.frame.locator(".sending")).to_have_count(0)
    for _ in range(3):
        await cable.break_sockets()
        await wait_until(lambda: bool(cable.sockets), deadline_s=20)
    rig.turns.may_finish.set()


Step = Callable[[Rig, Cable, WidgetPage], Awaitable[None]]
STEPS = [
    before_it_is_sent,
    on_its_way,
    after_it_arrived_and_before_the_receipt,
    after_the_receipt_and_before_the_answer,
    during_the_drafts,
    after_the_answer,
    while_it_reconnects,
]


@pytest.mark.parametrize("cut", STEPS, ids=lambda step: step.__name__)
async def test_a_cut_line_loses_doubles_and_reorders_nothing(rig, page, cable, talking, cut: Step):
    await cut(rig, cable, talking)
    cable.mend()

    await assert_all_is_there_once(rig, page, talking, count=4)


async def test_the_line_may_be_cut_while_an_agent_writes(rig, page, cable, talking):
    await talking.say(PERSON)
    await expect(talking.messages).to_have_count(5)
    await claim(rig, only(rig))
    await cable.cut()
    await reply(rig, only(rig), "Hello, I am Ana.")
    await talking.say("I have two invoices.")
    await reply(rig, only(rig), "Which ones?")
    cable.mend()

    await assert_all_is_there_once(rig, page, talking, count=7)
    assert (await stored(rig))[-3:] == ["agent", "agent", "customer"]


async def test_what_was_written_offline_survives_a_reload_and_goes_out_once(rig, page, cable, talking):
    await cable.cut()
    await talking.say(PERSON)
    await talking.say("It is about an invoice.")
    await page.reload()
    await talking.open()
    await expect(talking.frame.locator(".sending")).to_have_count(2)
    cable.mend()

    await assert_all_is_there_once(rig, page, talking, count=5)
    said = [m.text for m in (await rig.store.snapshot(only(rig), after=0)).messages if m.role == "customer"]
    assert said == [QUESTION, PERSON, "It is about an invoice."]


async def test_a_first_message_whose_session_is_lost_begins_one_conversation(rig, page, cable, widget):
    await widget.open()
    cable.lose("sessions", before_the_server)
    cable.lose("messages", on_the_way_back)
    await widget.say(QUESTION)

    await assert_all_is_there_once(rig, page, widget, count=2)


async def test_a_server_that_restarts_meanwhile_gets_each_message_once(page, tmp_path):
    async with opened_desk(tmp_path) as desk:
        await page.goto(desk.url)
        widget = WidgetPage(page)
        await widget.open()
        await widget.say(PERSON)
        await expect(widget.messages).to_have_count(3)
        await desk.stop()
        await widget.say("It is about an invoice.")
        await expect(widget.state).to_contain_text("No connection")
        await desk.start()

        await expect(widget.frame.locator(".sending")).to_have_count(0, timeout=45_000)
        assert await desk.said(await desk.conversation(), Role.CUSTOMER) == [
            "I want to talk to a person",
            "It is about an invoice.",
        ]


WAITS = """async () => {
  const { retryDelay } = await import("/widget/static/any/app/timing.js");
  return [0, 1, 2, 3, 4, 5, 20].map((attempt) => Array.from({ length: 200 }, () => retryDelay(attempt)));
}"""


async def test_it_comes_back_after_half_a_second_to_thirty_and_never_all_at_once(widget):
    waits = await (await widget.inner()).evaluate(WAITS)

    for attempt, drawn in zip((0, 1, 2, 3, 4, 5, 20), waits, strict=True):
        longest = min(30_000, 1_000 * 2**attempt)
        assert 500 <= min(drawn) < 500 + (longest - 500) / 5
        assert longest - (longest - 500) / 5 < max(drawn) <= longest

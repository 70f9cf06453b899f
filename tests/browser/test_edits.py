"""SL7: what an agent edits or deletes changes in its place before the customer, now and after a reload."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.core.conversation import ConversationId
from bot.core.desk import ReadMarks
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig, running_rig
from tests.channels.staff import Staff, claim, reply, revise

pytestmark = pytest.mark.browser

DELETED = "This message was deleted."


@pytest_asyncio.fixture(loop_scope="session")
async def rig():
    """A server with people behind it, in place of the one without."""
    async with running_rig(standings=Staff(reads=ReadMarks(agent=1)).standings) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def helped(rig: Rig, widget: WidgetPage) -> WidgetPage:
    """A customer to whom Ana has said two things."""
    await widget.open()
    await widget.say("I want to talk to a person")
    await expect(widget.messages).to_have_count(3)
    await claim(rig, conversation(rig))
    await reply(rig, conversation(rig), "Call 555-0199")
    await expect(widget.messages).to_have_count(4)
    return widget


def conversation(rig: Rig) -> ConversationId:
    (only,) = rig.store.states()
    return only.id


async def test_an_edit_changes_the_message_in_its_place_and_says_so(rig, helped):
    await revise(rig, conversation(rig), "Write to us", revision="1")
    await expect(helped.messages.last.locator(".bubble")).to_have_text("Write to us")
    await expect(helped.messages.last.locator("small")).to_have_text("edited")

    await revise(rig, conversation(rig), "Write to us, please", revision="2")
    await expect(helped.messages.last.locator(".bubble")).to_have_text("Write to us, please")
    await expect(helped.messages.last.locator("small")).to_have_count(1)
    await expect(helped.messages).to_have_count(4)


@pytest.mark.parametrize(("text", "shown"), [("Write to us", "Write to us"), (None, DELETED)])
async def test_after_a_reload_it_is_the_same(rig, helped, text, shown):
    await revise(rig, conversation(rig), text)
    await expect(helped.messages.last.locator(".bubble")).to_have_text(shown)

    await helped.page.reload()
    await helped.open()

    await expect(helped.messages.last.locator(".bubble")).to_have_text(shown)
    await expect(helped.messages).to_have_count(4)
    assert "555-0199" not in await (await helped.inner()).content()

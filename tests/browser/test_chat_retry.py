"""How a customer tries again what could not be looked up, while nobody has taken it up."""

import pytest
from playwright.async_api import expect

from bot.core.conversation import Kind
from bot.core.outcome import ReasonCode
from tests.channels.rig import Rig
from tests.channels.scripted import handing_over
from tests.channels.staff import claim

pytestmark = pytest.mark.browser

HOW_MANY = "How many lessons do I have left?"
AGAIN = "Try again"


@pytest.fixture
def unchecked(rig: Rig) -> None:
    """The records cannot be looked up."""
    rig.turns.script = lambda _message: handing_over(ReasonCode.RECORDS_UNAVAILABLE)


@pytest.mark.usefixtures("unchecked")
async def test_a_press_asks_once_more_and_what_fails_again_can_be_tried_again(rig, widget):
    await widget.open()
    await widget.say(HOW_MANY)

    await widget.button(AGAIN).click()

    await expect(widget.messages.filter(has_text="I couldn't check this in your account")).to_have_count(2)
    await expect(widget.button(AGAIN)).to_be_visible()
    (state,) = rig.store.states()
    said = (await rig.store.snapshot(state.id, after=0)).messages
    assert [m.text for m in said if m.kind is Kind.RETRY] == [AGAIN]


@pytest.mark.usefixtures("unchecked")
async def test_once_an_agent_has_it_there_is_nothing_to_try(rig, widget):
    await widget.open()
    await widget.say(HOW_MANY)
    await expect(widget.button(AGAIN)).to_be_visible()

    (state,) = rig.store.states()
    await claim(rig, state.id)

    await expect(widget.button(AGAIN)).to_have_count(0)


async def test_who_waits_for_another_reason_is_offered_nothing(widget):
    await widget.open()
    await widget.say("I want to talk to a person")

    await expect(widget.frame.get_by_text("in the queue").first).to_be_visible()
    await expect(widget.button(AGAIN)).to_have_count(0)

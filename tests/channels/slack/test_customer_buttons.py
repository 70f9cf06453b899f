"""What customers press under an answer, and how often it counts."""

import pytest

from bot.channels.person_requests import PERSON_REQUESTS
from bot.channels.slack.actions import Action, ButtonValue
from bot.core.conversation import DID_NOT_HELP, HELPED, ConversationId, Kind
from bot.core.outcome import ReasonCode
from bot.core.prompt import Asked
from tests.channels.slack.customer_rig import DM, Customers
from tests.service.rig import REPLIES
from tests.vendors.slack_server import CUSTOMER, HELP


def last(customers: Customers, channel: str = DM, thread_ts: str = "") -> str:
    """Return the `ts` of what the bot said last."""
    return str(customers.slack.posted(channel, thread_ts)[-1]["ts"])


@pytest.mark.parametrize(
    ("action", "verdict"), [(Action.HELPED, HELPED), (Action.NOT_HELPED, DID_NOT_HELP)], ids=str
)
async def test_feedback_is_a_message_of_its_own_kind(customers: Customers, action, verdict):
    await customers.says()

    await customers.presses(DM, last(customers), action)

    said = (await customers.messages())[2]
    assert (said.kind, said.text) == (Kind.FEEDBACK, verdict)
    assert said.channel_message_id == f"slack:feedback:{await customers.conversation()}:2@{CUSTOMER}"


async def test_a_second_press_and_another_opinion_say_nothing_new(customers: Customers):
    await customers.says()
    answer = last(customers)
    presses = [
        customers.slack.pressing(CUSTOMER, DM, answer, action)
        for action in (Action.HELPED, Action.NOT_HELPED)
    ]

    for press in (presses[0], presses[0], presses[1]):
        await customers.slack.sends(press)
        await customers.settled()

    assert [m.text for m in await customers.messages() if m.kind is Kind.FEEDBACK] == [HELPED]


async def test_an_option_is_said_as_if_it_were_typed(customers: Customers):
    customers.rig.answerer.script = (
        Asked(text="Is it less than 24 hours before?", options=("Less", "More")),
    )
    ts = await customers.mentions()
    customers.rig.answerer.script = None

    await customers.presses(HELP, last(customers, HELP, ts), f"{Action.OPTION}:1")

    said = (await customers.messages(HELP, ts))[2]
    assert (said.kind, said.text) == (Kind.TEXT, "More")
    assert "Open My Lessons" in customers.shown(HELP, ts)[-1]


async def test_the_button_for_a_person_hands_over(customers: Customers):
    await customers.says()

    await customers.presses(DM, last(customers), Action.PERSON)

    said = (await customers.messages())[2]
    assert (said.kind, said.text) == (Kind.PERSON_REQUEST, PERSON_REQUESTS["en"])
    assert await customers.reasons() == [ReasonCode.CUSTOMER_ASKED]
    assert customers.shown()[-1] == REPLIES.handoff(ReasonCode.CUSTOMER_ASKED, "en")


@pytest.mark.parametrize("about", ["erased", "a customer's message", "no such option"])
async def test_a_button_that_is_about_nothing_changes_nothing(customers: Customers, about):
    await customers.says()
    press = customers.slack.pressing(CUSTOMER, DM, last(customers), Action.HELPED)
    conversation = await customers.conversation()
    value = {
        "erased": ButtonValue(conversation=ConversationId("gone"), seq=2),
        "a customer's message": ButtonValue(conversation=conversation, seq=1),
        "no such option": ButtonValue(conversation=conversation, seq=2, text="Never"),
    }[about]
    press["actions"][0] |= {"value": value.to_value(), "action_id": f"{Action.OPTION}:0"}

    assert (await customers.slack.sends(press)).status == 200
    await customers.settled()

    assert len(await customers.messages()) == 2


async def test_another_try_gives_the_conversation_back_to_the_bot(customers: Customers):
    await customers.says("How many lessons do I have left?")
    refused = [row.reason for row in await customers.rig.store.handoffs(await customers.conversation())]

    await customers.presses(DM, last(customers), Action.RETRY)

    said = next(m for m in await customers.messages() if m.kind is Kind.RETRY)
    handoffs = await customers.rig.store.handoffs(await customers.conversation())
    assert refused == [ReasonCode.RECORDS_UNAVAILABLE]
    assert said.text == "Try again"
    assert [row.closed_ms is None for row in handoffs] == [False, True]

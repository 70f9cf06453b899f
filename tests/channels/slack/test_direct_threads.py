"""Threads below a direct message: whoever answers a person there goes on with them, and whoever asks the bot begins anew."""

from bot.core.conversation import Role
from tests.channels.slack.customer_rig import DM, Customers
from tests.service.desk_rig import ANNA
from tests.service.rig import QUESTION

PLEASE = "I want to talk to a person"


async def said(customers: Customers, thread_ts: str = "") -> list[str]:
    return [m.text for m in await customers.messages(DM, thread_ts) if m.role is Role.CUSTOMER]


async def replied(customers: Customers) -> str:
    """Let an agent answer the customer who asked for a person; return the `ts` of the answer."""
    customers.rig.conversation = await customers.conversation()
    await customers.sending.desk.claim()
    await customers.sending.desk.reply("Which order is it?", id="r1", agent=ANNA)
    await customers.settled()
    return str(customers.slack.posted(DM)[-1]["ts"])


async def test_what_is_said_below_an_agents_words_reaches_the_agent(customers: Customers):
    await customers.says(PLEASE)
    answer = await replied(customers)

    await customers.says("Order 7", thread_ts=answer)

    assert await said(customers) == [PLEASE, "Order 7"]
    assert len(customers.opened()) == 1


async def test_what_is_said_below_an_agents_words_goes_on_after_the_end(customers: Customers):
    await customers.says(PLEASE)
    answer = await replied(customers)
    await customers.sending.desk.resolve()

    ts = await customers.says("Order 7", thread_ts=answer)
    await customers.edits(DM, ts, "Order 8")

    assert await said(customers) == [PLEASE, "Order 7", "Order 8"]
    assert len(customers.opened()) == 1


async def test_who_waits_for_a_person_may_add_something_below_their_own_words(customers: Customers):
    ts = await customers.says(PLEASE)

    await customers.says("It is order 7", thread_ts=ts)

    assert await said(customers) == [PLEASE, "It is order 7"]


async def test_what_was_said_to_people_is_deleted_there_when_the_bot_has_it_again(customers: Customers):
    asked = await customers.says(PLEASE)
    ts = await customers.says("It is order 7", thread_ts=asked)
    customers.rig.conversation = await customers.conversation()
    await customers.sending.desk.claim()
    await customers.sending.desk.service.return_to_bot(customers.rig.conversation, ANNA)

    await customers.deletes(DM, ts)

    assert await said(customers) == [PLEASE, "It is order 7", ""]
    assert len(customers.opened()) == 1


async def test_a_question_below_the_bots_answer_is_a_conversation_of_its_own(customers: Customers):
    await customers.says()
    answer = str(customers.slack.posted(DM)[-1]["ts"])

    await customers.says(thread_ts=answer)

    assert await said(customers, answer) == [QUESTION]

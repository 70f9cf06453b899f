"""Which messages in a channel are for the bot: it answers where it is named, and leaves people alone who talk to each other."""

from bot.core.conversation import Role
from tests.channels.slack.customer_rig import Customers
from tests.service.rig import QUESTION, UNCOVERED
from tests.vendors.slack_faults import refuses
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_server import AGENT, CUSTOMER, DESK, HELP, OTHER_AGENT


async def said_in(customers: Customers, ts: str) -> list[str]:
    return [m.text for m in await customers.messages(HELP, ts) if m.role is Role.CUSTOMER]


async def test_a_reply_below_a_mention_needs_no_name(customers: Customers):
    ts = await customers.mentions()

    await customers.says("And when is it free?", channel=HELP, thread_ts=ts)

    assert await said_in(customers, ts) == [QUESTION, "And when is it free?"]
    assert len(customers.shown(HELP, ts)) == 2


async def test_everybody_in_a_thread_that_began_with_a_mention_may_ask(customers: Customers):
    ts = await customers.mentions()

    await customers.says("And when is it free?", channel=HELP, thread_ts=ts, user=AGENT)

    assert await said_in(customers, ts) == [QUESTION, "And when is it free?"]
    (thread,) = await customers.threads()
    assert thread.user == CUSTOMER


async def test_what_people_say_to_each_other_is_not_answered(customers: Customers):
    ts = await customers.mentions()

    await customers.says(f"<@{AGENT}> what do you think?", channel=HELP, thread_ts=ts)

    assert await said_in(customers, ts) == [QUESTION]


async def test_who_names_the_bot_beside_others_is_answered(customers: Customers):
    ts = await customers.mentions()

    await customers.says(f"<@{AGENT}> {MENTION} {QUESTION}", channel=HELP, thread_ts=ts)

    assert len(await said_in(customers, ts)) == 2


async def test_a_channel_without_a_mention_is_left_alone(customers: Customers):
    ts = await customers.says(QUESTION, channel=HELP)
    await customers.says(QUESTION, channel=HELP, thread_ts=ts)

    assert (customers.shown(HELP), customers.opened()) == ([], [])


async def test_in_a_thread_of_people_each_question_names_the_bot(customers: Customers):
    ts = await customers.says("Who knows about classes?", channel=HELP, user=AGENT)
    await customers.says(f"{MENTION} {QUESTION}", channel=HELP, thread_ts=ts)

    await customers.says("Thanks, I will try", channel=HELP, thread_ts=ts, user=AGENT)

    assert await said_in(customers, ts) == [QUESTION]


async def test_each_thread_is_a_conversation_of_its_own(customers: Customers):
    first, second = await customers.mentions(), await customers.mentions()

    assert await customers.conversation(HELP, first) != await customers.conversation(HELP, second)


async def test_a_reply_that_came_before_its_mention_is_answered_too(customers: Customers):
    customers.slack.pushes.held = True
    ts = await customers.slack.says(CUSTOMER, HELP, f"{MENTION} {QUESTION}")
    reply = await customers.slack.says(CUSTOMER, HELP, "And when is it free?", thread_ts=ts)
    customers.slack.pushes.held = False
    told = {push.event["ts"]: push for push in customers.slack.pushes.told if push.event["type"] == "message"}

    for late in (reply, ts):
        await customers.slack.pushes.deliver(told[late])
        await customers.settled()

    assert await said_in(customers, ts) == [QUESTION, "And when is it free?"]


async def test_a_mention_is_answered_though_its_replies_cannot_be_read(customers: Customers):
    customers.slack.fails("conversations.replies", refuses("missing_scope"))

    ts = await customers.mentions()

    assert len(customers.shown(HELP, ts)) == 1


async def test_a_message_shown_in_the_channel_too_stays_in_its_thread(customers: Customers):
    ts = await customers.mentions()

    await customers.says("And when is it free?", channel=HELP, thread_ts=ts, subtype="thread_broadcast")

    assert len(await said_in(customers, ts)) == 2


async def test_agents_read_who_else_wrote_in_the_customers_thread(customers: Customers):
    ts = await customers.mentions()

    await customers.says(UNCOVERED, channel=HELP, thread_ts=ts, user=AGENT)
    await customers.says("Mine too, please", channel=HELP, thread_ts=ts, user=AGENT)
    await customers.says("Mine first", channel=HELP, thread_ts=ts)

    (card, *_) = customers.slack.transcript(DESK)
    assert "*Ana Customer* is waiting" in card
    assert f"Max Agent: {UNCOVERED}" in card
    room = customers.slack.transcript(DESK, str(customers.slack.posted(DESK)[0]["ts"]))
    assert [line for line in room[1:] if "wrote" in line] == [
        "Candor: *Max Agent* wrote\nMine too, please",
        "Candor: *Ana Customer* wrote\nMine first",
    ]


async def test_who_else_wrote_is_not_taken_for_the_customer_when_slack_names_nobody(customers: Customers):
    ts = await customers.mentions(UNCOVERED)
    customers.slack.fails("users.info", refuses("missing_scope"))

    await customers.says("Mine too, please", channel=HELP, thread_ts=ts, user=AGENT)

    room = customers.slack.transcript(DESK, str(customers.slack.posted(DESK)[0]["ts"]))
    assert room[-1] == "Candor: *Somebody else* wrote\nMine too, please"


async def test_after_a_mention_alone_the_question_may_follow_without_it(customers: Customers):
    ts = await customers.mentions("")

    await customers.says(channel=HELP, thread_ts=ts)

    assert await said_in(customers, ts) == [QUESTION]
    assert len(customers.shown(HELP, ts)) == 1


async def test_a_mention_alone_among_people_leaves_them_alone(customers: Customers):
    ts = await customers.says("Who knows about classes?", channel=HELP, user=AGENT)
    await customers.says(MENTION, channel=HELP, thread_ts=ts)

    await customers.says(channel=HELP, thread_ts=ts)

    assert (customers.shown(HELP, ts), customers.opened()) == ([], [])


async def test_whom_the_customer_names_while_people_have_it_is_one_of_them(customers: Customers):
    ts = await customers.mentions("I want to talk to a person")
    named = f"<@{AGENT}> it is order 7"

    mine = await customers.says(named, channel=HELP, thread_ts=ts)
    await customers.says(named, channel=HELP, thread_ts=ts, user=OTHER_AGENT)
    assert len(await said_in(customers, ts)) == 2

    customers.rig.conversation = await customers.conversation(HELP, ts)
    await customers.sending.desk.claim()
    await customers.sending.desk.resolve()
    await customers.deletes(HELP, mine)
    await customers.says(named, channel=HELP, thread_ts=ts)
    assert await said_in(customers, ts) == ["I want to talk to a person", "@someone it is order 7", ""]

"""What customers edit and delete in Slack, in whatever order and however often it is told."""

from itertools import permutations

import pytest

from bot.core.conversation import Kind, Role, Status
from bot.core.revisions import revised
from tests.channels.slack.customer_rig import DM, Customers
from tests.service.rig import QUESTION, UNCOVERED
from tests.service.stand_ins import Point
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_server import CUSTOMER, HELP

REFUND = "When are payments returned?"


async def stands(customers: Customers, channel: str = DM, thread_ts: str = "") -> list[str]:
    """Return what the customer has said, as it is now."""
    messages = revised(await customers.messages(channel, thread_ts))
    return [m.text for m in messages if m.role is Role.CUSTOMER]


async def test_an_edit_that_changes_the_text_is_answered_anew(customers: Customers):
    ts = await customers.says()

    await customers.edits(DM, ts, REFUND)

    assert await stands(customers) == [REFUND]
    assert "within 5 days" in customers.shown()[-1]


async def test_an_edit_before_the_answer_leaves_one_answer_to_the_new_text(customers: Customers):
    point = customers.rig.embedder.at_embed = Point(waits=True)
    ts = await customers.slack.says(CUSTOMER, DM, QUESTION)
    await point.reached.wait()
    customers.rig.embedder.at_embed = Point()

    await customers.edits(DM, ts, REFUND)

    (answer,) = customers.shown()
    assert "within 5 days" in answer


async def test_an_edited_mention_stays_without_the_name(customers: Customers):
    ts = await customers.mentions()

    await customers.edits(HELP, ts, f"{MENTION} {REFUND}")

    assert await stands(customers, HELP, ts) == [REFUND]


async def test_an_edit_that_first_names_the_bot_asks_it(customers: Customers):
    ts = await customers.says(QUESTION, channel=HELP)

    await customers.edits(HELP, ts, f"{MENTION} {QUESTION}")

    assert await stands(customers, HELP, ts) == [QUESTION]
    assert len(customers.shown(HELP, ts)) == 1


async def test_an_edit_reopens_what_was_resolved(customers: Customers):
    ts = await customers.says("I want to talk to a person")
    customers.rig.conversation = await customers.conversation()
    await customers.sending.desk.claim()
    await customers.sending.desk.resolve()

    await customers.edits(DM, ts, QUESTION)

    assert (await customers.state()).status is Status.BOT


async def test_changes_without_another_text_have_no_effect(customers: Customers):
    """R-S10: links are unfurled and threads grow, and each is told as a change."""
    ts = await customers.mentions()
    before = await customers.messages(HELP, ts)

    for _ in range(5):
        await customers.slack.unfurls(HELP, ts)
        await customers.slack.tells_growth(HELP, ts)
        await customers.slack.edits(HELP, ts, f"{MENTION} {QUESTION}")
    await customers.settled()

    assert await customers.messages(HELP, ts) == before


async def test_a_message_deleted_before_the_answer_is_not_answered(customers: Customers):
    point = customers.rig.embedder.at_embed = Point(waits=True)
    ts = await customers.slack.says(CUSTOMER, DM, QUESTION)
    await point.reached.wait()
    customers.rig.embedder.at_embed = Point()

    await customers.deletes(DM, ts)

    assert (customers.shown(), await stands(customers)) == ([], [])
    assert not (await customers.state()).owes_a_turn


async def test_a_deleted_mention_above_its_answer_goes_too(customers: Customers):
    ts = await customers.mentions()

    await customers.deletes(HELP, ts)

    assert await stands(customers, HELP, ts) == []
    assert [m.kind for m in await customers.messages(HELP, ts) if m.role is Role.CUSTOMER] == [
        Kind.TEXT,
        Kind.TOMBSTONE,
    ]


async def test_too_long_an_edit_is_refused_aloud_and_what_was_said_stands(customers: Customers):
    ts = await customers.says()

    await customers.edits(DM, ts, "x" * 4_001)

    assert await stands(customers) == [QUESTION]
    assert len(customers.whispers()) == 1


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
@pytest.mark.parametrize("ends_deleted", [True, False], ids=["deleted", "edited twice"])
async def test_what_stands_does_not_depend_on_the_order_in_which_it_is_told(
    customers: Customers, order, ends_deleted
):
    customers.slack.pushes.held = True
    ts = await customers.slack.says(CUSTOMER, DM, UNCOVERED)
    await customers.slack.edits(DM, ts, QUESTION)
    await (customers.slack.deletes(DM, ts) if ends_deleted else customers.slack.edits(DM, ts, REFUND))
    customers.slack.pushes.held = False
    told = list(customers.slack.pushes.told)

    for number in (*order, *order):
        await customers.slack.pushes.deliver(told[number])
        await customers.settled()

    assert await stands(customers) == ([] if ends_deleted else [REFUND])
    assert not (await customers.state()).owes_a_turn


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_an_edit_back_to_the_first_text_stands_in_whatever_order_it_is_told(
    customers: Customers, order
):
    customers.slack.pushes.held = True
    ts = await customers.slack.says(CUSTOMER, DM, QUESTION)
    await customers.slack.edits(DM, ts, REFUND)
    await customers.slack.edits(DM, ts, QUESTION)
    customers.slack.pushes.held = False
    told = list(customers.slack.pushes.told)

    for number in (*order, *order):
        await customers.slack.pushes.deliver(told[number])
        await customers.settled()

    assert await stands(customers) == [QUESTION]
    assert "within 5 days" not in customers.shown()[-1]

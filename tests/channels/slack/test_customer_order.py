"""Whatever the order in which a thread's events come, and however often: one conversation that says what the thread says."""

from itertools import permutations
from random import Random

import pytest

from bot.core.conversation import Role
from bot.core.revisions import revised
from tests.channels.slack.customer_rig import Customers
from tests.service.rig import QUESTION
from tests.vendors.slack_people import MENTION
from tests.vendors.slack_server import AGENT, CUSTOMER, HELP

REFUND, MORE = "When are payments returned?", "And when is it free?"


async def happened(customers: Customers) -> str:
    """Let a thread begin, go on and change while nothing is told; return its `ts`."""
    customers.slack.pushes.held = True
    ts = await customers.slack.says(CUSTOMER, HELP, f"{MENTION} {QUESTION}")
    await customers.slack.says(AGENT, HELP, MORE, thread_ts=ts)
    await customers.slack.edits(HELP, ts, f"{MENTION} {REFUND}")
    aside = await customers.slack.says(AGENT, HELP, f"<@{CUSTOMER}> hello", thread_ts=ts)
    await customers.slack.deletes(HELP, aside)
    customers.slack.pushes.held = False
    return ts


async def stands(customers: Customers, ts: str) -> set[str]:
    messages = revised(await customers.messages(HELP, ts))
    return {m.text for m in messages if m.role is Role.CUSTOMER}


@pytest.mark.parametrize("seed", range(12))
async def test_events_in_any_order_and_number_have_one_effect(customers: Customers, seed):
    ts = await happened(customers)
    random = Random(seed)  # noqa: S311 - a test that can be repeated
    told = [push for push in customers.slack.pushes.told for _ in range(random.randint(1, 4))]
    random.shuffle(told)

    for push in told:
        await customers.slack.pushes.deliver(push)
        await customers.settled()

    assert await stands(customers, ts) == {REFUND, MORE}
    assert len([t for t in await customers.threads() if t.place.thread_ts == ts]) == 1
    assert not (await customers.state(HELP, ts)).owes_a_turn


@pytest.mark.parametrize("order", list(permutations(range(2))), ids=str)
async def test_a_mention_told_at_once_in_both_its_forms_is_answered_once(customers: Customers, order):
    customers.slack.pushes.held = True
    ts = await customers.slack.says(CUSTOMER, HELP, f"{MENTION} {QUESTION}")
    customers.slack.pushes.held = False
    told = list(customers.slack.pushes.told)

    for number in order:
        await customers.slack.pushes.deliver(told[number])
    await customers.settled()

    assert len(customers.shown(HELP, ts)) == 1

"""What agents change and delete in a card's thread: the customer's copy follows, and a note is corrected (FAULTS SL7, R-S9 to R-S11)."""

import itertools
from collections.abc import AsyncIterator

import pytest

from bot.channels.slack.desk_wording import SEND_ANEW, STILL_SENT
from bot.core.conversation import Kind
from bot.core.desk import Resolution
from bot.core.revisions import revised
from tests.builders import CONVERSATION
from tests.channels.slack.desk_rig import MAX, DeskRig, running_desk
from tests.vendors.slack_server import AGENT, DESK


@pytest.fixture
async def rig() -> AsyncIterator[DeskRig]:
    async with running_desk() as running:
        await running.claimed()
        yield running


async def edits(rig: DeskRig, ts: str, text: str) -> None:
    await rig.slack.edits(DESK, ts, text)
    await rig.settled()


async def deletes(rig: DeskRig, ts: str) -> None:
    await rig.slack.deletes(DESK, ts)
    await rig.settled()


async def reads(rig: DeskRig) -> list[str]:
    """Return what the customer reads of agents now."""
    return [message.text for message in revised(await rig.messages()) if message.author is not None]


async def test_an_edited_reply_is_edited_at_the_customers_too(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")

    await edits(rig, ts, "&gt;&gt; On Wednesday")

    assert await reads(rig) == ["On Wednesday"]
    assert (MAX, "edited") in await rig.audit()


async def test_a_deleted_reply_is_gone_at_the_customers_too(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")

    await deletes(rig, ts)

    assert await reads(rig) == []
    assert (await rig.messages())[-1].kind is Kind.TOMBSTONE
    assert (MAX, "deleted") in await rig.audit()


async def test_an_edit_after_the_end_reaches_the_customer_still(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await rig.agents.resolve(CONVERSATION, MAX, Resolution.ANSWERED, seen=100)

    await edits(rig, ts, "&gt;&gt; On Wednesday")

    assert await reads(rig) == ["On Wednesday"]


async def test_an_edit_that_comes_three_times_is_one(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await edits(rig, ts, "&gt;&gt; On Wednesday")
    stored = await rig.messages()

    for retry in (1, 2):
        await rig.slack.pushes.deliver(rig.slack.pushes.told[-1], retry=retry)
    await rig.settled()

    assert await rig.messages() == stored


@pytest.mark.parametrize("order", list(itertools.permutations(range(2))), ids=str)
async def test_an_edit_back_to_what_was_sent_first_stands_in_any_order(rig: DeskRig, order):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    rig.slack.pushes.held = True
    before = len(rig.slack.pushes.told)
    await rig.slack.edits(DESK, ts, "&gt;&gt; On Wednesday")
    await rig.slack.edits(DESK, ts, "&gt;&gt; On Tuesday")
    rig.slack.pushes.held = False
    told = rig.slack.pushes.told[before:]

    for number in order:
        await rig.slack.pushes.deliver(told[number])
        await rig.settled()

    assert await reads(rig) == ["On Tuesday"]


async def test_what_changes_no_words_has_no_effect(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; See https://acme.example/")
    stored, notes = await rig.messages(), await rig.notes()

    for _ in range(10):
        await rig.slack.unfurls(DESK, ts)
        await rig.slack.tells_growth(DESK, await rig.card())
    await rig.settled()

    assert (await rig.messages(), await rig.notes()) == (stored, notes)


async def test_an_edit_that_takes_the_mark_away_leaves_what_was_sent_and_says_so(rig: DeskRig):
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")

    await edits(rig, ts, "I do not believe this customer")

    assert await reads(rig) == ["On Tuesday"]
    assert rig.whispers(AGENT) == [STILL_SENT]


async def test_an_edited_note_is_corrected_by_another(rig: DeskRig):
    ts = await rig.writes(AGENT, "He has paid")

    await edits(rig, ts, "He has not paid")

    assert await rig.noted() == [(MAX, "He has paid"), (MAX, "Corrected: He has not paid")]


async def test_an_edit_makes_no_reply_of_a_note(rig: DeskRig):
    ts = await rig.writes(AGENT, "He has paid")

    await edits(rig, ts, "&gt;&gt; He has paid")

    assert await reads(rig) == []
    assert rig.whispers(AGENT) == [SEND_ANEW]


async def test_of_a_deleted_note_it_is_noted_that_it_was_taken_back(rig: DeskRig):
    ts = await rig.writes(AGENT, "He has paid")

    await deletes(rig, ts)

    assert await rig.noted() == [
        (MAX, "He has paid"),
        (MAX, "The author has deleted this note in Slack: He has paid"),
    ]


async def test_an_edit_that_comes_before_the_message_is_what_is_sent(rig: DeskRig):
    rig.slack.pushes.held = True
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await edits(rig, ts, "&gt;&gt; On Wednesday")
    said, edited = rig.slack.pushes.told[-2:]

    for push in (edited, said):
        await rig.slack.pushes.deliver(push)
        await rig.settled()

    assert await reads(rig) == ["On Wednesday"]
    assert await rig.noted() == []


async def test_a_message_that_was_deleted_before_it_came_is_not_sent(rig: DeskRig):
    rig.slack.pushes.held = True
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await deletes(rig, ts)
    said, deleted = rig.slack.pushes.told[-2:]

    for push in (deleted, said):
        await rig.slack.pushes.deliver(push)
        await rig.settled()

    assert await rig.sent() == []


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
async def test_in_whatever_order_and_how_often_a_message_comes_a_deleted_one_is_gone(rig: DeskRig, order):
    rig.slack.pushes.held = True
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await edits(rig, ts, "&gt;&gt; On Wednesday")
    await deletes(rig, ts)
    told = rig.slack.pushes.told[-3:]

    for at in (*order, *order):
        await rig.slack.pushes.deliver(told[at])
        await rig.settled()

    assert await reads(rig) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (1, 0, 1), (0, 1, 0)], ids=str)
async def test_in_whatever_order_and_how_often_a_message_comes_its_edit_stands(rig: DeskRig, order):
    rig.slack.pushes.held = True
    ts = await rig.writes(AGENT, "&gt;&gt; On Tuesday")
    await edits(rig, ts, "&gt;&gt; On Wednesday")
    told = rig.slack.pushes.told[-2:]

    for at in order:
        await rig.slack.pushes.deliver(told[at])
        await rig.settled()

    assert await reads(rig) == ["On Wednesday"]

"""The buttons of a card: one owner whoever presses how often, and everybody else is told why not, by name (FAULTS R-S20)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.channels.slack.actions import Action
from bot.channels.slack.desk_wording import TOO_LATE
from bot.channels.slack.hints import expired
from bot.channels.slack.people import DISABLED, NOT_LISTED
from bot.core.conversation import Status
from tests.builders import CONVERSATION
from tests.channels.slack.desk_rig import MAX, ZOE, DeskRig, read, running_desk
from tests.vendors.slack_server import AGENT, DESK, OTHER_AGENT


@pytest.fixture
async def rig() -> AsyncIterator[DeskRig]:
    async with running_desk() as running:
        yield running


async def test_who_presses_claim_has_the_conversation_for_a_quarter_of_an_hour(rig: DeskRig):
    await rig.hands_over()

    await rig.presses(AGENT, Action.CLAIM)

    state = await rig.state()
    assert (state.status, state.agent) == (Status.CLAIMED, MAX)
    assert state.lease_until_ms == state.owned_since_ms + 900_000
    assert "is with *Max*" in "".join(rig.slack.transcript(DESK))


async def test_of_two_who_press_at_once_one_is_told_that_the_other_has_it(rig: DeskRig):
    card = await rig.hands_over()

    presses = (rig.slack.presses(user, DESK, card, Action.CLAIM) for user in (AGENT, OTHER_AGENT))
    await asyncio.gather(*presses)
    await rig.settled()

    told = {MAX: rig.whispers(AGENT), ZOE: rig.whispers(OTHER_AGENT)}
    winner = (await rig.state()).agent
    assert winner is not None
    assert told.pop(winner) == []
    assert told.popitem()[1] == [f"Already claimed by {winner.title()}."]
    assert [what for _, what in await rig.audit()].count("claimed") == 1


async def test_a_press_that_is_delivered_four_times_is_one_claim(rig: DeskRig):
    press = rig.slack.pressing(AGENT, DESK, await rig.hands_over(), Action.CLAIM)

    deliveries = await asyncio.gather(*(rig.slack.sends(press) for _ in range(4)))
    await rig.settled()

    assert [delivery.status for delivery in deliveries] == [200] * 4
    assert [what for _, what in await rig.audit()].count("claimed") == 1
    assert rig.whispers(AGENT) == []


async def test_a_button_that_is_pressed_twice_does_it_once(rig: DeskRig):
    card = await rig.hands_over()
    presses = [rig.slack.pressing(AGENT, DESK, card, Action.CLAIM) for _ in range(2)]

    for press in presses:
        await rig.slack.sends(press)
        await rig.settled()

    assert [what for _, what in await rig.audit()].count("claimed") == 1
    assert rig.whispers(AGENT) == []


async def test_a_button_of_an_earlier_handoff_is_expired(rig: DeskRig):
    press = rig.slack.pressing(OTHER_AGENT, DESK, await rig.claimed(), Action.RETURN)
    await rig.agents.return_to_bot(CONVERSATION, MAX)
    await rig.hands_over()

    await rig.slack.sends(press)
    await rig.settled()

    assert rig.whispers(OTHER_AGENT) == [read(expired())]
    assert (await rig.state()).status is Status.QUEUED


async def test_who_is_not_on_the_list_is_refused_in_words(rig: DeskRig):
    await rig.hands_over()
    rig.room.people.listed = frozenset({OTHER_AGENT})

    await rig.presses(AGENT, Action.CLAIM)

    assert rig.whispers(AGENT) == [NOT_LISTED]
    assert (await rig.state()).status is Status.QUEUED


async def test_a_disabled_agent_is_refused_in_words(rig: DeskRig):
    await rig.hands_over()
    await rig.accounts.set_disabled(MAX, disabled_ms=1)

    await rig.presses(AGENT, Action.CLAIM)

    assert rig.whispers(AGENT) == [DISABLED]


async def test_the_owner_gives_the_conversation_back_to_the_bot(rig: DeskRig):
    await rig.claimed()

    await rig.presses(AGENT, Action.RETURN)

    assert (await rig.state()).status is Status.BOT
    assert "is with the bot again" in "".join(rig.slack.transcript(DESK))


async def test_nobody_else_gives_it_back(rig: DeskRig):
    await rig.claimed()

    await rig.presses(OTHER_AGENT, Action.RETURN)

    assert (await rig.state()).agent == MAX
    assert rig.whispers(OTHER_AGENT) == ["Max has this conversation now."]


async def test_the_owner_puts_it_back_into_the_queue_and_twice_is_once(rig: DeskRig):
    card = await rig.claimed()
    presses = [rig.slack.pressing(AGENT, DESK, card, Action.RELEASE) for _ in range(2)]

    for press in presses:
        await rig.slack.sends(press)
        await rig.settled()

    assert (await rig.state()).status is Status.QUEUED
    assert rig.whispers(AGENT) == []
    assert "waiting for a person again" in "".join(rig.slack.transcript(DESK))


async def test_who_does_not_have_it_puts_nothing_back(rig: DeskRig):
    await rig.claimed()

    await rig.presses(OTHER_AGENT, Action.RELEASE)

    assert (await rig.state()).agent == MAX
    assert rig.whispers(OTHER_AGENT) == ["Max has this conversation now."]


async def test_a_press_that_an_outage_held_up_for_long_does_nothing_and_says_so(rig: DeskRig):
    press = rig.slack.pressing(AGENT, DESK, await rig.hands_over(), Action.CLAIM)
    rig.clock.advance(600_001)

    await rig.slack.sends(press)
    await rig.settled()

    assert (await rig.state()).status is Status.QUEUED
    assert rig.whispers(AGENT) == [TOO_LATE]


async def test_an_action_of_the_owner_lets_the_claim_live_on(rig: DeskRig):
    await rig.claimed()
    rig.clock.advance(600_000)

    await rig.presses(AGENT, Action.REPLY)

    assert (await rig.state()).lease_until_ms == rig.clock.now_ms() + 900_000

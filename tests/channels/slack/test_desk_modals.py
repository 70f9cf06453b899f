"""The forms of the desk: opened in time, sent once, and nothing that was typed into them is lost."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.channels.slack.actions import Action
from bot.channels.slack.desk_wording import KEPT_DRAFT, NO_FORM
from bot.channels.slack.modals import REPLY_BLOCK, RESOLUTION_BLOCK
from bot.core.conversation import Status
from bot.core.desk import Resolution
from tests.builders import CONVERSATION
from tests.channels.slack.desk_rig import MAX, QUESTION, ZOE, DeskRig, running_desk
from tests.vendors.slack_faults import drops, refuses
from tests.vendors.slack_server import AGENT, DESK, OTHER_AGENT


@pytest.fixture
async def rig() -> AsyncIterator[DeskRig]:
    async with running_desk() as running:
        await running.claimed()
        yield running


async def test_the_form_shows_what_the_customer_wrote_and_sends_what_is_typed(rig: DeskRig):
    await rig.presses(AGENT, Action.REPLY)
    assert QUESTION in str(rig.slack.view_of(AGENT)["blocks"])

    await rig.submits(AGENT, **{REPLY_BLOCK: "On its way"})

    assert await rig.sent() == ["On its way"]
    assert any("On its way" in line for line in rig.slack.transcript(DESK, await rig.card()))
    assert rig.whispers(AGENT) == []


async def test_the_form_is_open_before_the_press_is_acknowledged(rig: DeskRig):
    press = rig.slack.pressing(AGENT, DESK, await rig.card(), Action.REPLY)

    await rig.slack.sends(press)

    assert rig.slack.view_of(AGENT)["callback_id"] == "candor_reply_modal"


async def test_a_form_that_is_sent_three_times_is_one_reply(rig: DeskRig):
    await rig.presses(AGENT, Action.REPLY)
    submission = rig.slack.submitting(AGENT, **{REPLY_BLOCK: "On its way"})

    answers = await asyncio.gather(*(rig.slack.sends(submission) for _ in range(3)))
    await rig.settled()

    assert [answer.status for answer in answers] == [200] * 3
    assert await rig.sent() == ["On its way"]


async def test_who_does_not_have_the_conversation_gets_no_form(rig: DeskRig):
    await rig.presses(OTHER_AGENT, Action.REPLY)

    assert rig.slack.called("views.open") == []
    assert rig.whispers(OTHER_AGENT) == ["Max has this conversation now."]


async def test_a_reply_after_the_claim_was_lost_is_kept_as_a_draft_that_the_next_form_shows(rig: DeskRig):
    await rig.presses(AGENT, Action.REPLY)
    await rig.agents.transfer(CONVERSATION, MAX, to=ZOE)

    await rig.submits(AGENT, **{REPLY_BLOCK: "On its way"})

    assert rig.whispers(AGENT) == [f"Zoe has this conversation now. {KEPT_DRAFT}"]
    assert (await rig.sent(), await rig.draft(MAX)) == ([], "On its way")
    await rig.agents.transfer(CONVERSATION, ZOE, to=MAX)
    await rig.presses(AGENT, Action.REPLY)
    assert "On its way" in str(rig.slack.view_of(AGENT)["blocks"])


async def test_a_reply_answers_what_its_agent_had_seen_and_no_more(rig: DeskRig):
    await rig.presses(AGENT, Action.REPLY)
    await rig.says("And one more thing")

    await rig.submits(AGENT, **{REPLY_BLOCK: "On its way"})

    assert (await rig.state()).waiting_since_ms is not None


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param(refuses("expired_trigger_id"), [NO_FORM], id="too late"),
        pytest.param(drops(), [NO_FORM], id="no answer"),
        pytest.param(refuses("exchanged_trigger_id"), [], id="it is open already"),
    ],
)
async def test_a_form_that_does_not_open_is_said_to_have_failed(rig: DeskRig, fault, told):
    rig.slack.fails("views.open", fault)

    await rig.presses(AGENT, Action.REPLY)

    assert rig.whispers(AGENT) == told


async def test_resolving_asks_how_it_ended(rig: DeskRig):
    await rig.presses(AGENT, Action.RESOLVE)

    await rig.submits(AGENT, **{RESOLUTION_BLOCK: Resolution.DUPLICATE})

    assert (await rig.state()).status is Status.RESOLVED
    assert (await rig.store.audit(CONVERSATION))[-1].detail == Resolution.DUPLICATE
    assert "is done: Duplicate" in "".join(rig.slack.transcript(DESK))


async def test_resolving_twice_is_done_once_and_nobody_is_troubled(rig: DeskRig):
    await rig.presses(AGENT, Action.RESOLVE)
    submission = rig.slack.submitting(AGENT, **{RESOLUTION_BLOCK: Resolution.ANSWERED})
    again = {**submission, "view": {**submission["view"], "hash": "another"}}

    for one in (submission, again):
        await rig.slack.sends(one)
        await rig.settled()

    assert [what for _, what in await rig.audit()].count("resolved") == 1
    assert rig.whispers(AGENT) == []


async def test_a_conversation_is_not_resolved_over_what_its_agent_has_not_seen(rig: DeskRig):
    await rig.presses(AGENT, Action.RESOLVE)
    await rig.says("And one more thing")

    await rig.submits(AGENT, **{RESOLUTION_BLOCK: Resolution.ANSWERED})

    assert (await rig.state()).agent == MAX
    (told,) = rig.whispers(AGENT)
    assert told.startswith("The customer has written again.")

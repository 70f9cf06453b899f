"""Who claimed in Slack is reminded ten minutes later, once for each lease, and may keep or release the conversation from there."""

from collections.abc import AsyncIterator

import pytest

from bot.channels.slack.actions import Action
from bot.channels.slack.desk_wording import KEPT_ALIVE, RAN_OUT
from bot.channels.slack.reminders import Reminders, is_due
from bot.core.conversation import Status
from bot.core.duties import Duty
from tests.builders import CONVERSATION, NOON_MS, a_conversation
from tests.channels.slack.desk_rig import MAX, DeskRig, running_desk
from tests.vendors.slack_server import AGENT, OTHER_AGENT

MINUTE_MS = 60_000


@pytest.fixture
async def rig() -> AsyncIterator[DeskRig]:
    async with running_desk() as running:
        await running.hands_over()
        await running.presses(AGENT, Action.CLAIM)
        yield running


def reminders_of(rig: DeskRig) -> Reminders:
    return Reminders(desk=rig.desk, store=rig.kept, whispers=rig.speaking, clock=rig.clock)


async def test_the_owner_is_reminded_once_after_ten_minutes(rig: DeskRig):
    reminders = reminders_of(rig)

    told = []
    for _ in range(60):
        told.append(await reminders.remind())
        rig.clock.advance(15_000)

    assert [at for at, number in enumerate(told) if number] == [40]
    (reminder,) = rig.whispers(AGENT)
    assert "runs out" in reminder
    assert reminder.endswith("[Keep] [Release]")
    assert rig.whispers(OTHER_AGENT) == []


async def test_another_process_does_not_remind_again(rig: DeskRig):
    rig.clock.advance(10 * MINUTE_MS)

    assert [await reminders_of(rig).remind(), await reminders_of(rig).remind()] == [1, 0]


async def test_keeping_gives_another_quarter_of_an_hour_and_another_reminder(rig: DeskRig):
    rig.clock.advance(10 * MINUTE_MS)
    await reminders_of(rig).remind()

    await rig.presses(AGENT, Action.KEEP, on=rig.last_whisper(AGENT))

    assert rig.whispers(AGENT)[-1] == KEPT_ALIVE
    assert (await rig.state()).lease_until_ms == rig.clock.now_ms() + 15 * MINUTE_MS
    rig.clock.advance(10 * MINUTE_MS)
    assert await reminders_of(rig).remind() == 1


async def test_releasing_puts_the_conversation_back_into_the_queue(rig: DeskRig):
    rig.clock.advance(10 * MINUTE_MS)
    await reminders_of(rig).remind()

    await rig.presses(AGENT, Action.RELEASE, on=rig.last_whisper(AGENT))

    assert (await rig.state()).status is Status.QUEUED


async def test_who_keeps_a_claim_that_ran_out_is_told_so(rig: DeskRig):
    rig.clock.advance(10 * MINUTE_MS)
    await reminders_of(rig).remind()
    rig.clock.advance(5 * MINUTE_MS)

    await rig.presses(AGENT, Action.KEEP, on=rig.last_whisper(AGENT))

    assert rig.whispers(AGENT)[-1] == RAN_OUT


async def test_who_reads_only_loses_the_claim(rig: DeskRig):
    await rig.says("Hello?")
    await rig.agents.read(CONVERSATION, MAX, 3)
    rig.clock.advance(15 * MINUTE_MS)

    await rig.agents.expire_leases()
    await rig.settled()

    assert (await rig.state()).status is Status.QUEUED


async def test_the_process_without_the_duty_reminds_nobody(rig: DeskRig):
    class NoDuty:
        async def mine(self, duty: Duty) -> bool:
            return False

    rig.clock.advance(10 * MINUTE_MS)
    reminders = Reminders(
        desk=rig.desk, store=rig.kept, whispers=rig.speaking, clock=rig.clock, duties=NoDuty()
    )

    assert await reminders.remind() == 0


@pytest.mark.parametrize(
    ("left_ms", "expected"),
    [
        pytest.param(15 * MINUTE_MS, False, id="just claimed in Slack"),
        pytest.param(5 * MINUTE_MS + 1, False, id="not yet"),
        pytest.param(5 * MINUTE_MS, True, id="after ten minutes"),
        pytest.param(2 * MINUTE_MS + 1, True, id="a round was missed"),
        pytest.param(2 * MINUTE_MS, False, id="just claimed in the console"),
        pytest.param(-1, False, id="over"),
    ],
)
def test_when_a_reminder_is_due(left_ms, expected):
    assert is_due(a_conversation(lease_until_ms=NOON_MS + left_ms), now_ms=NOON_MS) is expected


def test_nothing_is_due_where_nobody_has_the_conversation():
    assert not is_due(a_conversation(), now_ms=NOON_MS)

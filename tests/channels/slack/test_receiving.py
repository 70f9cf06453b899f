"""What Slack sends is worked on at least once, and given up only with an alarm (FAULTS SL2, SL3, SL4, R-S6, R-S8)."""

import asyncio
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.keys import inbox_row, kind_of
from bot.channels.slack.retrying import DEFECT_ATTEMPTS
from bot.errors import (
    ConversationChanged,
    ConversationUnknown,
    InputRejected,
    MessageConflict,
    StoreUnavailable,
)
from tests.channels.slack.door import FORM_OPENER, Listener, a_receiver
from tests.channels.slack.payloads_sent import a_message, a_press, a_submission, an_event
from tests.waiting import wait_until

DAY_MS = 24 * 3_600_000


class Rig:
    def __init__(self):
        self.store = MemorySlackStore(MemoryConversationStore())
        self.clock = ManualClock()
        self.listener = Listener()
        self.health = SlackHealth()
        self.receiver = self.process()

    def process(self):
        return a_receiver(self.store, self.listener, self.clock, health=self.health)

    async def idle(self):
        await wait_until(lambda: self.receiver.is_idle)

    async def passes(self, seconds):
        self.clock.advance(seconds * 1000)
        await self.receiver.take_due()
        await self.idle()

    async def left(self):
        """What is neither done nor dead."""
        return await self.store.inbox_due(now_ms=self.clock.now_ms() + DAY_MS, limit=100)


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    with capture_logs() as lines:
        yield lines


@pytest.fixture
def rig(lines):
    return Rig()


@pytest.mark.parametrize("payload", [an_event(), a_press(), a_submission()], ids=lambda sent: sent["type"])
async def test_what_comes_in_is_worked_on_at_once_and_only_once(rig, payload):
    for _ in range(4):
        await rig.receiver.take(payload)
    await rig.idle()
    await rig.passes(60)

    assert len(rig.listener.heard) == 1
    assert await rig.left() == ()


async def test_a_mention_is_one_effect_though_it_comes_as_two_events(rig):
    await rig.receiver.take(an_event({**a_message(), "type": "app_mention"}, event_id="Ev1"))
    await rig.receiver.take(an_event(a_message(), event_id="Ev2"))
    await rig.idle()

    assert rig.listener.heard == ["T1:Ev1"]


async def test_what_failed_is_tried_again_later_each_time(rig):
    """FAULTS R-S6."""
    rig.listener.failures = [KeyError("text"), KeyError("text")]
    await rig.receiver.take(an_event())
    await rig.idle()
    (row,) = await rig.left()
    assert (row.attempts, row.error) == (1, "KeyError")

    await rig.passes(1)
    assert len(rig.listener.heard) == 1
    await rig.passes(1)
    assert len(rig.listener.heard) == 2
    await rig.passes(4)

    assert len(rig.listener.heard) == 3
    assert await rig.left() == ()


async def test_what_keeps_failing_is_a_dead_letter_with_an_alarm_until_somebody_revives_it(rig, lines):
    """FAULTS R-S6."""
    rig.listener.failures = [KeyError("text")] * DEFECT_ATTEMPTS
    await rig.receiver.take(an_event())
    await rig.idle()
    for _ in range(DEFECT_ATTEMPTS):
        await rig.passes(60)
    (dead,) = await rig.store.dead_letters()
    assert [line["key"] for line in lines if line["event"] == "slack_dead_letter"] == [dead.key]
    assert (await rig.health.check())["causes"] == "dead_letters"

    assert await rig.store.revive(dead.key, due_ms=rig.clock.now_ms())
    await rig.passes(0)
    await rig.passes(60)

    assert len(rig.listener.heard) == DEFECT_ATTEMPTS + 1
    assert not (await rig.health.check())["degraded"]


async def test_a_dead_letter_that_nobody_revived_ends_and_its_words_with_it(rig, lines):
    rig.receiver.dead_days = 7
    rig.listener.failures = [KeyError("text")] * DEFECT_ATTEMPTS
    await rig.receiver.take(an_event())
    await rig.idle()
    for _ in range(DEFECT_ATTEMPTS):
        await rig.passes(60)

    await rig.passes(6 * DAY_MS // 1000)
    (dead,) = await rig.store.dead_letters()
    await rig.passes(DAY_MS // 1000)

    assert (await rig.store.dead_letters(), await rig.left()) == ((), ())
    (ended,) = [line for line in lines if line["event"] == "slack_dead_letter_ended"]
    assert (ended["key"], ended["error"]) == (dead.key, "KeyError")
    assert not (await rig.health.check())["degraded"]


async def test_dead_letters_are_an_alarm_after_a_restart_too(rig):
    rig.listener.failures = [KeyError("text")] * DEFECT_ATTEMPTS
    await rig.receiver.take(an_event())
    await rig.idle()
    for _ in range(DEFECT_ATTEMPTS):
        await rig.passes(60)

    rig.health = SlackHealth()
    rig.receiver = rig.process()
    await rig.passes(1)

    assert (await rig.health.check())["degraded"]


@pytest.mark.parametrize(
    "refusal",
    [MessageConflict(), ConversationUnknown(), InputRejected("text", "is empty", "write something")],
    ids=lambda refusal: type(refusal).__name__,
)
async def test_a_refusal_is_no_failure(rig, refusal):
    rig.listener.failures = [refusal]

    await rig.receiver.take(an_event())
    await rig.idle()

    assert await rig.left() == ()
    assert await rig.store.dead_letters() == ()


async def test_a_race_is_run_again(rig):
    rig.listener.failures = [ConversationChanged()]
    await rig.receiver.take(an_event())
    await rig.idle()

    await rig.passes(2)

    assert len(rig.listener.heard) == 2
    assert await rig.left() == ()


async def test_what_another_process_left_is_taken_once_it_is_everybody_s(rig):
    """FAULTS R-S7: the process that kept it is gone."""
    dead = rig.process()
    await dead.drain(grace_s=0)
    await dead.take(an_event())

    await rig.passes(29)
    assert rig.listener.heard == []
    await rig.passes(1)

    assert rig.listener.heard == ["T1:Ev1"]


async def test_what_is_worked_on_here_is_not_begun_again_however_long_it_takes(rig):
    rig.listener.holds = asyncio.Event()
    await rig.receiver.take(an_event())
    await wait_until(lambda: rig.listener.heard)

    rig.clock.advance(60_000)
    assert await rig.receiver.take_due() == 0

    rig.listener.holds.set()
    await rig.idle()
    assert len(rig.listener.heard) == 1


async def test_a_thread_is_worked_on_in_order_and_others_meanwhile(rig):
    rig.listener.holds = asyncio.Event()
    for event_id, ts, thread in (("Ev1", "1.1", "1.1"), ("Ev2", "1.2", "1.1"), ("Ev3", "9.1", "9.1")):
        await rig.receiver.take(an_event(a_message(ts=ts, thread_ts=thread), event_id=event_id))
    await wait_until(lambda: len(rig.listener.heard) == 2)
    assert rig.listener.heard == ["T1:Ev1", "T1:Ev3"]

    rig.listener.holds.set()
    await rig.idle()

    assert rig.listener.heard == ["T1:Ev1", "T1:Ev3", "T1:Ev2"]


async def test_a_form_is_opened_before_it_is_acknowledged(rig):
    await rig.receiver.take(a_press(FORM_OPENER))

    assert len(rig.listener.heard) == 1
    assert await rig.left() == ()


async def test_a_form_that_takes_too_long_holds_no_acknowledgement_up_and_is_tried_again(rig):
    rig.listener.holds = asyncio.Event()
    rig.receiver.inline_s = 0.01
    await rig.receiver.take(a_press(FORM_OPENER))
    (row,) = await rig.left()
    assert row.error == "TimeoutError"

    rig.listener.holds.set()
    await rig.passes(2)

    assert await rig.left() == ()


async def test_a_store_that_takes_too_long_is_one_that_is_down(rig):
    class Slow:
        async def keep(self, row):
            await asyncio.Event().wait()

    rig.receiver.store, rig.receiver.keep_s = Slow(), 0.01

    with pytest.raises(StoreUnavailable):
        await rig.receiver.take(an_event())


async def test_an_inbox_that_cannot_be_read_is_read_at_the_next_round(rig):
    class Down:
        async def inbox_due(self, **_):
            raise StoreUnavailable("down")

        forget_done = inbox_due

    kept, rig.receiver.store = rig.receiver.store, Down()
    assert await rig.receiver.take_due() == 0

    rig.receiver.store = kept
    await rig.receiver.take(an_event())
    await rig.idle()
    assert rig.listener.heard == ["T1:Ev1"]


async def test_the_ids_are_known_for_two_days_and_then_forgotten(rig):
    """FAULTS SL4."""
    await rig.receiver.take(an_event())
    await rig.idle()

    await rig.passes(48 * 3600 - 1)
    assert not await rig.store.keep(a_row_of(an_event()))
    await rig.passes(3600)

    assert await rig.store.keep(a_row_of(an_event()))


async def test_what_nobody_listens_to_is_taken_and_dropped(rig):
    await rig.receiver.take({"type": "view_closed"})

    assert await rig.left() == ()


async def test_what_lacks_its_ids_is_refused(rig):
    with pytest.raises(InputRejected):
        await rig.receiver.take(an_event(event_id=""))


def a_row_of(payload):
    return inbox_row(kind_of(payload), payload, now_ms=0)

"""The outbox's deliveries: each row until it is told, in order, and none that keeps another waiting (FAULTS H5)."""

import asyncio
from dataclasses import dataclass, field
from functools import partial

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.core.conversation import ConversationId
from bot.core.outbox import DESK, LONGEST_PAUSE_S, WEBHOOKS, Announcement
from bot.errors import NotDelivered, OutsideFailure, StoreUnavailable
from bot.service.delivering import AT_ONCE
from bot.service.live import Changed, LiveHub
from bot.service.relay import ConsoleNotifier, Relay
from tests.builders import NOON_MS, a_handoff
from tests.contract.scene import Scene
from tests.service.stand_ins import Point
from tests.waiting import wait_until

HANDOFF = "handoff:c1:1"
MESSAGE = "message.created:c1:1"


class ScriptedNotifier:
    """Somebody outside; `told` are the keys of the rows that arrived, `at` is where their delivery fails or hangs."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.at: dict[str, Point] = {}

    async def tell(self, row):
        if row.key in self.at:
            await self.at[row.key].passed()
        self.told.append(row.key)


class ScriptedStore(MemoryConversationStore):
    """A store that is away where a test says."""

    def __init__(self) -> None:
        super().__init__(told=DESK | WEBHOOKS)
        self.at_due = Point()
        self.at_delivered = Point()

    async def outbox_due(self, **asked):
        await self.at_due.passed()
        return await super().outbox_due(**asked)

    async def delivered(self, key, *, at_ms):
        await self.at_delivered.passed()
        await super().delivered(key, at_ms=at_ms)


@dataclass
class Outside:
    """A store, those who are told of it, and what operators are shown."""

    store: ScriptedStore = field(default_factory=ScriptedStore)
    clock: ManualClock = field(default_factory=partial(ManualClock, NOON_MS))
    desk: ScriptedNotifier = field(default_factory=ScriptedNotifier)
    webhook: ScriptedNotifier = field(default_factory=ScriptedNotifier)
    shown: list[tuple[float, int]] = field(default_factory=list)

    def relay(self, **fields) -> Relay:
        """Return the relay of a process that has just started."""
        notifiers = dict.fromkeys(DESK, self.desk) | dict.fromkeys(WEBHOOKS, self.webhook)
        unless_given = {"notifiers": notifiers, "jitter": lambda: 0.0, "every_s": 0.001}
        return Relay(store=self.store, clock=self.clock, observer=self, **(unless_given | fields))

    def outbox_seen(self, *, oldest_s, waiting):
        self.shown.append((oldest_s, waiting))

    def queue_seen(self, *, waiting, claimed, longest_s):
        raise AssertionError("the relay does not know the queue")

    async def customer_writes(self, conversation: str = "c1", text: str = "Hello?") -> None:
        scene = await Scene.open(self.store, ConversationId(conversation))
        await scene.customer_writes(text, at_ms=self.clock.now_ms())

    async def bot_hands_over(self) -> None:
        await (await Scene.open(self.store)).bot_hands_over(a_handoff())

    async def waiting(self) -> dict[str, int]:
        """Return the undelivered rows with their attempts."""
        return {row.key: row.attempts for row in await self.store.outbox(limit=99)}


@pytest.fixture
def outside() -> Outside:
    return Outside()


async def round_of(relay: Relay) -> None:
    await relay.drain(grace_s=5)


async def test_every_row_is_told_once_in_order_and_marked(outside):
    await outside.bot_hands_over()

    await round_of(outside.relay())
    await round_of(outside.relay())

    assert outside.desk.told == [HANDOFF]
    assert outside.webhook.told == [MESSAGE, "conversation.handed_off:c1:1", "message.created:c1:2"]
    assert await outside.waiting() == {}


@pytest.mark.parametrize(
    "failure",
    [OutsideFailure("down"), TimeoutError(), ValueError("a defect")],
    ids=lambda f: type(f).__name__,
)
async def test_a_row_that_fails_is_tried_later_and_later_and_never_given_up(outside, failure):
    await outside.customer_writes()
    outside.webhook.at[MESSAGE] = Point(fails=failure)

    pauses_s = []
    for _ in range(14):
        await round_of(outside.relay())
        (row,) = await outside.store.outbox(limit=9)
        pauses_s.append((row.due_ms - outside.clock.now_ms()) / 1000)
        outside.clock.advance(row.due_ms - outside.clock.now_ms())

    assert pauses_s[:4] == [1, 2, 4, 8]
    assert pauses_s[-1] == LONGEST_PAUSE_S / 2
    outside.webhook.at.clear()
    await round_of(outside.relay())
    assert outside.webhook.told == [MESSAGE]


async def test_a_receiver_is_left_alone_for_as_long_as_it_asks(outside):
    await outside.customer_writes()
    outside.webhook.at[MESSAGE] = Point(fails=NotDelivered("too many", wait_s=30))

    await round_of(outside.relay())

    (row,) = await outside.store.outbox(limit=9)
    assert row.due_ms == NOON_MS + 30_000


async def test_a_row_that_hangs_is_given_up_for_now_and_keeps_the_order_of_its_conversation(outside):
    await outside.customer_writes(text="one")
    await outside.customer_writes(text="two")
    outside.webhook.at[MESSAGE] = Point(waits=True)

    await round_of(outside.relay(limit_s=0.01))

    assert outside.webhook.told == []
    assert await outside.waiting() == {MESSAGE: 1, "message.created:c1:2": 0}


async def test_a_row_that_hangs_keeps_neither_the_desk_nor_other_conversations_waiting(outside):
    await outside.bot_hands_over()
    await outside.customer_writes("c2")
    outside.webhook.at[MESSAGE] = Point(waits=True)
    relay = outside.relay()
    rounds = asyncio.create_task(relay.run_forever())

    await wait_until(lambda: outside.desk.told and outside.webhook.told)

    rounds.cancel()
    await relay.drain(grace_s=0)
    assert (outside.desk.told, outside.webhook.told) == ([HANDOFF], ["message.created:c2:1"])


async def test_a_receiver_that_hangs_is_asked_a_few_times_at_once_and_no_more(outside):
    for n in range(3 * AT_ONCE):
        await outside.customer_writes(f"c{n}")
        outside.webhook.at[f"message.created:c{n}:1"] = Point(waits=True)

    relay = outside.relay()
    await relay.drain(grace_s=0.05)

    assert sum(point.calls for point in outside.webhook.at.values()) == AT_ONCE


async def test_what_nobody_is_there_to_be_told_counts_as_delivered(outside):
    await outside.bot_hands_over()

    await round_of(outside.relay(notifiers={Announcement.HANDOFF: outside.desk}))

    assert await outside.waiting() == {}
    assert (outside.desk.told, outside.webhook.told) == ([HANDOFF], [])


async def test_a_commit_that_wakes_the_relay_is_told_at_once(outside):
    relay = outside.relay(every_s=3600)
    rounds = asyncio.create_task(relay.run_forever())
    await wait_until(lambda: outside.store.at_due.calls >= 2)
    await outside.bot_hands_over()

    relay.wake()

    await wait_until(lambda: outside.desk.told)
    rounds.cancel()
    await relay.drain(grace_s=5)


async def test_a_commit_of_another_process_is_found_at_the_next_round(outside):
    rounds = asyncio.create_task(outside.relay().run_forever())
    await wait_until(lambda: outside.store.at_due.calls >= 2)

    await outside.bot_hands_over()

    await wait_until(lambda: outside.desk.told)
    rounds.cancel()


async def test_a_crash_between_telling_and_marking_tells_again_under_the_same_key(outside):
    await outside.customer_writes()
    outside.store.at_delivered.waits = True
    await outside.relay().drain(grace_s=0.02)
    outside.store.at_delivered.waits = False

    await round_of(outside.relay())

    assert outside.webhook.told == [MESSAGE, MESSAGE]
    assert await outside.waiting() == {}


async def test_a_crash_before_telling_tells_after_the_restart(outside):
    await outside.bot_hands_over()
    outside.desk.at[HANDOFF] = Point(waits=True)
    await outside.relay().drain(grace_s=0.02)
    outside.desk.at.clear()

    await round_of(outside.relay())

    assert outside.desk.told == [HANDOFF]


async def test_a_disk_that_is_full_does_not_make_a_row_be_told_again_and_again(outside):
    await outside.customer_writes()
    outside.store.at_delivered.fails = StoreUnavailable("disk full")
    relay = outside.relay()
    rounds = asyncio.create_task(relay.run_forever())
    await wait_until(lambda: outside.store.at_delivered.calls > 3)

    outside.store.at_delivered.fails = None
    await wait_until(lambda: outside.shown and outside.shown[-1] == (0, 0))

    rounds.cancel()
    await relay.drain(grace_s=5)
    assert outside.webhook.told == [MESSAGE]


async def test_a_store_that_is_away_is_read_again_at_the_next_round(outside):
    await outside.bot_hands_over()
    outside.store.at_due.fails_once = StoreUnavailable("away")
    relay = outside.relay()
    rounds = asyncio.create_task(relay.run_forever())

    await wait_until(lambda: outside.desk.told)

    rounds.cancel()
    await relay.drain(grace_s=5)


async def test_a_stop_lets_what_is_under_way_arrive_but_not_for_ever(outside):
    await outside.bot_hands_over()
    outside.webhook.at[MESSAGE] = Point(waits=True)

    relay = outside.relay()
    await relay.drain(grace_s=0.02)

    assert outside.desk.told == [HANDOFF]
    assert MESSAGE in await outside.waiting()
    assert not any(line._running for line in relay._lines)


async def test_a_stopped_relay_starts_nothing(outside):
    relay = outside.relay()
    await relay.drain(grace_s=0)
    await outside.bot_hands_over()

    await relay.drain(grace_s=5)

    assert outside.desk.told == []


async def test_operators_are_shown_how_long_the_oldest_row_waits(outside):
    relay = outside.relay()
    await relay.look()
    await outside.bot_hands_over()
    outside.clock.advance(5_000)

    await relay.look()

    assert outside.shown == [(0, 0), (5, 4)]


async def test_the_alarm_is_raised_once_for_each_time_that_the_outbox_is_late(outside, logged):
    relay = outside.relay()
    for episode in ("one", "two"):
        await outside.customer_writes(text=episode)
        outside.clock.advance(60_000)
        await relay.look()
        outside.clock.advance(1)
        await relay.look()
        await relay.look()
        for row in await outside.store.outbox(limit=9):
            await outside.store.delivered(row.key, at_ms=0)
        await relay.look()

    said = [(entry["event"], entry["log_level"]) for entry in logged]
    assert said == [("outbox_late", "error"), ("outbox_in_time", "info")] * 2


async def test_open_consoles_look_again_at_a_handoff(outside):
    live = LiveHub()
    await outside.bot_hands_over()

    with live.watch(ConversationId("c1")) as watcher:
        await round_of(outside.relay(notifiers={Announcement.HANDOFF: ConsoleNotifier(live=live)}))
        assert await anext(watcher.events()) == Changed()

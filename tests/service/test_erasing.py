"""An erasure during an open conversation: everything that runs for it lets go, and nothing brings it back (FAULTS R-L17)."""

import asyncio
import io
import json
from contextlib import suppress

import pytest
import structlog

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.core.conversation import ConversationId
from bot.core.erasure import Erased
from bot.core.prompt import Finished, Stop
from bot.errors import ConversationUnknown, StoreUnavailable
from bot.logs import configure_logs
from bot.service.erasing import Erasing
from bot.service.live import Changed, LiveHub, Touched
from tests.service.faults import quoted
from tests.service.rig import QUESTION, Rig
from tests.service.stand_ins import Point
from tests.waiting import wait_until


def an_erasure(rig: Rig) -> MemoryErasure:
    return MemoryErasure(rig.store, MemoryCustomerStore(rig.store))


async def erase(rig: Rig) -> None:
    """Erase as another process does: this one is not told."""
    await an_erasure(rig).erase([rig.conversation], who="operator", at_ms=rig.clock.now_ms())


async def stalled(rig: Rig) -> Point:
    between = Point(waits=True)
    rig.answerer.script = (
        quoted("Open My Lessons and choose Reschedule."),
        between,
        Finished(stop=Stop.COMPLETE),
    )
    await rig.say(QUESTION)
    await between.reached.wait()
    return between


@pytest.fixture
def logged():
    stream = io.StringIO()
    configure_logs("debug", stream=stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    structlog.reset_defaults()


async def test_a_running_turn_is_dropped_by_the_store_without_an_alarm(rig: Rig, logged):
    between = await stalled(rig)
    await erase(rig)

    between.opened.set()
    await rig.idle()

    assert [line["event"] for line in logged() if line["level"] != "debug"] == ["turn_dropped"]
    with pytest.raises(ConversationUnknown):
        await rig.messages()


async def test_a_running_turn_is_stopped_when_the_process_notices(rig: Rig):
    await stalled(rig)
    rig.live.when_erased(rig.runner.drop)
    await erase(rig)

    assert await Erasing(erasure=an_erasure(rig), clock=rig.clock, live=rig.live).look() == 1

    await rig.idle()
    assert rig.answerer.closed == 1


async def test_a_turn_that_begins_afterwards_finds_nothing_to_do(rig: Rig):
    await rig.ask()
    await erase(rig)

    assert await rig.turns.run(rig.conversation) is None
    assert await rig.turns.lose(rig.conversation) is None
    assert await rig.sweep.hand_over_lost() == 0


async def test_a_late_message_is_refused(rig: Rig):
    await rig.ask()
    await erase(rig)

    with pytest.raises(ConversationUnknown):
        await rig.say("hello?")


async def test_whoever_looks_is_woken_once(rig: Rig):
    hub = LiveHub()
    forgotten: list[ConversationId] = []
    hub.when_erased(forgotten.append)
    erasing = Erasing(erasure=an_erasure(rig), clock=rig.clock, live=hub)
    await erase(rig)

    with hub.watch(rig.conversation) as watcher, hub.watch_all() as desk:
        found = [await erasing.look(), await erasing.look()]
        hub.close()
        events = [event async for event in watcher.events()], [event async for event in desk.events()]

    assert found == [1, 0]
    assert forgotten == [rig.conversation]
    assert (events[0][:-1], events[1][:-1]) == ([Changed()], [Touched(conversation=rig.conversation)])


class Failing:
    """A store that is away the first time."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def erased(self, *, after: int):
        self.asked.append(after)
        if len(self.asked) == 1:
            raise StoreUnavailable("away")
        return (Erased(number=3, conversation=ConversationId("c9"), at_ms=0),) if after < 3 else ()


async def test_a_store_that_is_away_is_asked_again():
    store, hub = Failing(), LiveHub()
    forgotten: list[ConversationId] = []
    hub.when_erased(forgotten.append)
    task = asyncio.create_task(Erasing(erasure=store, clock=ManualClock(), live=hub, every_s=0).run_forever())

    await wait_until(lambda: 3 in store.asked)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

    assert forgotten == ["c9"]
    assert store.asked[:3] == [0, 0, 3]

"""What another process does for all, this one leaves alone until the duty is its own."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.core.caps import DAY_MS
from bot.core.duties import Duty
from bot.service.retention import Retention
from tests.builders import NOON_MS, a_conversation, a_handoff
from tests.contract.scene import Scene
from tests.service.rig import QUESTION, Rig, another_process
from tests.service.test_relay import HANDOFF, Outside
from tests.waiting import wait_until


@dataclass
class Elsewhere:
    """Duties that another process has, until a test passes them on; `asked` are those that this one wanted."""

    passed_on: bool = False
    asked: list[Duty] = field(default_factory=list)

    async def mine(self, duty: Duty) -> bool:
        self.asked.append(duty)
        return self.passed_on

    async def are_wanted(self, *, times: int = 3) -> None:
        """Wait until rounds have gone by."""
        await wait_until(lambda: len(self.asked) >= times)


@pytest.fixture
def duties() -> Elsewhere:
    return Elsewhere()


@asynccontextmanager
async def going_on(rounds: Coroutine[object, object, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(rounds)
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_lost_turns_are_left_to_who_sweeps(rig: Rig, duties):
    await rig.runner.drain(grace_s=0)
    await rig.say(QUESTION)
    crashed = another_process(rig)
    crashed.clock.advance(60_001)
    async with going_on(replace(crashed.sweep, duties=duties, every_s=0.001).run_forever()):
        await duties.are_wanted()
        assert await crashed.reasons() == []

        duties.passed_on = True
        await wait_until(crashed.reasons)

    assert await crashed.reasons() == ["turn_lost"]


async def test_the_outbox_is_left_to_who_delivers(duties):
    outside = Outside()
    await (await Scene.open(outside.store)).bot_hands_over(a_handoff())
    async with going_on(outside.relay(duties=duties).run_forever()):
        await duties.are_wanted()
        assert outside.desk.told == []

        duties.passed_on = True
        await wait_until(lambda: outside.desk.told)

    assert outside.desk.told == [HANDOFF]


async def test_what_is_old_is_left_to_who_keeps_the_times(duties):
    store = MemoryConversationStore()
    await store.open_conversation(a_conversation(created_ms=NOON_MS))
    keeping = Retention(
        erasure=MemoryErasure(store, MemoryCustomerStore(store)),
        clock=ManualClock(now_ms=NOON_MS + 30 * DAY_MS),
        conversation_days=1,
        every_s=0,
        duties=duties,
    )
    async with going_on(keeping.run_forever()):
        await duties.are_wanted()
        assert len(store.states()) == 1

        duties.passed_on = True
        await wait_until(lambda: not store.states())

"""One run at a time: the lease is renewed while it works, and a run that has lost it ends (FAULTS K10)."""

import asyncio

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.errors import StoreUnavailable, SyncBusy, SyncFenced
from kb_sync.locking import Lease, SyncLocking
from tests.kb_sync.sync_rig import for_ever
from tests.waiting import wait_until


class Steps:
    """A sleep that ends when the test says so; `asked` are the seconds asked for."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._go = asyncio.Semaphore(0)
        self.asked: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self._go.acquire()

    async def pass_by(self, seconds: float) -> None:
        """Let so much time pass, and wait until the sleeper asks again."""
        asked = len(self.asked)
        self._clock.advance(int(seconds * 1000))
        self._go.release()
        await wait_until(lambda: len(self.asked) > asked)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def writer() -> MemoryKnowledgeWriter:
    return MemoryKnowledgeWriter()


def locking(writer, clock, sleep=for_ever, *, holder="one") -> SyncLocking:
    return SyncLocking(writer=writer, clock=clock, lease=Lease(holder=holder, sleep=sleep))


async def test_the_lock_is_held_for_ten_minutes_and_given_back(writer, clock):
    async def work(token: int) -> str:
        held = writer.lock()
        assert (held.token, held.holder, held.until_ms - clock.now_ms()) == (token, "one", 600_000)
        return "done"

    assert await locking(writer, clock).hold(work) == "done"

    assert writer.lock() is None


async def test_each_minute_the_lease_is_renewed(writer, clock):
    steps = Steps(clock)

    async def work(_token: int) -> None:
        for _ in range(15):
            await steps.pass_by(60)

    await locking(writer, clock, steps.sleep).hold(work)

    assert set(steps.asked) == {60.0}
    assert clock.monotonic_s() == 900


async def test_a_second_run_is_refused_while_the_lease_runs(writer, clock):
    writer.take_lock("another", now_ms=clock.now_ms(), until_ms=clock.now_ms() + 1)

    with pytest.raises(SyncBusy, match="another sync runs: another"):
        await locking(writer, clock).hold(for_ever)


async def test_the_lock_of_a_dead_run_is_taken_over_after_its_lease(writer, clock):
    dead = writer.take_lock("dead", now_ms=clock.now_ms(), until_ms=clock.now_ms() + 600_000)
    clock.advance(600_000)

    async def work(token: int) -> int:
        return token

    assert await locking(writer, clock).hold(work) > dead


async def test_a_run_whose_lock_was_taken_over_is_ended_and_leaves_the_lock_alone(writer, clock):
    steps = Steps(clock)
    ended: list[str] = []

    async def work(_token: int) -> None:
        clock.advance(600_000)
        writer.take_lock("the next", now_ms=clock.now_ms(), until_ms=clock.now_ms() + 600_000)
        steps._go.release()
        try:
            await for_ever(0)
        finally:
            ended.append("cancelled")

    with pytest.raises(SyncFenced):
        await locking(writer, clock, steps.sleep).hold(work)

    assert ended == ["cancelled"]
    assert writer.lock().holder == "the next"


async def test_what_the_work_raises_comes_out_and_the_lock_is_given_back(writer, clock):
    async def work(_token: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await locking(writer, clock).hold(work)

    assert writer.lock() is None


async def test_a_store_that_is_gone_at_the_end_hides_nothing(clock):
    class Gone(MemoryKnowledgeWriter):
        def release_lock(self, token):
            raise StoreUnavailable("the disk is gone")

    async def work(_token: int) -> str:
        return "done"

    assert await locking(Gone(), clock).hold(work) == "done"

"""One alarm each time that the articles become late, and an age that is never more than a minute behind (FAULTS K2, R-K5)."""

from dataclasses import dataclass, field

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.core.knowledge import IndexState, IndexStatus
from bot.core.staleness import SyncHealth
from bot.errors import RetrievalUnavailable
from bot.service.sync_watch import EVERY_S, SyncWatch

MINUTE_MS, DAY_MS = 60_000, 86_400_000
WORKER_S = 900


@dataclass
class Synced:
    """An index and who watches it."""

    clock: ManualClock = field(default_factory=ManualClock)
    last_sync_ms: int | None = None
    worker_s: int | None = WORKER_S
    fails: Exception | None = None
    asked: int = 0
    seen: list[SyncHealth | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.last_sync_ms = self.clock.now_ms()

    async def status(self) -> IndexStatus:
        self.asked += 1
        if self.fails is not None:
            raise self.fails
        return IndexStatus(
            state=IndexState.READY, last_sync_ms=self.last_sync_ms, expected_every_s=self.worker_s
        )

    def sync_seen(self, health: SyncHealth | None) -> None:
        self.seen.append(health)

    def watch(self, *, expected_s: int | None = None) -> SyncWatch:
        return SyncWatch(status=self.status, clock=self.clock, observer=self, expected_s=expected_s)


def alarms(logged):
    return [line["event"] for line in logged if line["event"].startswith("sync_")]


async def test_a_cron_that_stands_still_for_three_days_raises_one_alarm_within_two_intervals(logged):
    """R-K5."""
    synced = Synced()
    watch = synced.watch()
    alarmed_after: list[int] = []
    for minute in range(3 * 24 * 60):
        await watch.look()
        if alarms(logged) and not alarmed_after:
            alarmed_after.append(minute)
        synced.clock.advance(MINUTE_MS)

    assert alarms(logged) == ["sync_late"]
    assert alarmed_after == [2 * WORKER_S // 60 + 1]
    assert "see why `python -m kb_sync` does not finish" in logged[-1]["problem"]


async def test_a_sync_that_comes_again_ends_the_alarm_and_the_next_lateness_raises_another(logged):
    synced = Synced()
    watch = synced.watch()
    for _ in range(2):
        synced.clock.advance(DAY_MS)
        await watch.look()
        synced.last_sync_ms = synced.clock.now_ms()
        await watch.look()

    assert alarms(logged) == ["sync_late", "sync_in_time_again"] * 2


@pytest.mark.parametrize(
    ("expected_s", "worker_s", "late"),
    [(86_400, WORKER_S, False), (WORKER_S, None, True), (WORKER_S, 86_400, True), (None, None, False)],
)
async def test_the_settings_say_how_often_before_the_worker_does(expected_s, worker_s, late):
    synced = Synced(worker_s=worker_s)
    synced.clock.advance(60 * MINUTE_MS)

    await synced.watch(expected_s=expected_s).look()

    (seen,) = synced.seen
    assert seen is not None
    assert (seen.late, seen.age_ms) == (late, 60 * MINUTE_MS)


async def test_an_index_that_cannot_be_asked_is_neither_late_nor_in_time(logged):
    synced = Synced()
    watch = synced.watch()
    synced.clock.advance(DAY_MS)
    await watch.look()

    synced.fails = RetrievalUnavailable("disk I/O error")
    await watch.look()
    synced.fails = None
    await watch.look()

    assert alarms(logged) == ["sync_late", "sync_age_not_seen"]
    assert [seen and seen.late for seen in synced.seen] == [True, None, True]


async def test_whether_articles_are_old_is_asked_once_a_minute_at_most():
    synced = Synced()
    watch = synced.watch()
    before = await watch.are_old()
    synced.clock.advance(8 * DAY_MS)
    after = [await watch.are_old() for _ in range(3)]
    synced.clock.advance(int(EVERY_S * 1000) - 1)
    await watch.are_old()

    assert (before, after, synced.asked) == (False, [True] * 3, 2)


async def test_an_index_that_hangs_keeps_no_answer_back():
    synced = Synced()
    watch = synced.watch()
    watch.wait_s = 0.0

    assert await watch.are_old() is False

"""Counts the numbers on the desk's page, seldom enough that many open consoles cost one reading, and shows operators the queue."""

import asyncio
from dataclasses import dataclass, field

import structlog

from bot.core.desk_numbers import Calendar, DeskNumbers, by_day, first_reply_median, waiting_now
from bot.core.ratings import Satisfaction, satisfaction
from bot.core.truth import is_truthful
from bot.customer_ports import RatingStore
from bot.desk_ports import DeskObserver, DeskStore
from bot.ports import Clock

log = structlog.get_logger()

KEPT_S = 10.0
EVERY_S = 10.0
MOST_DAYS = 92


@dataclass(slots=True, kw_only=True)
class Numbers:
    """The numbers as of at most *kept_s* seconds ago; without `ratings` nobody is asked how satisfied they were."""

    desk: DeskStore
    clock: Clock
    observer: DeskObserver
    calendar: Calendar
    ratings: RatingStore | None = None
    kept_s: float = KEPT_S
    every_s: float = EVERY_S
    _kept: dict[int, tuple[float, DeskNumbers]] = field(default_factory=dict)
    _counting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def report(self, days: int) -> DeskNumbers:
        """Return the numbers of so many days, today included and 92 at most; StoreUnavailable."""
        days = min(max(days, 1), MOST_DAYS)
        async with self._counting:
            counted_s, numbers = self._kept.get(days, (-self.kept_s, None))
            if numbers is None or self.clock.monotonic_s() - counted_s >= self.kept_s:
                numbers = await self._counted(days)
                self._kept[days] = (self.clock.monotonic_s(), numbers)
            return numbers

    async def show_queue(self) -> None:
        """Tell the observer who waits; StoreUnavailable."""
        now = waiting_now(await self.desk.queue(), now_ms=self.clock.now_ms())
        self.observer.queue_seen(waiting=now.queued, claimed=now.claimed, longest_s=now.longest_ms / 1000)

    async def run_forever(self) -> None:
        """Show the queue to operators, round after round, until cancelled."""
        while True:
            try:
                await self.show_queue()
            except Exception:  # shown at the next round
                log.exception("queue_not_shown")
            await asyncio.sleep(self.every_s)

    async def _counted(self, days: int) -> DeskNumbers:
        now_ms = self.clock.now_ms()
        shown = self.calendar.days_until(now_ms, count=days)
        today_ms, until_ms = self.calendar.begins_ms(shown[-1]), now_ms + 1
        activities = await self.desk.activity(since_ms=self.calendar.begins_ms(shown[0]), until_ms=until_ms)
        handed_over = await self.desk.handoff_turns(since_ms=today_ms, until_ms=until_ms)
        return DeskNumbers(
            now_ms=now_ms,
            waiting=waiting_now(await self.desk.queue(), now_ms=now_ms),
            days=by_day(activities, shown, self.calendar),
            first_reply_median_ms=first_reply_median(activities, since_ms=today_ms),
            untruthful=sum(not is_truthful(turn) for turn in handed_over),
            satisfaction=await self._satisfaction(since_ms=today_ms, until_ms=until_ms),
        )

    async def _satisfaction(self, *, since_ms: int, until_ms: int) -> Satisfaction:
        if self.ratings is None:
            return Satisfaction()
        return satisfaction(await self.ratings.scores(since_ms=since_ms, until_ms=until_ms))

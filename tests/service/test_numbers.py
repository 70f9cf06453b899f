"""The numbers of a real day at the desk, counted once for however many consoles look."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.memory.ratings import MemoryRatingStore
from bot.core.conversation import ConversationId
from bot.core.desk_numbers import AnsweredAlone, Calendar
from bot.core.outcome import ReasonCode
from bot.core.ratings import Rating, Satisfaction
from bot.core.turn import Stage, StageRecord, StageStatus
from bot.errors import StoreUnavailable
from bot.service.numbers import Numbers
from tests.builders import NOON_MS, a_handoff
from tests.contract.scene import Scene
from tests.service.stand_ins import Point
from tests.waiting import wait_until

DAY_MS = 24 * 3600 * 1000


class CountedDesk(MemoryDeskStore):
    """A desk store that counts how often the queue is read."""

    def __init__(self, conversations):
        super().__init__(conversations)
        self.at_queue = Point()

    async def queue(self):
        await self.at_queue.passed()
        return await super().queue()


@dataclass
class Page:
    """A store with a desk, and the numbers of both."""

    store: MemoryConversationStore = field(default_factory=MemoryConversationStore)
    clock: ManualClock = field(default_factory=ManualClock)
    shown: list[tuple[int, int, float]] = field(default_factory=list)

    def __post_init__(self):
        self.desk = CountedDesk(self.store)
        self.numbers = Numbers(
            desk=self.desk, clock=self.clock, observer=self, calendar=Calendar(zone=UTC), every_s=0.001
        )

    async def opens(self, conversation: str) -> Scene:
        return await Scene.open(self.store, ConversationId(conversation))

    def outbox_seen(self, *, oldest_s, waiting):
        raise AssertionError("the numbers do not know the outbox")

    def queue_seen(self, *, waiting, claimed, longest_s):
        self.shown.append((waiting, claimed, longest_s))


@pytest.fixture
def page() -> Page:
    return Page()


async def hands_over(scene: Scene, *stages: StageRecord) -> None:
    await scene.bot_hands_over(
        a_handoff(ReasonCode.CUSTOMER_ASKED), turn=f"t-{scene.id}", settled_ms=NOON_MS, stages=stages
    )


async def test_a_day_at_the_desk_is_counted(page):
    answered, waits = await page.opens("c1"), await page.opens("c2")
    await answered.customer_writes()
    await answered.bot_settles(await answered.turn_begins(), settled_ms=NOON_MS)
    routed = StageRecord(
        name=Stage.ROUTE, status=StageStatus.STOPPED, ms=0, finding=ReasonCode.CUSTOMER_ASKED
    )
    await hands_over(waits, routed)
    page.clock.advance(90_000)

    counted = await page.numbers.report(7)

    assert (len(counted.days), counted.untruthful) == (7, 0)
    assert counted.days[-1].by_reason == {"customer_asked": 1}
    assert counted.days[-1].answered_alone == AnsweredAlone(silent=1)
    assert (counted.waiting.queued, counted.waiting.longest_ms) == (1, 90_000)


async def test_a_handoff_whose_reason_is_not_what_happened_is_seen(page):
    await hands_over(await page.opens("c1"))  # no stage says that a person was asked for

    assert (await page.numbers.report(1)).untruthful == 1


async def test_what_was_untruthful_yesterday_is_not_todays(page):
    await hands_over(await page.opens("c1"))
    page.clock.advance(DAY_MS)

    counted = await page.numbers.report(2)

    assert (counted.untruthful, [day.handed_over for day in counted.days]) == (0, [1, 0])


async def test_ten_consoles_cost_one_reading(page):
    await asyncio.gather(*(page.numbers.report(7) for _ in range(10)))
    page.clock.advance(9_999)
    await page.numbers.report(7)

    assert page.desk.at_queue.calls == 1


async def test_after_ten_seconds_the_numbers_are_counted_again(page):
    before = await page.numbers.report(7)
    await hands_over(await page.opens("c1"))
    page.clock.advance(10_000)

    after = await page.numbers.report(7)

    assert (before.waiting.queued, after.waiting.queued) == (0, 1)


@pytest.mark.parametrize(("asked", "days"), [(0, 1), (-3, 1), (30, 30), (10_000, 92)])
async def test_the_number_of_days_is_bounded(page, asked, days):
    assert len((await page.numbers.report(asked)).days) == days


async def test_operators_are_shown_the_queue_whether_or_not_the_page_is_open(page):
    await hands_over(await page.opens("c1"))
    page.clock.advance(5_000)
    page.desk.at_queue.fails_once = StoreUnavailable("away")
    rounds = asyncio.create_task(page.numbers.run_forever())

    await wait_until(lambda: page.shown)

    rounds.cancel()
    assert page.shown[0] == (1, 0, 5.0)


async def test_a_store_that_is_away_is_said_and_nothing_is_kept(page):
    page.desk.at_queue.fails_once = StoreUnavailable("away")
    with pytest.raises(StoreUnavailable):
        await page.numbers.report(7)

    assert replace(await page.numbers.report(7), now_ms=0).waiting.queued == 0


async def test_satisfaction_counts_what_was_rated_today_and_only_what_counts(page):
    ratings = MemoryRatingStore(page.store)
    page.numbers.ratings = ratings
    now_ms = page.clock.now_ms()
    await page.opens("a")
    await page.opens("b")
    for conversation, message_id, score, at_ms in (
        ("a", "r1", 1, now_ms),
        ("a", "r2", 4, now_ms),
        ("b", "r1", 1, now_ms - DAY_MS),
    ):
        rating = Rating(message_id=message_id, episode=1, score=score, at_ms=at_ms)
        await ratings.rate(ConversationId(conversation), rating)

    assert (await page.numbers.report(7)).satisfaction == Satisfaction(count=1, mean=4.0)


async def test_without_ratings_nobody_was_asked(page):
    assert (await page.numbers.report(7)).satisfaction == Satisfaction()

"""Two processes on MongoDB, call by call in random order, one of which may die at any: nothing is lost, doubled or set back."""

import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from structlog.testing import capture_logs

from bot.adapters.mongo.access import Driver
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.desk import MongoDeskStore
from bot.adapters.mongo.documents import from_handoff
from bot.adapters.mongo.erasing import belonging, finish
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.mongo.keeping import CONVERSATIONS, Keeping
from bot.core.conversation import ConversationId
from bot.core.notes import Note
from bot.core.outbox import EVERYTHING, Announcement
from tests.builders import CONVERSATION, NOON_MS, a_handoff
from tests.contract.scene import ANNA, Scene, assert_rebuilds
from tests.protocol.stepped import Schedule, SteppedDatabase
from tests.vendors.mongodb_server import emptied_database

SEED = 20261130
SCHEDULES = 8
MANY = 1_000
LOOKS = 12
UNTIL_IT_IS_GONE = 50  # messages
REPLY = "agent:anna:r1"


@dataclass(slots=True, kw_only=True)
class Both:
    """Process a and process b on one database, and what they acknowledged."""

    plain: MongoDatabase
    schedule: Schedule
    conversation: ConversationId
    acknowledged: dict[str, int] = field(default_factory=dict)
    last_erasure: int = 0

    def scene(self) -> Scene:
        """Return the conversation as one more process sees it."""
        database = SteppedDatabase(self.plain._database, self.schedule)
        return Scene(MongoConversationStore(database, told=EVERYTHING), self.conversation)

    async def writes(self, *messages: str) -> None:
        scene = self.scene()
        for one in messages:
            received = await scene.customer_writes(f"text of {one}", channel_message_id=one)
            assert self.acknowledged.setdefault(one, received.message.seq) == received.message.seq

    async def helps(self) -> None:
        """Claim, reply and resolve, as far as nobody was faster."""
        scene = self.scene()
        await scene.agent_claims()
        said = await scene.agent_replies()
        self.acknowledged[REPLY] = said.messages[0].seq
        await scene.agent_resolves()

    async def notes(self) -> None:
        """Write beside the conversation what else an agent and a customer may."""
        database = SteppedDatabase(self.plain._database, self.schedule)
        desk, store = MongoDeskStore(database), MongoConversationStore(database)
        for number in range(UNTIL_IT_IS_GONE):
            await store.add_note(
                self.conversation, Note(seq=0, author="anna", text=f"note {number}", at_ms=NOON_MS)
            )
            await desk.keep_draft(self.conversation, ANNA, f"draft {number}", at_ms=NOON_MS)
            await desk.mark_read(self.conversation, agent=1)

    async def copies(self) -> None:
        keeping = Keeping(database=SteppedDatabase(self.plain._database, self.schedule))
        for _ in range(3):
            await keeping.copy_all_out()

    async def looks(self) -> None:
        """What is seen has no gaps, and is never taken back."""
        seen: tuple[int, ...] = ()
        scene = self.scene()
        for _ in range(3):
            now = tuple(message.seq for message in (await scene.seen()).messages)
            assert now == tuple(range(1, len(now) + 1))
            assert now[: len(seen)] == seen
            seen = now

    async def follows(self, told: list[ConversationId]) -> None:
        """Ask for the erasures after the last that was told, from the first on."""
        erasure = MongoErasure(SteppedDatabase(self.plain._database, self.schedule))
        for _ in range(LOOKS):
            for one in await erasure.erased(after=self.last_erasure):
                told.append(one.conversation)
                self.last_erasure = one.number

    async def erases(self) -> None:
        erasure = MongoErasure(SteppedDatabase(self.plain._database, self.schedule))
        await erasure.erase([self.conversation], who="operator", at_ms=NOON_MS)


@pytest.fixture
async def plain(mongodb) -> AsyncIterator[MongoDatabase]:
    async with emptied_database(mongodb, Driver.PYMONGO) as database:
        yield database


async def opened(plain: MongoDatabase, chance: random.Random, number: int) -> Both:
    """A conversation that was handed over."""
    both = Both(
        plain=plain, schedule=Schedule(chance=chance), conversation=ConversationId(f"{CONVERSATION}{number}")
    )
    scene = await Scene.open(both.scene().store, both.conversation)
    await scene.bot_hands_over(a_handoff(), turn=f"t{number}")
    return both


async def assert_sound(both: Both) -> None:
    """Check what whoever comes next reads, whatever of it the dead had copied."""
    scene = Scene(MongoConversationStore(both.plain, told=EVERYTHING), both.conversation)
    state, seen = await scene.state(), (await scene.seen()).messages
    handoffs = await scene.store.handoffs(scene.id)
    told = await both.plain.find("outbox", {"conversation": scene.id}, order=[("order", 1)])
    kept = (await Keeping(database=both.plain).read(scene.id)).record.handoff
    assert [m.seq for m in seen] == list(range(1, state.last_seq + 1))
    assert both.acknowledged.items() <= {m.channel_message_id: m.seq for m in seen}.items()
    assert max(Counter(m.text for m in seen).values()) == 1
    assert [row["seq"] for row in told if row["kind"] == Announcement.MESSAGE] == [m.seq for m in seen]
    assert_rebuilds(await scene.store.audit(scene.id), state)
    (handoff,) = await both.plain.find("handoffs", {"conversation": scene.id})
    assert len(handoffs) == 1
    assert kept is None or from_handoff(kept).items() <= handoff.items()
    assert (handoff["closed_ms"] is None) is (kept is not None)
    assert await both.plain.count(CONVERSATIONS, {"unsettled": 1}) == 0


async def assert_nothing_left(both: Both) -> None:
    for collection in (*await belonging(both.plain), CONVERSATIONS):
        left = {"$or": [{"conversation": both.conversation}, {"_id": both.conversation}]}
        assert await both.plain.count(collection, left) == 0, collection


async def assert_every_schedule_is_sound(plain: MongoDatabase, schedules: int) -> None:
    chance = random.Random(SEED)  # noqa: S311 - schedules to repeat, nothing to guess
    with capture_logs():
        for number in range(schedules):
            both = await opened(plain, chance, number)
            works = [
                ("a", both.writes("m1", "m2")), ("a", both.helps()), ("a", both.looks()), ("a", both.copies()),
                ("b", both.writes("m1", "m3")), ("b", both.helps()), ("b", both.copies()),
            ]  # fmt: skip
            await both.schedule.run(works, dies="a" if number % 2 else None)
            await assert_sound(both)


async def assert_every_erasure_is_whole(plain: MongoDatabase, schedules: int) -> None:
    chance = random.Random(SEED)  # noqa: S311 - the same
    with capture_logs():
        for number in range(schedules):
            both = await opened(plain, chance, number)
            works = [
                ("a", both.writes(*map(str, range(UNTIL_IT_IS_GONE)))), ("a", both.copies()),
                ("b", both.erases()), ("b", both.notes()), ("b", both.helps()), ("b", both.copies()),
            ]  # fmt: skip
            await both.schedule.run(works, dies="a" if number % 2 else None)
            if number % 2:
                await finish(plain)  # as at the start of the next process
            await assert_nothing_left(both)


async def test_no_schedule_of_two_processes_loses_or_doubles_anything(plain):
    """FAULTS H3, H4, H9, H10; R-S20, R-W5."""
    await assert_every_schedule_is_sound(plain, SCHEDULES)


async def test_no_schedule_leaves_anything_of_what_is_erased_meanwhile(plain):
    """R-L17: writes and copies that were on their way bring nothing back."""
    await assert_every_erasure_is_whole(plain, SCHEDULES)


async def test_no_erasure_is_missed_by_who_asks_for_those_after_the_last(plain):
    """Two processes erase at once, and a third lets go of what it is told of."""
    chance = random.Random(SEED)  # noqa: S311 - the same
    for number in range(SCHEDULES):
        each = [await opened(plain, chance, 2 * number + one) for one in range(2)]
        told: list[ConversationId] = []
        works = [("a", each[0].erases()), ("b", each[1].erases()), ("c", each[0].follows(told))]
        each[1].schedule = each[0].schedule
        await each[0].schedule.run(works)
        await each[0].follows(told)
        assert set(told) >= {both.conversation for both in each}


@pytest.mark.soak
async def test_no_schedule_of_many_breaks_anything(plain):
    await assert_every_schedule_is_sound(plain, MANY)
    await assert_every_erasure_is_whole(plain, MANY)

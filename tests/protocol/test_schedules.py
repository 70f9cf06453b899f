"""Ten thousand random schedules: after a claim the bot says nothing until it is given the conversation back (FAULTS H1, H8, R-H1)."""

import random
from collections import Counter

import pytest
from structlog.testing import capture_logs

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.desk import MemoryDeskStore
from bot.core.conversation import Role, Status
from bot.core.outbox import EVERYTHING
from bot.errors import Refused
from tests.builders import a_conversation
from tests.protocol.life import ACTS, ORDERS, Life
from tests.protocol.promises import assert_kept, record_of
from tests.protocol.world import ANNA, BEN, HeldMemory, Post, a_world

SEED = 20261130
SCHEDULES = 10_000
STEPS = 6
BOT = (*ORDERS, "answers", "hands over")


async def a_life() -> Life:
    clock = ManualClock()
    store = HeldMemory(told=EVERYTHING)
    await store.open_conversation(a_conversation())
    return Life(a_world(store, MemoryDeskStore(store), clock=clock, post=Post()))


async def something(life: Life, chance: random.Random) -> None:
    """Let the customer, the bot or an agent do something; half of the time an agent has it decided before."""
    match chance.randrange(8):
        case 0 | 1:
            await life.customer_writes()
        case 2 | 3:
            await life.customer_asks(chance.choice(BOT))
        case 4:
            await life.bot(chance.choice(BOT))
        case 5:
            await life.agent(chance.choice((ANNA, BEN)), "claims")
        case 6:
            await life.agent(chance.choice((ANNA, BEN, None)), chance.choice(ACTS))
        case _:
            await life.lease_passes()


async def a_schedule(chance: random.Random) -> Life:
    life = await a_life()
    for _ in range(STEPS):
        if chance.random() < 0.5:
            await something(life, chance)
            continue
        agent, does = chance.choice((ANNA, BEN, None)), chance.choice(("claims", *ACTS))
        try:
            async with life.world.held(life.act(agent, does)):
                await something(life, chance)
        except Refused:
            continue
        finally:
            await life.world.quiet()
    return life


@pytest.mark.timeout(300)  # a busy machine
async def test_no_schedule_lets_the_bot_speak_after_a_claim():
    chance = random.Random(SEED)  # noqa: S311 - schedules to repeat, nothing to guess
    seen: Counter[str] = Counter()
    with capture_logs():
        for _ in range(SCHEDULES):
            life = await a_schedule(chance)
            record = await record_of(life.world.store)
            assert_kept(record, life.diary)
            seen.update(row.after for row in record.audit)
            seen.update(m.role for m in record.messages)
            await life.world.die()

    assert min(seen[name] for name in (*Status, *Role)) > SCHEDULES // 30

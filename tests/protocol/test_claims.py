"""Two agents press "Claim" at the same moment, or fifty: one has it, and the others are told who (FAULTS H2, R-S20)."""

import asyncio
from pathlib import Path

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.core.conversation import AgentId, Conversation, Status
from bot.errors import ClaimRefused, Refused
from tests.builders import a_conversation, a_handoff
from tests.contract.scene import Scene
from tests.protocol.world import ANNA, BEN, HeldMemory, HeldSqlite, Post, World, a_world
from tests.sqlite_file import new_file

AGENTS = [AgentId(f"agent {n}") for n in range(50)]


@pytest.fixture
def database(tmp_path: Path):
    database = SqliteDatabase.open(new_file(tmp_path / "candor.db"))
    yield database
    database.close()


@pytest.fixture(params=["memory", "sqlite"])
def world(request) -> World:
    clock = ManualClock()
    if request.param == "memory":
        memory = HeldMemory()
        return a_world(memory, MemoryDeskStore(memory), clock=clock, post=Post())
    database = request.getfixturevalue("database")
    return a_world(HeldSqlite(database), SqliteDeskStore(database), clock=clock, post=Post())


@pytest.fixture
async def scene(world) -> Scene:
    """A conversation in the queue."""
    scene = await Scene.open(world.store)
    await scene.bot_hands_over(a_handoff())
    return scene


def won(ends) -> list[Conversation]:
    return [end for end in ends if isinstance(end, Conversation)]


async def test_of_fifty_parallel_claims_one_wins_and_the_others_are_told_who(world, scene):
    ends = await asyncio.gather(
        *(world.desk.claim(scene.id, agent) for agent in AGENTS), return_exceptions=True
    )

    (winner,) = won(ends)
    assert await scene.state() == winner
    assert {end.holder for end in ends if isinstance(end, ClaimRefused)} == {winner.agent}
    assert sum(isinstance(end, ClaimRefused) for end in ends) == len(AGENTS) - 1
    assert [row.agent for row in await scene.store.audit(scene.id) if row.what == "claimed"] == [winner.agent]


async def test_of_fifty_take_overs_one_wins_and_the_bot_speaks_before_it_or_not_at_all(world):
    """R-H1."""
    scene = await Scene.open(world.store)
    await scene.customer_writes()
    start = await scene.turn_begins()

    ends = await asyncio.gather(
        *(world.desk.claim(scene.id, agent) for agent in AGENTS),
        scene.bot_settles(start),
        return_exceptions=True,
    )

    (winner,) = won(ends)
    said = [m.seq for m in (await scene.seen()).messages if m.turn is not None]
    claimed = [row for row in await scene.store.audit(scene.id) if row.what in ("took_over", "answer")]
    assert (await scene.state()).agent == winner.agent
    assert [row.what for row in claimed] == ["answer", "took_over"][1 - len(said) :]


async def test_a_claim_that_is_pressed_twice_is_one_claim(world, scene):
    first = await world.desk.claim(scene.id, ANNA)

    again = await asyncio.gather(*(world.desk.claim(scene.id, ANNA) for _ in range(50)))

    assert {(end.agent, end.epoch) for end in again} == {(ANNA, first.epoch)}
    assert [row.what for row in await scene.store.audit(scene.id)].count("claimed") == 1


@pytest.mark.parametrize("does", ["release", "return_to_bot"])
async def test_an_old_button_does_nothing(world, scene, does):
    """The view shows a claim that another agent has by now."""
    await world.desk.claim(scene.id, ANNA)
    await world.desk.transfer(scene.id, ANNA, to=BEN)
    before = await scene.state()

    with pytest.raises(Refused) as refused:
        await getattr(world.desk, does)(scene.id, ANNA)

    assert getattr(refused.value, "holder", None) == BEN
    assert await scene.state() == before


async def test_a_claim_on_what_is_resolved_is_refused(world, scene):
    await world.desk.claim(scene.id, ANNA)
    await scene.moves(await scene.state(), (await scene.state()).resolved_by(ANNA, now_ms=0))

    with pytest.raises(Refused, match="resolved"):
        await world.desk.claim(scene.id, BEN)

    assert (await scene.state()).status is Status.RESOLVED


async def test_two_processes_on_one_file_have_one_winner(database, tmp_path):
    clock = ManualClock()
    worlds = [a_world(HeldSqlite(database), SqliteDeskStore(database), clock=clock, post=Post())]
    other = SqliteDatabase.open(tmp_path / "candor.db")
    worlds.append(a_world(HeldSqlite(other), SqliteDeskStore(other), clock=clock, post=Post()))
    scene = await Scene.open(SqliteConversationStore(database))
    await scene.bot_hands_over(a_handoff())

    claims = [worlds[n % 2].desk.claim(scene.id, agent) for n, agent in enumerate(AGENTS)]
    ends = await asyncio.gather(*claims, return_exceptions=True)
    other.close()

    assert len(won(ends)) == 1
    assert sum(isinstance(end, ClaimRefused) for end in ends) == len(AGENTS) - 1


async def test_a_second_conversation_is_nobodys_business(world, scene):
    other = await Scene.open(world.store, a_conversation(id="c2").id)
    await other.bot_hands_over(a_handoff(), turn="t2")

    ends = await asyncio.gather(world.desk.claim(scene.id, ANNA), world.desk.claim(other.id, BEN))

    assert [end.agent for end in ends] == [ANNA, BEN]

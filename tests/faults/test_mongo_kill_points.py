"""Kill -9 around each step of a write to MongoDB, and a restart (FAULTS H10, R-H5, R-S7, R-S20, R-W13)."""

import asyncio
import random

import pytest
from pydantic import SecretStr

from bot.adapters.mongo.indexes import create_indexes
from bot.adapters.mongo.opening import opened_database
from bot.core.outcome import Answer
from bot.places import conversations_at
from bot.settings import Settings
from tests.faults.agents import Agent
from tests.faults.crash_loop import CrashLoop
from tests.faults.desk_life import RELEASE, RESOLVE, RETURN
from tests.faults.desk_loop import DeskLoop
from tests.faults.knowledge import QUESTION, sync, write_articles
from tests.faults.moments import around, inside
from tests.faults.processes import Machine
from tests.vendors.atlas import atlas

SEED = 20261130
KILLS = 100
STEPS = ("before replace", "after replace", "before write", "after write", "before update")
RECEIVING = inside("receive", *STEPS)
COMMITTING = [*inside("commit_turn", *STEPS), *inside("commit_turn", "after write", nth=2)]
CLAIMING = inside("change", *STEPS)
REPLYING = inside("change", "after replace", "before update", nth=2)
ENDING = inside("change", "before replace", "after replace", "after write", nth=4)
TELLING = around("delivered")


@pytest.fixture(scope="session")
def articles(tmp_path_factory) -> Settings:
    """A server whose knowledge base is synced."""
    folder = tmp_path_factory.mktemp("articles")
    settings = Settings(
        data_dir=folder, mongodb_uri=SecretStr(atlas().uri), mongodb_database="kills", kb_database="kills_kb"
    )
    asyncio.run(sync(write_articles(folder / "articles"), settings))
    return settings


@pytest.fixture
async def machine(articles: Settings, tmp_path, request):
    """A machine on a database of its own."""
    name = f"kills{abs(hash(request.node.name)):x}"
    machine = Machine(tmp_path, settings=articles.model_copy(update={"mongodb_database": name}))
    machine.data_dir.mkdir()
    access = conversations_at(machine.settings)
    assert access is not None
    async with opened_database(access) as database:
        await create_indexes(database)
    yield machine
    await machine.clear()


@pytest.fixture
async def desk(machine, http) -> DeskLoop:
    return DeskLoop(machine=machine, http=http, agent=await Agent.hire(http, machine.settings, "maria"))


@pytest.mark.timeout(600)
async def test_a_question_is_answered_once_whenever_the_process_was_killed(machine, http):
    moments = [*RECEIVING[1:3], COMMITTING[1], COMMITTING[-1]]

    outcomes = await CrashLoop(machine=machine, http=http).run(QUESTION, moments)

    assert [type(outcome) for outcome in outcomes] == [Answer] * len(moments)


@pytest.mark.timeout(600)
async def test_a_claim_is_kept_and_ends_once_whenever_the_process_was_killed(desk):
    moments = [COMMITTING[1], CLAIMING[3], ENDING[1]]  # each waits until the duties of the dead are over

    await desk.run([(RELEASE, moment) for moment in moments])


@pytest.mark.soak
async def test_no_long_row_of_kills_loses_or_doubles_anything(desk, machine, http):
    chance = random.Random(SEED)  # noqa: S311 - a history to repeat, nothing to guess
    every = [*RECEIVING, *COMMITTING, *CLAIMING, *REPLYING, *ENDING, *TELLING]
    ends = [(chance.choice((RELEASE, RETURN, RESOLVE)), moment) for moment in chance.choices(every, k=KILLS)]

    await CrashLoop(machine=machine, http=http).run(
        QUESTION, chance.choices([*RECEIVING, *COMMITTING], k=KILLS)
    )
    await desk.run(ends)

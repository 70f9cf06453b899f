"""Kill -9 at each named point from the handoff to the end of a claim, and a restart (FAULTS H10, R-H5, R-S20).

Each process but the first repairs what the kill before it left: customer and agent do again what was not acknowledged. Nothing is
lost, doubled or reordered, the audit rebuilds the stored state, and each handoff is told.
"""

import random

import aiohttp
import pytest

from bot.core.conversation import CLAIM_LEASE_MS
from tests.faults.agents import Agent
from tests.faults.desk_life import RELEASE, RESOLVE, RETURN, transfer
from tests.faults.desk_loop import KILLED, DeskLoop
from tests.faults.moments import Moment, around, inside
from tests.faults.processes import Machine

LEASE_S = CLAIM_LEASE_MS // 1000 + 10
SEED = 20261130
KILLS = 200


# An agent's first change is the claim, the second the reply, the third the sign of life, the fourth the end.
STATE = "UPDATE conversations SET locale"
HANDING_OVER = [
    *around("commit_turn"),
    *inside("commit_turn", STATE, "INSERT INTO handoffs", "INSERT INTO outbox", "COMMIT"),
]
TELLING = [*around("delivered"), *inside("delivered", "UPDATE outbox", "COMMIT")]
CLAIMING = [*around("change"), *inside("change", STATE, "INSERT INTO audit", "COMMIT")]
REPLYING = [
    *around("change", nth=2),
    *inside("change", STATE, "COMMIT", nth=2),
    *inside("change", "INSERT INTO messages"),
]
LIVING = [Moment(name="after change", nth=3), *inside("change", STATE, "COMMIT", nth=3)]
RELEASING = [
    *around("change", nth=4),
    *inside("change", STATE, "COMMIT", nth=4),
    *inside("change", "INSERT INTO audit", nth=2),
    *inside("change", "INSERT INTO outbox"),
]
CLOSING = [
    Moment(name="after change", nth=4),
    *inside("change", "COMMIT", nth=4),
    *inside("change", "INSERT INTO messages", nth=2),
]
TRANSFERRING = [Moment(name="after change", nth=4), *inside("change", "INSERT INTO audit", nth=2)]
# The first change ends the lease, the second claims.
LAPSING = [
    *inside("change", "INSERT INTO outbox", "COMMIT"),
    Moment(name="after change"),
    *inside("change", "COMMIT", nth=2),
]


@pytest.fixture
async def agent(machine: Machine, http: aiohttp.ClientSession) -> Agent:
    return await Agent.hire(http, machine.data_dir, "maria")


@pytest.fixture
async def colleague(machine: Machine, http: aiohttp.ClientSession) -> Agent:
    return await Agent.hire(http, machine.data_dir, "tom")


@pytest.fixture
def loop(machine: Machine, http: aiohttp.ClientSession, agent: Agent) -> DeskLoop:
    return DeskLoop(machine=machine, http=http, agent=agent)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "moments",
    [
        pytest.param(HANDING_OVER, id="handing over"),
        pytest.param(TELLING, id="telling"),
        pytest.param(CLAIMING, id="claiming"),
        pytest.param(REPLYING, id="replying"),
        pytest.param(LIVING, id="giving a sign of life"),
        pytest.param(RELEASING, id="releasing"),
    ],
)
async def test_a_claim_is_kept_and_given_back_whenever_the_process_was_killed(loop, moments):
    """FAULTS H10; R-H5: what was told before the kill and not marked is told again, under the same key."""
    await loop.run([(RELEASE, moment) for moment in moments])


@pytest.mark.timeout(600)
async def test_a_claim_ends_once_whenever_the_process_was_killed(loop, colleague):
    """FAULTS H10, R-H9, R-H11, R-S20: what is pressed again after it was done does nothing."""
    closed = [(end, moment) for end in (RETURN, RESOLVE) for moment in CLOSING]

    await loop.run([*closed, *((transfer(colleague), moment) for moment in TRANSFERRING)])


@pytest.mark.timeout(600)
async def test_a_claim_that_ran_out_is_taken_by_another_whenever_the_process_was_killed(
    machine, loop, colleague
):
    """FAULTS H6, H10: the lease is ended and the claim made in two changes; a kill between them leaves who waits in the queue."""
    for number, moment in enumerate(LAPSING):
        life = await loop.abandoned(f"m{number}")

        late = machine.start(dies_at=moment, ahead_s=LEASE_S)
        assert not await life.is_taken_by(colleague, await late.address())
        assert await late.exit_code() == KILLED

        last = machine.start(ahead_s=LEASE_S)
        address = await last.address()
        assert await life.is_taken_by(colleague, address)
        await life.assert_taken_by(colleague, address)
        await last.kill()


def test_there_are_at_least_thirty_points():
    groups = (HANDING_OVER, TELLING, CLAIMING, REPLYING, LIVING, RELEASING, CLOSING, LAPSING)

    assert len({str(moment) for group in groups for moment in group}) >= 30


@pytest.mark.soak
async def test_no_long_row_of_kills_at_the_desk_loses_or_doubles_anything(loop, colleague):
    chance = random.Random(SEED)  # noqa: S311 - a history to repeat, nothing to guess
    common = [*HANDING_OVER, *TELLING, *CLAIMING, *REPLYING, *LIVING]
    lives = [(RELEASE, RELEASING), (RETURN, CLOSING), (RESOLVE, CLOSING), (transfer(colleague), TRANSFERRING)]
    points = [(end, moment) for end, moments in lives for moment in (*common, *moments)]

    await loop.run(chance.choices(points, k=KILLS))

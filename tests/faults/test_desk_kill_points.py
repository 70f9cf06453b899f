"""Kill -9 at each named point from the handoff to the end of a claim, and a restart (FAULTS H10, R-H5, R-S20).

Each process but the first repairs what the kill before it left: customer and agent do again what was not acknowledged. Nothing is
lost, doubled or reordered, the audit rebuilds the stored state, and each handoff is told.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
import pytest

from bot.core.conversation import CLAIM_LEASE_MS
from tests.faults.agents import Agent
from tests.faults.customers import Customer
from tests.faults.desk_life import RELEASE, RESOLVE, RETURN, DeskLife, End, transfer
from tests.faults.moments import Moment
from tests.faults.processes import Machine

KILLED = -9
LEASE_S = CLAIM_LEASE_MS // 1000 + 10
SEED = 20261130
KILLS = 200


def around(call: str, *, nth: int = 1) -> list[Moment]:
    return [Moment(name=f"{side} {call}", nth=nth) for side in ("before", "after")]


def inside(call: str, *statements: str, nth: int = 1) -> list[Moment]:
    return [Moment(name=f"{call}: {statement}", nth=nth) for statement in statements]


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


@dataclass(slots=True, kw_only=True)
class DeskLoop:
    """Kills one process after another; each time customer and agent try again with the next."""

    machine: Machine
    http: aiohttp.ClientSession
    agent: Agent
    _number: int = 0
    _broken: DeskLife | None = None

    async def run(self, ends: Sequence[tuple[End, Moment]]) -> None:
        """Crash once at each moment of a life with such an end, and repair it."""
        for planned in (*ends, None):
            try:
                await self._next(planned)
            except AssertionError as failed:
                failed.add_note(f"life {self._number}, to be killed at {planned and planned[1]}")
                raise

    async def abandoned(self, message_id: str) -> DeskLife:
        """Let the agent claim, and the process die at once."""
        service = self.machine.start()
        address = await service.address()
        life = await self._life(address, RELEASE, message_id)
        assert await life.is_claimed(service, address)
        await service.kill()
        return life

    async def _next(self, planned: tuple[End, Moment] | None) -> None:
        self._number += 1
        message_id = f"message-{self._number}"
        service = self.machine.start(dies_at=planned and planned[1], armed_by=message_id)
        address = await service.address()
        if self._broken is not None:
            assert await self._broken.live(service, address, again=True)
            await self._broken.assert_ended(address)
        if planned is not None:
            self._broken = await self._life(address, planned[0], message_id)
            assert not await self._broken.live(service, address)
            assert await service.exit_code() == KILLED

    async def _life(self, address: str, end: End, message_id: str) -> DeskLife:
        customer = await Customer.open(self.http, address)
        return DeskLife(
            machine=self.machine, customer=customer, agent=self.agent, end=end, message_id=message_id
        )


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

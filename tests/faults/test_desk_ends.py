"""The agents' side of a process that stops or is killed: no reply is lost or doubled, and no claim is (FAULTS W11, R-W12, R-W13)."""

import asyncio
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from tests.channels.rig import close_code
from tests.faults.agents import Agent
from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON
from tests.faults.moments import Moment
from tests.faults.processes import Machine
from tests.faults.soundness import agents_said, assert_sound

RESTARTING = 1012
STOPS_WITHIN_S = 25.0
REPLY = "Hello, I am a person."


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A customer who asked for a person, and the agent who takes care."""

    customer: Customer
    agent: Agent
    message_id: str

    async def replied(self, address: str) -> bool:
        """Claim and reply, as often as it takes; whether it was acknowledged."""
        conversation = self.customer.conversation
        return await self.agent.claim(address, conversation) and await self.agent.reply(
            address, conversation, REPLY, message_id=self.message_id
        )

    async def assert_once(self, machine: Machine, address: str) -> None:
        """Check that the reply is there once, at its place, and that the customer has it."""
        await self.customer.is_told(address)
        await assert_sound(machine.kept, self.customer)
        said = await agents_said(machine.kept, self.customer.conversation)
        assert said == [(self.agent.acknowledged[self.message_id], REPLY)]


@pytest.fixture
async def agent(machine, http):
    return await Agent.hire(http, machine.data_dir, "maria")


async def _handed_over(http, address: str, agent: Agent, message_id: str = "m1") -> Case:
    customer = await Customer.open(http, address)
    await customer.say(address, FOR_A_PERSON, message_id=message_id)
    await customer.is_told(address)
    return Case(customer=customer, agent=agent, message_id=message_id)


async def test_an_acknowledged_reply_and_its_claim_outlive_the_process(machine, http, agent):
    service = machine.start()
    address = await service.address()
    case = await _handed_over(http, address, agent)
    assert await case.replied(address)

    service.signal(signal.SIGKILL)
    await service.exit_code()

    address = await machine.start().address()
    (row,) = await agent.queue(address)
    assert (row["conversation"], row["mine"]) == (case.customer.conversation, True)
    await case.assert_once(machine, address)


@pytest.mark.timeout(180)
async def test_a_stopping_process_sends_the_reply_that_is_on_its_way_and_every_console_back(
    machine, http, agent
):
    service = machine.start(waits_at=Moment(name="before change", nth=2), armed_by="m1")
    address = await service.address()
    case = await _handed_over(http, address, agent)
    async with AsyncExitStack() as stack:
        consoles = [await stack.enter_async_context(agent.socket(address)) for _ in range(3)]
        replying = asyncio.create_task(case.replied(address))
        await machine.waits()

        service.signal(signal.SIGTERM)

        assert [await close_code(console) for console in consoles] == [RESTARTING] * 3
        machine.let_go()
        assert await replying
    assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0
    await case.assert_once(machine, await machine.start().address())


@pytest.mark.timeout(180)
async def test_consoles_that_do_not_listen_hold_no_process_up(machine, http, agent):
    service = machine.start()
    address = await service.address()
    case = await _handed_over(http, address, agent)
    async with agent.socket(address), agent.socket(address):
        assert await agent.claim(address, case.customer.conversation)

        service.signal(signal.SIGTERM)

        assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0
    (row,) = await agent.queue(await machine.start().address())
    assert row["mine"]

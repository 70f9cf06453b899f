"""Kills one process of a desk after another, each at a moment of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from tests.faults.agents import Agent
from tests.faults.customers import Customer
from tests.faults.desk_life import RELEASE, DeskLife, End
from tests.faults.moments import Moment
from tests.faults.processes import Machine

KILLED = -9


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

"""Kills one process after another, each at a moment of a turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from bot.core.outcome import Outcome
from tests.faults.customers import Customer
from tests.faults.moments import Moment
from tests.faults.processes import Machine
from tests.faults.soundness import assert_sound, interruptions

KILLED = -9


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A customer whose bot died."""

    customer: Customer
    moment: Moment
    shown: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class CrashLoop:
    """Kills one process after another; each time its customer tries again with the next."""

    machine: Machine
    http: aiohttp.ClientSession
    rests_s: int = 0
    streams: bool = False
    _now_s: int = 0
    _number: int = 0
    _crash: Crash | None = None

    async def run(self, text: str, moments: Sequence[Moment]) -> list[Outcome]:
        """Crash once at each moment; return what the messages came to, in their order."""
        outcomes: list[Outcome] = []
        for moment in (*moments, None):
            try:
                outcomes += await self._next(text, moment)
            except AssertionError as failed:
                failed.add_note(f"killed at {self._crash and self._crash.moment}, then at {moment}")
                raise
        return outcomes

    async def _next(self, text: str, moment: Moment | None) -> list[Outcome]:
        self._number += 1
        message_id = f"message-{self._number}"
        service = self.machine.start(
            dies_at=moment, armed_by=message_id, ahead_s=self._now_s, streams=self.streams
        )
        address = await service.address()
        repaired = await self._repaired(address)
        if moment is not None:
            customer = await Customer.open(self.http, address)
            await asyncio.gather(customer.say(address, text, message_id=message_id), customer.watch(address))
            assert await service.exit_code() == KILLED
            shown = self.machine.kept.shown(customer.conversation)
            self._crash = Crash(customer=customer, moment=moment, shown=shown)
        self._now_s += self.rests_s
        return repaired

    async def _repaired(self, address: str) -> list[Outcome]:
        if self._crash is None:
            return []
        customer = self._crash.customer
        await customer.say_again(address)
        await customer.is_told(address)
        await customer.say_again(address, all_of_it=True)
        (turn,) = await assert_sound(self.machine.kept, customer)
        kept = await interruptions(self.machine.kept, customer.conversation)
        assert kept == (["\n\n".join(self._crash.shown)] if self._crash.shown else [])
        return [turn.outcome]

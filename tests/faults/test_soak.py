"""A long history of kills and stops at random moments, with several customers at once; run by `make soak` (FAULTS H10, W8, W11)."""

import asyncio
import random
import signal
from dataclasses import dataclass, field

import aiohttp
import pytest

from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON, QUESTION, UNCOVERED
from tests.faults.processes import Machine
from tests.faults.soundness import assert_sound

SEED = 20260131
KILLS, STOPS = 200, 50
LONGEST_LIFE_S = 0.4  # a turn takes a tenth of it on an idle machine
EXIT_CODES = {signal.SIGKILL: -9, signal.SIGTERM: 0}


@dataclass(slots=True, kw_only=True)
class Soak:
    """Lives of one process after another on the same file."""

    machine: Machine
    http: aiohttp.ClientSession
    chance: random.Random
    customers: list[Customer] = field(default_factory=list)

    async def live(self, end: signal.Signals) -> None:
        """Repair what the last end left, check it, let new customers write, and end at a random moment."""
        service = self.machine.start()
        address = await service.address()
        for customer in self.customers:
            await self._repaired(customer, address)
        self.customers = [await Customer.open(self.http, address) for _ in range(self.chance.randint(1, 3))]
        writing = [self._write(customer, address) for customer in self.customers]
        life_s = self.chance.uniform(0, LONGEST_LIFE_S)
        asyncio.get_running_loop().call_later(life_s, service.signal, end)
        await asyncio.gather(*writing)
        assert await service.exit_code() == EXIT_CODES[end]

    async def _repaired(self, customer: Customer, address: str) -> None:
        await customer.say_again(address)
        await customer.is_told(address)
        await customer.say_again(address, all_of_it=True)
        await assert_sound(self.machine.kept, customer)

    async def _write(self, customer: Customer, address: str) -> None:
        texts = [
            self.chance.choice((QUESTION, UNCOVERED, FOR_A_PERSON)) for _ in range(self.chance.randint(1, 4))
        ]
        sent = [customer.say(address, text, message_id=f"m{n}") for n, text in enumerate(texts)]
        await asyncio.gather(*sent, customer.watch(address))


@pytest.mark.soak
async def test_no_history_of_kills_and_stops_loses_or_doubles_anything(machine, http):
    chance = random.Random(SEED)  # noqa: S311 - a history to repeat, nothing to guess
    ends = [signal.SIGKILL] * KILLS + [signal.SIGTERM] * STOPS
    chance.shuffle(ends)
    soak = Soak(machine=machine, http=http, chance=chance)

    for end in (*ends, signal.SIGTERM):
        await soak.live(end)

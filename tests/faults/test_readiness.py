"""A process that stops says at once that it is not ready, while a turn still runs in it (FAULTS W11)."""

import signal

import aiohttp
import pytest

from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION
from tests.faults.moments import Moment
from tests.waiting import wait_until

UNREADY_WITHIN_S = 1.0
STOPS_WITHIN_S = 25.0
SEARCHING = Moment(name="before search")


async def _is_ready(address: str) -> bool:
    """Ask as a router does, over a line of its own."""
    connector = aiohttp.TCPConnector(force_close=True)
    try:
        async with (
            aiohttp.ClientSession(connector=connector) as http,
            http.get(f"{address}/readyz") as answer,
        ):
            return answer.status == 200
    except aiohttp.ClientError:
        return False


@pytest.mark.timeout(180)
async def test_a_stopping_process_is_not_ready_within_a_second_though_a_turn_runs(machine, http):
    service = machine.start(waits_at=SEARCHING)
    address = await service.address()
    customer = await Customer.open(http, address)
    await customer.say(address, QUESTION, message_id="m1")
    await machine.waits()
    assert await _is_ready(address)

    service.signal(signal.SIGTERM)

    async def unready() -> bool:
        return not await _is_ready(address)

    await wait_until(unready, deadline_s=UNREADY_WITHIN_S)
    machine.let_go()
    assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0

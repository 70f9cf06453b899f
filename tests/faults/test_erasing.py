"""An erasure by another process while an answer is being written: nothing of the conversation outlives it (FAULTS R-L17, L12)."""

import asyncio
import json
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.channels.rig import close_code
from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION
from tests.faults.moments import Moment
from tests.terminal.pseudo_terminal import ROOT

BLOCK_SHOWN = Moment(name="after show_blocks")
MARKER = "quixzylophon"
NOT_SIGNED_IN = 4401


async def erase(data: Path, conversation: str) -> dict[str, list[str]]:
    """Run the command as an operator does."""
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "erase", "--conversation", conversation, "--yes", "--json"),
        stdout=asyncio.subprocess.PIPE,
        env={"CANDOR_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)},
    )
    printed, _ = await command.communicate()
    done: dict[str, list[str]] = json.loads(printed)
    return done


def files_holding(data: Path, word: str) -> set[str]:
    return {file.name for file in data.iterdir() if word.encode() in file.read_bytes()}


async def status_of(http: aiohttp.ClientSession, customer: Customer, address: str) -> int:
    """Write once more, and return what comes of it."""
    body = {"client_message_id": "late", "text": f"hello {MARKER}?"}
    headers = {"Origin": address, **customer.bearer}
    async with http.post(f"{address}/widget/v1/messages", json=body, headers=headers) as response:
        return response.status


@pytest.mark.timeout(180)
async def test_an_erasure_in_an_answer_ends_it_for_good(machine, http):
    service = machine.start(waits_at=BLOCK_SHOWN, streams=True)
    address = await service.address()
    customer = await Customer.open(http, address)
    async with customer.socket(address) as ws:
        await customer.say(address, QUESTION, message_id=MARKER)
        await machine.waits()
        assert files_holding(machine.data_dir, MARKER) != set()

        done = await erase(machine.data_dir, customer.conversation)
        assert await close_code(ws) == NOT_SIGNED_IN
    machine.let_go()
    late = await status_of(http, customer, address)
    again = await Customer.open(http, address)
    await again.say(address, QUESTION, message_id="m1")
    await again.is_told(address)

    assert (done["erased"], late) == ([customer.conversation], 401)
    assert files_holding(machine.data_dir, MARKER) == set()
    assert MARKER not in service.log
    assert [line for line in service.log.splitlines() if '"level": "error"' in line] == []

"""A serving process notices what a sync in another process brought, without a restart."""

import asyncio
import sys

import pytest

from bot.core.outcome import Answer, Handoff, ReasonCode
from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION, calibrate, write_articles
from tests.faults.soundness import assert_sound
from tests.rules.tree import ROOT
from tests.waiting import wait_until

SEEN_WITHIN_S = 5.0


async def _ready(http, address) -> int:
    async with http.get(f"{address}/readyz") as response:
        return int(response.status)


async def _outcome(machine, http, address):
    customer = await Customer.open(http, address)
    await customer.say(address, QUESTION, message_id="m1")
    await customer.is_told(address)
    (turn,) = await assert_sound(machine.kept, customer)
    return turn.outcome


@pytest.mark.timeout(180)
async def test_a_serving_process_sees_what_another_synced(bare_machine, http, tmp_path, monkeypatch):
    await calibrate(bare_machine.data_dir)
    address = await bare_machine.start().address()
    before = (await _ready(http, address), await _outcome(bare_machine, http, address))

    monkeypatch.setenv("CANDOR_DATA_DIR", str(bare_machine.data_dir))
    articles = write_articles(tmp_path / "articles")
    sync = await asyncio.create_subprocess_exec(sys.executable, "-m", "kb_sync", articles, cwd=ROOT)
    assert await sync.wait() == 0

    async def ready() -> bool:
        return await _ready(http, address) == 200

    await wait_until(ready, deadline_s=SEEN_WITHIN_S)
    assert before == (503, Handoff(reason=ReasonCode.INDEX_NOT_READY, detail=before[1].detail))
    assert isinstance(await _outcome(bare_machine, http, address), Answer)

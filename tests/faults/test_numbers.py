"""What a running process shows operators of its sockets, its articles and what waits."""

import re

from tests.faults.customers import Customer


async def _numbers(http, address: str) -> dict[str, float]:
    async with http.get(f"{address}/metrics") as answer:
        text = await answer.text()
    return {
        name: float(value) for name, value in re.findall(r"^(\w+(?:{[^}]*})?) (\S+)$", text, re.MULTILINE)
    }


async def test_a_running_process_shows_its_sockets_and_the_age_of_its_articles(machine, http):
    address = await machine.start().address()
    customer = await Customer.open(http, address)
    async with customer.socket(address) as ws:
        await ws.receive_json(timeout=10)
        seen = await _numbers(http, address)

    assert seen['sockets_open{channel="widget"}'] == 1
    assert seen["knowledge_sync_age_seconds"] >= 0
    assert {
        "outbox_oldest_seconds",
        "outbox_waiting",
        "queue_waiting",
        "accept_failures_total",
    } <= seen.keys()


async def test_articles_that_were_never_synced_have_no_age(bare_machine, http):
    address = await bare_machine.start().address()

    assert str((await _numbers(http, address))["knowledge_sync_age_seconds"]) == "nan"

"""R-W16: the machine's clock jumps by an hour, forward or back; conversations keep their order, and tokens their worth."""

import pytest

from tests.waiting import wait_until

HOUR_MS = 3_600_000


@pytest.fixture(params=[HOUR_MS, -HOUR_MS], ids=["forward", "back"])
def jump_ms(request) -> int:
    return int(request.param)


async def _settled(customer):
    async def settled():
        _, found = await customer.events()
        return None if found["answering"] else found

    return await wait_until(settled)


async def test_messages_stay_in_the_order_of_their_seq(rig, customer, jump_ms):
    await customer.say("How do I reschedule a class?")
    await _settled(customer)

    rig.clock.advance(jump_ms)
    await customer.say("Can I change it again?", message_id="m2")

    found = await _settled(customer)
    assert [event["seq"] for event in found["events"]] == [1, 2, 3, 4]
    assert [event["role"] for event in found["events"]] == ["customer", "bot"] * 2


async def test_an_open_socket_goes_on_and_its_token_is_neither_refused_nor_renewed(rig, customer, jump_ms):
    async with customer.socket() as ws:
        await ws.receive_json(timeout=5)

        rig.clock.advance(jump_ms)
        await customer.say("How do I reschedule a class?")

        assert (await ws.receive_json(timeout=5))["text"] == "How do I reschedule a class?"
    async with customer.socket() as again:
        assert (await again.receive_json(timeout=5))["type"] == "snapshot"

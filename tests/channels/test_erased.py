"""A browser whose conversation was erased is told at once, its token opens nothing any more, and it may begin anew."""

import json

import pytest

from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.erasure import MemoryErasure
from bot.service.erasing import Erasing
from tests.channels.rig import close_code


@pytest.fixture
async def erased(rig, customer):
    """Return what erases the customer's conversation, as another process does, and lets this one notice."""
    erasure = MemoryErasure(rig.store, MemoryCustomerStore(rig.store))

    async def erase() -> None:
        await erasure.erase([customer.conversation], who="operator", at_ms=rig.clock.now_ms())
        await Erasing(erasure=erasure, clock=rig.clock, live=rig.live).look()

    return erase


async def test_an_open_socket_ends(customer, erased):
    await customer.say("How do I reschedule a class?")
    async with customer.socket() as ws:
        assert (await ws.receive_json(timeout=5))["type"] == "snapshot"
        await erased()

        assert await close_code(ws) == 4401


async def test_no_route_knows_the_token_any_more(rig, customer, erased):
    await customer.say("How do I reschedule a class?")
    await erased()

    answers = [
        await customer.say("hello?", message_id="m2"),
        await customer.events(),
        await customer.post("feedback", {"client_message_id": "m3", "message_seq": 2, "helped": True}),
        await customer.post("handoff", {"client_message_id": "m4"}),
        await customer.post("sessions", {}),
    ]

    assert [(status, body["error"]["code"]) for status, body in answers] == [(401, "token_refused")] * 5
    assert "reschedule" not in json.dumps(answers)


async def test_a_socket_that_comes_back_is_refused(customer, erased):
    await erased()

    async with customer.socket() as ws:
        assert await close_code(ws) == 4401


async def test_the_customer_may_begin_anew(rig, customer, erased):
    await erased()

    again = await rig.open()

    assert again.conversation != customer.conversation
    assert (await again.say("Hello"))[0] == 202

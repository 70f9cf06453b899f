"""SIGTERM: sockets are told to come back, running turns end or are left for the next process (FAULTS W11, R-W12)."""

import signal

import pytest

from bot.core.outcome import Answer
from tests.channels.rig import close_code
from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION
from tests.faults.moments import Moment
from tests.faults.soundness import assert_sound, interruptions

RESTARTING = 1012
STOPS_WITHIN_S = 25.0
BLOCK_SHOWN = Moment(name="after show_blocks")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_an_idle_process_stops_with_code_zero(machine, number):
    service = machine.start()
    await service.address()

    service.signal(number)

    assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0


async def _stopped_in_an_answer(machine, http):
    """A process that got SIGTERM while a customer read the first block of an answer, and whose socket it has closed."""
    service = machine.start(waits_at=BLOCK_SHOWN, streams=True)
    address = await service.address()
    customer = await Customer.open(http, address)
    async with customer.socket(address) as ws:
        await customer.say(address, QUESTION, message_id="m1")
        while (await ws.receive_json(timeout=30))["type"] != "progress":
            pass
        await machine.waits()
        service.signal(signal.SIGTERM)
        assert await close_code(ws) == RESTARTING
    return service, customer, address


@pytest.mark.timeout(180)
async def test_a_stopping_process_finishes_its_turn_and_takes_nothing_new(machine, http):
    service, customer, stopping = await _stopped_in_an_answer(machine, http)
    assert not await customer.say(stopping, QUESTION, message_id="m2")
    machine.let_go()
    assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0

    address = await machine.start().address()
    await customer.say_again(address)
    await customer.is_told(address)

    turns = await assert_sound(machine.kept, customer)
    assert [type(turn.outcome) for turn in turns] == [Answer, Answer]
    assert await interruptions(machine.kept, customer.conversation) == []


@pytest.mark.timeout(180)
async def test_a_turn_that_does_not_end_is_left_for_the_next_process(machine, http):
    service, customer, _ = await _stopped_in_an_answer(machine, http)
    assert await service.exit_code(within_s=STOPS_WITHIN_S) == 0
    (block,) = machine.kept.shown(customer.conversation)

    address = await machine.start().address()
    await customer.is_told(address)

    (turn,) = await assert_sound(machine.kept, customer)
    assert isinstance(turn.outcome, Answer)
    assert await interruptions(machine.kept, customer.conversation) == [block]

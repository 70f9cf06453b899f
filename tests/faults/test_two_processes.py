"""Two processes on one file: each sees what the other wrote, and no update is lost (FAULTS R-D6)."""

import asyncio

import pytest

from bot.core.outcome import Answer
from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION
from tests.faults.moments import Moment
from tests.faults.soundness import assert_sound, interruptions

CUSTOMERS = 4
MESSAGES = 5
TOLD_WITHIN_S = 2.0  # FAULTS W13, R-W15
BEGUN = Moment(name="after begin_turn")


@pytest.fixture
async def addresses(machine):
    """Two processes, side by side."""
    services = [machine.start(), machine.start()]
    return [await service.address() for service in services]


async def test_what_one_process_answered_is_read_through_the_other(machine, http, addresses):
    one, other = addresses
    customer = await Customer.open(http, one)
    await customer.say(one, QUESTION, message_id="m1")

    await customer.is_told(other)

    (turn,) = await assert_sound(machine.kept, customer)
    assert isinstance(turn.outcome, Answer)


async def test_what_is_written_through_one_process_is_told_on_the_sockets_of_the_other(http, addresses):
    one, other = addresses
    customer = await Customer.open(http, one)
    async with customer.socket(other) as ws:
        await ws.receive_json(timeout=10)

        await customer.say(one, QUESTION, message_id="m1")

        told = await ws.receive_json(timeout=TOLD_WITHIN_S)
    assert (told["type"], told["text"]) == ("message", QUESTION)


async def test_a_message_that_reaches_both_at_once_is_one_message(machine, http, addresses):
    customer = await Customer.open(http, addresses[0])

    sent = [customer.say(address, QUESTION, message_id="m1") for address in addresses]
    assert await asyncio.gather(*sent) == [True, True]

    await customer.is_told(addresses[0])
    assert len(await assert_sound(machine.kept, customer)) == 1


@pytest.mark.timeout(180)
async def test_messages_to_both_at_once_are_all_kept_and_each_is_answered_once(machine, http, addresses):
    customers = [await Customer.open(http, addresses[0]) for _ in range(CUSTOMERS)]

    sent = [
        customer.say(addresses[n % 2], QUESTION, message_id=f"m{n}")
        for n in range(MESSAGES)
        for customer in customers
    ]
    assert all(await asyncio.gather(*sent))

    for customer in customers:
        await customer.is_told(addresses[1])
        await assert_sound(machine.kept, customer)


@pytest.mark.timeout(180)
async def test_two_processes_that_run_the_same_lost_turn_give_it_one_outcome(machine, http):
    first = machine.start(dies_at=BEGUN, armed_by="m1")
    address = await first.address()
    customer = await Customer.open(http, address)
    await customer.say(address, QUESTION, message_id="m1")
    await first.exit_code()

    services = [machine.start(waits_at=BEGUN), machine.start(waits_at=BEGUN)]
    one, other = [await service.address() for service in services]
    await machine.waits(processes=2)
    machine.let_go()
    await customer.say_again(one, all_of_it=True)
    await customer.is_told(other)

    (turn,) = await assert_sound(machine.kept, customer)
    assert isinstance(turn.outcome, Answer)
    assert len(await interruptions(machine.kept, customer.conversation)) <= 1

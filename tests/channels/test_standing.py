"""What the widget is told of the people at the desk: the place and the wait, who has joined, who types, and what was read."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from bot.channels.widget.sockets import TYPING_S
from bot.core.conversation import Role
from bot.core.desk import ReadMarks
from bot.core.waiting import Wait
from bot.service.live import Changed, ReadUpTo, Typed
from tests.channels.rig import Rig, running_rig
from tests.channels.staff import ANA, Staff, claim, reply

OPENS_MS = 1_750_057_200_000


@pytest.fixture
def staff() -> Staff:
    return Staff()


@pytest.fixture
async def staffed(staff: Staff):
    """A server with people behind it."""
    async with running_rig(standings=staff.standings) as running:
        yield running


@pytest.fixture
async def customer(staffed: Rig):
    """A customer who waits for a person."""
    waiting = await staffed.open()
    await waiting.say("I want to talk to a person")
    await asyncio.gather(*staffed.turns.tasks)
    return waiting


@asynccontextmanager
async def watched(customer):
    """Yield the socket after its snapshot."""
    async with customer.socket() as ws:
        snapshot = await ws.receive_json(timeout=5)
        yield ws, snapshot


async def test_who_waits_is_told_the_place_and_the_wait(customer, staff):
    staff.wait = Wait(position=3, expected_ms=240_001)
    _, events = await customer.events()

    assert (events["position"], events["expected_wait_s"], events["opens_at"]) == (3, 241, None)


async def test_a_wait_that_is_not_known_is_null(customer, staff):
    staff.wait = Wait(position=1, expected_ms=None, open_now=False, opens_ms=OPENS_MS)
    async with watched(customer) as (_, snapshot):
        pass

    assert (snapshot["position"], snapshot["expected_wait_s"], snapshot["opens_at"]) == (1, None, OPENS_MS)


async def test_a_new_place_is_told_without_a_new_message(customer, staff, staffed):
    staff.wait = Wait(position=2)
    async with watched(customer) as (ws, _):
        staff.wait = Wait(position=1)
        staffed.live.publish(customer.conversation, Changed())

        status = await ws.receive_json(timeout=5)

    assert (status["type"], status["state"], status["position"]) == ("status", "queued", 1)


async def test_nothing_is_told_when_nothing_moved(customer, staffed):
    async with watched(customer) as (ws, _):
        staffed.live.publish(customer.conversation, Changed())
        await ws.send_json({"type": "ping"})

        assert await ws.receive_json(timeout=5) == {"type": "pong"}


async def test_a_claim_is_told_with_the_agent_s_name(customer, staffed):
    async with watched(customer) as (ws, _):
        await claim(staffed, customer.conversation)
        status = await ws.receive_json(timeout=5)

    assert (status["state"], status["agent"], status["position"]) == ("claimed", "Ana", None)


async def test_an_agent_whose_name_is_not_known_has_none(customer, staff, staffed):
    staff.known = {}
    async with watched(customer) as (ws, _):
        await claim(staffed, customer.conversation)

        assert (await ws.receive_json(timeout=5))["agent"] is None


async def test_an_agent_s_message_carries_the_name_and_is_text_alone(customer, staffed):
    await claim(staffed, customer.conversation)
    async with watched(customer) as (ws, _):
        await reply(staffed, customer.conversation, "**Hello** <b>there</b>")
        message = await ws.receive_json(timeout=5)

    assert (message["role"], message["agent"], message["html"]) == ("agent", "Ana", None)
    assert message["text"] == "**Hello** <b>there</b>"
    assert ANA not in str(message)


async def test_nobody_s_name_stands_at_other_messages(customer):
    _, events = await customer.events()

    assert [message["agent"] for message in events["events"]] == [None, None]


async def test_what_agents_have_read_is_in_the_snapshot_and_told(customer, staff, staffed):
    staff.reads = ReadMarks(agent=1)
    async with watched(customer) as (ws, snapshot):
        staffed.live.publish(customer.conversation, ReadUpTo(by=Role.AGENT, seq=2))

        assert snapshot["read"] == 1
        assert await ws.receive_json(timeout=5) == {"type": "read", "seq": 2}


async def test_an_agent_s_typing_is_told_and_the_customer_s_own_is_not(customer, staffed):
    async with watched(customer) as (ws, _):
        staffed.live.publish(customer.conversation, Typed(by=Role.CUSTOMER))
        staffed.live.publish(customer.conversation, ReadUpTo(by=Role.CUSTOMER, seq=1))
        staffed.live.publish(customer.conversation, Typed(by=Role.AGENT))

        assert await ws.receive_json(timeout=5) == {"type": "typing", "by": "agent"}


async def heard(ws, staffed, customer, *frames):
    """Send *frames*, and return what agents who look are shown of them."""
    with staffed.live.watch(customer.conversation) as agent:
        for frame in [*frames, {"type": "ping"}]:
            await ws.send_json(frame)
        while (await ws.receive_json(timeout=5))["type"] != "pong":
            pass
        return [agent._events.get_nowait() for _ in range(agent._events.qsize())]


async def test_the_customer_s_typing_is_shown_to_agents_and_not_more_often_than_somebody_types(
    customer, staffed
):
    async with watched(customer) as (ws, _):
        seen = await heard(ws, staffed, customer, *[{"type": "typing"}] * 20)
        staffed.clock.advance(int(TYPING_S * 1000))
        later = await heard(ws, staffed, customer, {"type": "typing"})

    assert seen == later == [Typed(by=Role.CUSTOMER)]


async def test_what_the_customer_read_is_shown_to_agents_once_and_never_more_than_was_sent(customer, staffed):
    reads = [{"type": "read", "seq": seq} for seq in (1, 1, 2, 1, 2**53 - 1, 2**53 - 1)]
    async with watched(customer) as (ws, _):
        seen = await heard(ws, staffed, customer, *reads)

    assert seen == [ReadUpTo(by=Role.CUSTOMER, seq=1), ReadUpTo(by=Role.CUSTOMER, seq=2)]


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "read"},
        {"type": "read", "seq": -1},
        {"type": "read", "seq": "1"},
        {"type": "typing", "text": "half a sentence"},
        {"type": "shout"},
        {},
        [],
    ],
)
async def test_a_malformed_frame_closes_with_4400(customer, frame):
    async with watched(customer) as (ws, _):
        await ws.send_json(frame)
        await ws.receive(timeout=5)

        assert ws.close_code == 4400


async def test_a_cursor_from_the_future_misses_nothing_of_a_conversation_without_messages(staffed):
    fresh = await staffed.open()
    async with fresh.socket(after=999) as ws:
        assert (await ws.receive_json(timeout=5))["reset"] is True
        await fresh.say("How do I reschedule a class?")

        assert (await ws.receive_json(timeout=5))["seq"] == 1

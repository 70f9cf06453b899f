"""The same events one to four times, in any order, to two processes over one file: each has one effect (FAULTS SL3, R-S1, R-S8)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.slack import SqliteSlackStore
from tests.channels.slack.door import Door, Listener, a_door, a_receiver
from tests.channels.slack.payloads_sent import a_deletion, a_message, a_press, an_edit, an_event
from tests.waiting import wait_until

# Two events of one message, an edit and a deletion of it, another message, a button: five effects.
SENT = (
    an_event(a_message(), event_id="Ev1"),
    an_event({**a_message(), "type": "app_mention"}, event_id="Ev2"),
    an_event(an_edit(), event_id="Ev3"),
    an_event(a_deletion(), event_id="Ev4"),
    an_event(a_message(ts="5.1"), event_id="Ev5"),
    a_press(),
)
EFFECTS = 5


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[tuple[Door, Door]]:
    """Two processes, each with a connection of its own to the file, and one listener that counts for both."""
    listener, clock = Listener(), ManualClock()
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(2):
            database = stack.enter_context(closing(SqliteDatabase.open(tmp_path / "candor.db")))
            door = a_door(SqliteSlackStore(database), listener=listener, clock=clock)
            opened.append(await stack.enter_async_context(door))
        yield opened[0], opened[1]


async def test_four_deliveries_to_two_processes_are_four_acknowledgements_and_one_effect(doors):
    """FAULTS R-S1."""
    statuses = await asyncio.gather(*(door.sends(an_event()) for door in (*doors, *doors)))

    assert statuses == [200] * 4
    for door in doors:
        await door.is_idle()
        await door.passes()
    assert doors[0].listener.heard == ["T1:Ev1"]


async def test_what_one_process_kept_and_lost_the_other_does(doors):
    """FAULTS R-S7."""
    first, second = doors
    await first.receiver.drain(grace_s=0)
    assert await first.sends(an_event()) == 200

    await second.passes()

    assert second.listener.heard == ["T1:Ev1"]


async def test_an_acknowledgement_does_not_wait_for_the_listener(doors):
    """FAULTS R-S8."""
    doors[0].listener.holds = asyncio.Event()

    assert await doors[0].sends(an_event()) == 200
    assert await doors[1].sends(an_event()) == 200

    doors[0].listener.holds.set()
    await doors[0].is_idle()
    assert doors[0].listener.heard == ["T1:Ev1"]


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
async def test_every_order_of_the_events_of_one_message_has_the_same_effects(order):
    heard = await effects([(SENT[number], number % 2) for number in order])

    assert len(heard) == 3
    assert heard >= {"T1:Ev3", "T1:Ev4"}


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    deliveries=st.lists(st.tuples(st.sampled_from(SENT), st.integers(0, 1)), max_size=12).map(
        lambda some: [*some, *((sent, 0) for sent in SENT)]
    )
)
async def test_any_deliveries_have_the_same_effects(deliveries):
    assert len(await effects(deliveries)) == EFFECTS


async def effects(deliveries):
    """Deliver all at once, each to one of two processes, and return what was worked on; twice is a failure."""
    store, listener, clock = MemorySlackStore(MemoryConversationStore()), Listener(), ManualClock()
    processes = [a_receiver(store, listener, clock) for _ in range(2)]
    await asyncio.gather(*(processes[at].take(sent) for sent, at in deliveries))
    await wait_until(lambda: all(process.is_idle for process in processes))
    assert len(listener.heard) == len(set(listener.heard))
    return set(listener.heard)

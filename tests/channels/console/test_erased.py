"""A console in which a conversation was open that is erased: it goes from the queue and from view, and no move brings it back."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.channels.console.showing import Contacts
from tests.contract.scene import Scene


@pytest.fixture
def erase(office):
    """Return what erases a conversation, and lets the service notice."""

    def erased(conversation) -> None:
        assert office.store.erase(conversation, at_ms=office.clock.now_ms())
        office.live.forget(conversation)

    return erased


async def test_it_goes_from_the_queue_and_from_view(office, maria, erase):
    conversation = await office.waiting()
    async with maria.socket() as line:
        await line.watch(conversation)

        erase(conversation)

        gone = [await line.next("gone"), await line.next("gone")]

    assert [frame["conversation"] for frame in gone] == [conversation] * 2


async def test_no_route_knows_it_any_more(office, maria, erase):
    conversation = await office.waiting()
    await maria.claim(conversation)
    erase(conversation)

    answers = [
        await maria.view(conversation),
        await maria.reply(conversation, "hello?", id="r1", seen=2),
        await maria.do(conversation, "note", client_message_id="n1", text="hello?"),
        await maria.do(conversation, "resolve", code="answered", seen=2),
        await maria.read(f"conversations/{conversation}/history"),
    ]

    assert [answer.status for answer in answers] == [404] * 5


async def test_the_address_that_a_customer_left_is_forgotten():
    store, clock = MemoryConversationStore(), ManualClock()
    scene = await Scene.open(store)
    await scene.customer_writes("Write to ana@shop.example", at_ms=clock.now_ms())
    contacts = Contacts(store=store)
    assert await contacts.of(await scene.state()) == "ana@shop.example"

    contacts.forget(scene.id)

    assert "ana" not in repr(contacts)

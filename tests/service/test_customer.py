"""What a channel may do for a customer, beyond the turns that follow."""

import pytest

from bot.core.conversation import Channel, ConversationId, Status
from bot.errors import ConversationUnknown
from bot.service.live import Changed, CutOff
from tests.builders import a_customer_message
from tests.service.rig import QUESTION, Rig


async def test_an_opened_conversation_is_the_bots(rig: Rig):
    opened = await rig.customers.open(channel=Channel.WIDGET, locale="fr")

    assert (opened.status, opened.locale, opened.created_ms) == (Status.BOT, "fr", rig.clock.now_ms())
    assert await rig.store.conversation(opened.id) == opened


async def test_watchers_are_told_of_a_message_before_its_turn_ends(rig: Rig):
    rig.embedder.at_embed.waits = True
    with rig.live.watch(rig.conversation) as watcher:
        await rig.say(QUESTION)
        watcher.offer(CutOff(overloaded=False))

        assert [e async for e in watcher.events()] == [Changed(), CutOff(overloaded=False)]


async def test_a_snapshot_has_what_follows_the_cursor(rig: Rig):
    await rig.ask(QUESTION)

    snapshot = await rig.customers.snapshot(rig.conversation, after=1)

    assert [m.seq for m in snapshot.messages] == [2]


async def test_a_conversation_that_does_not_exist_gets_no_message_and_no_turn(rig: Rig):
    with pytest.raises(ConversationUnknown):
        await rig.customers.receive(a_customer_message(conversation=ConversationId("nobody's")))

    assert rig.log == []


async def test_a_message_to_an_agent_starts_no_turn(rig: Rig):
    await rig.take_over()

    await rig.say(QUESTION)

    assert not rig.runner.is_running(rig.conversation)

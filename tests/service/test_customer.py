"""What a channel may do for a customer, beyond the turns that follow."""

import pytest

from bot.core.conversation import Channel, ConversationId, Status
from bot.errors import ConversationUnknown
from bot.service.live import Changed, CutOff
from tests.builders import a_customer_message, a_revision
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


async def revise(rig: Rig, original: str, text: str | None):
    return await rig.customers.receive(a_revision(original, text, conversation=rig.conversation))


async def test_an_edit_ends_the_turn_that_runs_and_is_answered_instead(rig: Rig):
    rig.embedder.at_embed.waits = True
    await rig.say("How do I move it?", id="m1")
    await rig.embedder.at_embed.reached.wait()

    rig.embedder.at_embed.waits = False
    await revise(rig, "m1", QUESTION)
    await rig.idle()

    (turn,) = await rig.turn_records()
    assert (turn.covers, turn.query and turn.query.text) == ((2,), QUESTION)


async def test_a_deletion_drops_the_turn_when_nothing_is_left_to_answer(rig: Rig):
    rig.embedder.at_embed.waits = True
    await rig.say(QUESTION, id="m1")
    await rig.embedder.at_embed.reached.wait()

    received = await revise(rig, "m1", None)
    await rig.idle()

    assert not received.conversation.owes_a_turn
    assert await rig.turn_records() == ()


async def test_an_edit_that_changes_nothing_starts_no_turn(rig: Rig):
    turn = await rig.ask(QUESTION)

    received = await revise(rig, "m1", QUESTION)
    await rig.idle()

    assert received.duplicate
    assert await rig.turn_records() == (turn,)


async def test_an_edit_of_what_was_answered_is_answered_anew_without_the_old_text(rig: Rig):
    await rig.ask("How do I move it?")

    await revise(rig, "m1", QUESTION)
    await rig.idle()

    turn = (await rig.turn_records())[-1]
    assert turn.query is not None
    assert "move it" not in turn.query.text

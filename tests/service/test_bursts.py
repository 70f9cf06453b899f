"""Several messages, several causes, several deliveries: one answer, one handoff, one turn."""

import pytest

from bot.core.conversation import Kind, Role, Status
from bot.core.outcome import Answer, Courtesy, ReasonCode
from bot.core.prompt import Finished, Stop
from bot.errors import MessageConflict
from tests.service.faults import quoted
from tests.service.rig import QUESTION, UNCOVERED, Rig, another_process, reason_of
from tests.service.stand_ins import Point

FIRST = quoted("Open My Lessons and choose Reschedule.")
COMPLETE = Finished(stop=Stop.COMPLETE)
FOLLOW_UP = "How do I reschedule a class that is tomorrow?"


async def test_three_messages_in_a_row_get_one_answer(rig: Rig):
    """R-H2."""
    rig.embedder.at_embed.waits = True
    for text in ("hello", QUESTION, FOLLOW_UP):
        await rig.say(text)
    await rig.embedder.at_embed.reached.wait()
    rig.embedder.at_embed.opened.set()
    await rig.idle()

    (turn,) = await rig.turn_records()
    assert isinstance(turn.outcome, Answer)
    assert turn.covers == (1, 2, 3)
    assert rig.answerer.requests[-1].question == f"{QUESTION}\n{FOLLOW_UP}"
    assert len(await rig.told()) == 1


async def test_a_message_during_the_draft_supersedes_it_and_one_answer_covers_both(rig: Rig):
    """R-H3: what was shown of the old draft stays before the newer message, marked interrupted."""
    between = Point(waits=True)
    rig.answerer.script = (FIRST, between, COMPLETE)
    await rig.say(QUESTION)
    await between.reached.wait()

    rig.answerer.script = (FIRST, COMPLETE)
    turn = await rig.ask(FOLLOW_UP)

    seen = [(m.role, m.interrupted) for m in await rig.messages()]
    assert seen == [(Role.CUSTOMER, False), (Role.BOT, True), (Role.CUSTOMER, False), (Role.BOT, False)]
    assert turn.covers == (1, 3)
    assert await rig.turn_records() == (turn,)


async def test_a_message_between_draft_and_commit_drops_the_old_answer(rig: Rig):
    rig.store.at_commit.waits = True
    await rig.say(QUESTION)
    await rig.store.at_commit.reached.wait()

    rig.store.at_commit.waits = False
    turn = await rig.ask(FOLLOW_UP)

    assert turn.covers == (1, 3)
    assert len(await rig.turn_records()) == len(await rig.told()) == 1


async def test_a_message_that_another_process_received_drops_the_old_answer_too(rig: Rig):
    """Nothing cancels a turn elsewhere: the fence alone refuses it."""
    rig.store.at_commit.waits = True
    await rig.say(QUESTION)
    await rig.store.at_commit.reached.wait()

    rig.store.at_commit.waits = False
    turn = await another_process(rig).ask(FOLLOW_UP)
    rig.store.at_commit.opened.set()
    await rig.idle()

    assert turn.covers == (1, 3)
    assert await rig.turn_records() == (turn,)


async def test_a_person_asked_for_before_thanks_is_still_fetched(rig: Rig):
    rig.store.at_commit.waits = True
    await rig.say("can I get a person")
    await rig.store.at_commit.reached.wait()
    rig.store.at_commit.waits = False

    turn = await rig.ask("thanks")

    assert reason_of(turn) is ReasonCode.CUSTOMER_ASKED
    assert await rig.reasons() == ["customer_asked"]


async def test_thanks_after_an_answer_is_only_thanks(rig: Rig):
    await rig.ask(QUESTION)

    assert isinstance((await rig.ask("thanks")).outcome, Courtesy)


async def test_the_button_and_a_rule_and_a_missing_article_together_make_one_handoff(rig: Rig):
    """R-H4: whatever asks for a person, the queue gets one row and the customer one sentence."""
    rig.embedder.at_embed.waits = True
    await rig.say(UNCOVERED)
    await rig.say("I want my money back now")
    await rig.say("Talk to a person", kind=Kind.PERSON_REQUEST)
    rig.embedder.at_embed.opened.set()
    await rig.idle()

    assert await rig.reasons() == ["customer_asked"]
    assert [m.reason for m in await rig.told()] == ["customer_asked"]
    assert len(await rig.store.outbox(limit=9)) == 1
    assert ((await rig.state()).status, (await rig.state()).epoch) == (Status.QUEUED, 1)


async def test_a_turn_and_the_sweep_hand_over_once(rig: Rig):
    """The sweep is faster than a turn that hangs; the turn's own outcome is dropped."""
    rig.store.at_commit.waits = True
    await rig.say(UNCOVERED)
    await rig.store.at_commit.reached.wait()
    rig.clock.advance(60_001)
    rig.store.at_commit.waits = False

    assert await rig.sweep.hand_over_lost() == 1
    rig.store.at_commit.opened.set()
    await rig.idle()

    assert await rig.reasons() == ["turn_lost"]
    assert len(await rig.told()) == len(await rig.turn_records()) == 1


async def test_a_second_delivery_of_a_message_starts_no_second_turn(rig: Rig):
    await rig.say(QUESTION, id="same")
    await rig.idle()

    again = await rig.say(QUESTION, id="same")
    await rig.idle()

    assert again.duplicate
    assert len(await rig.turn_records()) == 1


async def test_a_second_delivery_does_not_supersede_the_turn_that_runs(rig: Rig):
    rig.embedder.at_embed.waits = True
    await rig.say(QUESTION, id="same")
    await rig.embedder.at_embed.reached.wait()

    await rig.say(QUESTION, id="same")
    rig.embedder.at_embed.opened.set()
    await rig.idle()

    assert rig.embedder.at_embed.calls == 1
    assert len(await rig.turn_records()) == 1


async def test_the_same_id_with_other_words_is_refused(rig: Rig):
    await rig.say(QUESTION, id="same")

    with pytest.raises(MessageConflict):
        await rig.say(UNCOVERED, id="same")

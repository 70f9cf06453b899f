"""Turns from a message to what the store keeps."""

from collections.abc import Sequence
from dataclasses import replace

from bot.core.caps import Allowance, Caps
from bot.core.conversation import Kind, Role, Status, TurnId
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, ReasonCode
from bot.core.prompt import Asked
from bot.core.turn import Stage, StageStatus, TurnStart
from tests.knowledge_builders import live_generation
from tests.service.faults import quoted
from tests.service.rig import COMPUTED, QUESTION, REPLIES, Rig, a_rig, reason_of
from tests.service.shelf import RESCHEDULE, THRESHOLD


async def test_an_answer_is_committed_with_its_sources(rig: Rig):
    turn = await rig.ask(QUESTION)

    (said,) = await rig.told()
    assert isinstance(turn.outcome, Answer)
    assert (said.text, said.sources, said.turn) == (RESCHEDULE.body, turn.outcome.sources, turn.id)
    assert [(s.id, s.title, s.url) for s in said.sources] == [
        (RESCHEDULE.id, RESCHEDULE.title, RESCHEDULE.url)
    ]
    assert (said.refusal, said.interrupted) == (False, False)


async def test_an_answer_keeps_the_whole_record_of_its_turn(rig: Rig):
    turn = await rig.ask(QUESTION)

    worked = [s for s in Stage if s not in {Stage.RERANK, Stage.RECORDS}]
    assert [(s.name, s.status) for s in turn.stages] == [(s, StageStatus.OK) for s in worked]
    assert turn.query is not None
    assert (turn.query.text, turn.query.bare, turn.query.used) == (QUESTION, QUESTION, (1,))
    assert (turn.threshold, turn.model, turn.prompt_digest) == (THRESHOLD, "scripted-1", "digest-1")
    assert turn.best_cosine == turn.ranked[0].found.cosine > THRESHOLD
    assert turn.index is not None
    assert (turn.index.generation, turn.index.calibrated) == (live_generation(rig.shelf.writer), True)
    assert await rig.turn_records() == (turn,)


async def test_the_state_after_an_answer_owes_nothing(rig: Rig):
    await rig.ask(QUESTION)

    state = await rig.state()
    assert (state.status, state.epoch, state.answered_seq, state.owes_a_turn) == (Status.BOT, 0, 1, False)
    assert await rig.turns.run(rig.conversation) is None


async def test_a_question_of_the_draft_is_asked_with_its_options(rig: Rig):
    rig.answerer.script = (Asked(text="Is it less than 24 hours before?", options=("Less", "More")),)

    turn = await rig.ask(QUESTION)

    (said,) = await rig.told()
    assert isinstance(turn.outcome, Ask)
    assert (said.text, said.options) == ("Is it less than 24 hours before?", ("Less", "More"))
    assert (said.refusal, said.kind) == (False, Kind.TEXT)


async def test_the_draft_sees_the_bare_message_and_earlier_text_from_the_customer_on(rig: Rig):
    await rig.ask(QUESTION)
    await rig.ask("And how often can I reschedule a class?")

    request = rig.answerer.requests[-1]
    assert request.question == "And how often can I reschedule a class?"
    assert [m.role for m in request.history] == [Role.CUSTOMER, Role.BOT]


async def test_a_courtesy_is_answered_without_a_search(rig: Rig):
    turn = await rig.ask("thanks!")

    (said,) = await rig.told()
    assert turn.outcome == Courtesy(kind=CourtesyKind.THANKS)
    assert (said.text, said.kind) == (REPLIES.text("thanks", "en"), Kind.NOTICE)
    assert (rig.embedder.embedded, rig.index.searches, rig.answerer.requests) == ([], [], [])
    assert (await rig.state()).status is Status.BOT


async def test_a_computed_question_is_not_looked_up_in_articles(rig: Rig):
    turn = await rig.ask(COMPUTED)

    assert reason_of(turn) is ReasonCode.RECORDS_UNAVAILABLE
    assert (rig.embedder.embedded, rig.index.searches) == ([], [])


async def test_a_model_is_never_asked_without_evidence(rig: Rig):
    rig.index.found = lambda result: replace(result, passages=())

    await rig.ask(QUESTION)

    assert rig.answerer.requests == []


async def test_a_rule_word_in_an_answered_message_never_fires_again(rig: Rig):
    await rig.ask("I want my money back now")
    assert await rig.reasons() == ["escalation_rule"]
    await rig.return_to_bot()

    turn = await rig.ask(QUESTION)

    assert isinstance(turn.outcome, Answer)
    assert await rig.reasons() == ["escalation_rule"]


async def test_feedback_that_it_helped_is_thanked_for(rig: Rig):
    await rig.ask(QUESTION)

    turn = await rig.ask("yes", kind=Kind.FEEDBACK)

    assert turn.outcome == Courtesy(kind=CourtesyKind.THANKS)


async def test_the_cap_counts_the_turns_of_a_day_only():
    rig = await a_rig(caps=Caps(conversation=Allowance(turns=1)))
    await rig.ask(QUESTION)
    rig.clock.advance(86_400_001)
    later = await rig.ask(QUESTION)

    capped = await rig.ask(QUESTION)

    assert isinstance(later.outcome, Answer)
    assert capped.outcome == Handoff(reason=ReasonCode.BOT_PAUSED, detail="1 turns in a day")


async def test_the_customers_language_is_spoken():
    rig = await a_rig(locale="de-AT")

    await rig.ask("Ich möchte mit einem Menschen sprechen")

    (said,) = await rig.told()
    assert said.text == REPLIES.handoff(ReasonCode.CUSTOMER_ASKED, "de")


async def test_an_uncalibrated_index_is_answered_from_when_the_answerer_can_abstain(rig: Rig):
    rig.shelf.writer.calibrations.clear()
    rig.answerer.can_abstain = True

    turn = await rig.ask(QUESTION)

    assert isinstance(turn.outcome, Answer)
    assert turn.index is not None
    assert (turn.threshold, turn.index.calibrated) == (None, False)


async def test_a_draft_is_closed_when_a_block_does_not_pass(rig: Rig):
    rig.answerer.script = (quoted("It costs 99 EUR."), quoted())

    await rig.ask(QUESTION)

    assert rig.answerer.closed == 1


async def test_after_a_handoff_the_bot_stays_silent_until_it_is_given_back(rig: Rig):
    await rig.ask("I want to talk to a person")

    await rig.say(QUESTION)
    await rig.idle()

    assert len(await rig.turn_records()) == 1
    assert await rig.told() == ()


async def test_a_turn_whose_record_contradicts_its_reason_is_counted_and_logged(rig: Rig, logged):
    start = await _owed(rig)
    turn = replace(
        await rig.turns.answering.settle(start, TurnId("t1"), capped=None, show=_unseen),
        outcome=Handoff(reason=ReasonCode.NO_EVIDENCE),
    )

    await rig.turns._commit(start, turn)

    assert rig.observer.settled == [(turn, False)]
    assert logged[-1]["event"] == "untruthful_handoff"
    rig.observer.settled.clear()


async def _owed(rig: Rig) -> TurnStart:
    await rig.runner.drain(grace_s=0)
    await rig.say(QUESTION)
    start = await rig.store.begin_turn(rig.conversation, history=9, turns_since_ms=0)
    assert start is not None
    return start


async def _unseen(texts: Sequence[str]) -> None:
    """Show blocks to nobody."""

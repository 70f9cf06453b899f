"""Whether an answer helped: the first "no" is asked about and tried again, the second one goes to a person as what it is."""

import pytest

from bot.core.conversation import Kind, Message, Role, Status
from bot.core.outcome import Answer, Courtesy, CourtesyKind, ReasonCode
from bot.core.replies import LANGUAGES
from bot.core.truth import is_truthful
from bot.errors import RetrievalUnavailable
from tests.service.rig import QUESTION, REPLIES, Rig, a_rig, reason_of

MISSING = "group classes"


async def says_no(rig: Rig) -> Message:
    """Press "no" under the last answer, and return what the bot says to it."""
    await rig.ask("no", kind=Kind.FEEDBACK)
    (said,) = await rig.told()
    return said


async def test_the_first_no_is_asked_about_and_stays_with_the_bot(rig: Rig):
    await rig.ask(QUESTION)

    said = await says_no(rig)

    assert (said.text, said.kind) == (REPLIES.text("what_was_missing", "en"), Kind.FEEDBACK)
    assert (said.reason, said.refusal) == (None, False)
    assert ((await rig.state()).status, await rig.reasons()) == (Status.BOT, [])
    assert (await rig.turn_records())[-1].outcome == Courtesy(kind=CourtesyKind.WHAT_WAS_MISSING)


async def test_what_was_missing_is_searched_for_together_with_the_question(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)

    turn = await rig.ask(MISSING)

    assert isinstance(turn.outcome, Answer)
    assert turn.query is not None
    assert turn.query.text.startswith(QUESTION)
    assert turn.query.own == f"{QUESTION}\n{MISSING}"
    assert {(d.seq, d.why) for d in turn.query.dropped} == {(3, "kind_feedback"), (4, "kind_feedback")}


async def test_a_prompt_and_a_verdict_never_reach_the_answerer(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)

    await rig.ask(MISSING)

    assert [m.kind for m in rig.answerer.requests[-1].history] == [Kind.TEXT, Kind.TEXT]


async def test_the_second_no_hands_over_as_unresolved_and_is_true(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)
    await rig.ask(MISSING)

    said = await says_no(rig)

    turn = (await rig.turn_records())[-1]
    assert (reason_of(turn), is_truthful(turn)) == (ReasonCode.UNRESOLVED, True)
    assert (said.text, said.reason) == (REPLIES.handoff(ReasonCode.UNRESOLVED, "en"), "unresolved")
    assert (await rig.state()).status is Status.QUEUED
    assert all(truthful for _, truthful in rig.observer.settled)


async def test_the_evidence_of_both_answers_stays_for_the_agent(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)
    await rig.ask(MISSING)
    await says_no(rig)

    first, _, second, _ = await rig.turn_records()
    answers = [m for m in await rig.messages() if m.role is Role.BOT and m.sources]
    assert first.ranked
    assert second.ranked
    assert [m.turn for m in answers] == [first.id, second.id]


async def test_a_second_no_without_a_word_hands_over_too(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)

    await says_no(rig)

    assert await rig.reasons() == ["unresolved"]


async def test_an_answer_that_did_not_help_is_not_given_again(rig: Rig):
    """The customer said of these very words that they did not help, which is why a person is asked; it is true and stays evidence."""
    rig.answerer.streams = False
    await rig.ask(QUESTION)
    await says_no(rig)

    turn = await rig.ask("It just does not work")

    (said,) = await rig.told()
    assert (reason_of(turn), is_truthful(turn)) == (ReasonCode.UNRESOLVED, True)
    assert said.text == REPLIES.handoff(ReasonCode.UNRESOLVED, "en")
    assert turn.ranked
    assert not any(m.interrupted for m in await rig.messages())


async def test_a_yes_in_between_starts_the_count_again(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)
    await rig.ask(MISSING)
    await rig.ask("yes", kind=Kind.FEEDBACK)

    said = await says_no(rig)

    assert said.kind is Kind.FEEDBACK
    assert await rig.reasons() == []


async def test_a_person_in_between_starts_the_count_again(rig: Rig):
    await rig.ask(QUESTION)
    await says_no(rig)
    await says_no(rig)
    await rig.return_to_bot()
    await rig.ask(QUESTION)

    said = await says_no(rig)

    assert said.kind is Kind.FEEDBACK
    assert await rig.reasons() == ["unresolved"]


async def test_what_breaks_in_the_second_try_is_told_as_that(rig: Rig):
    """The customer was unhappy, but that is not why a person is asked now."""
    await rig.ask(QUESTION)
    await says_no(rig)
    rig.index.at_search.fails = RetrievalUnavailable("connection refused")

    turn = await rig.ask(MISSING)

    assert reason_of(turn) is ReasonCode.RETRIEVAL_UNAVAILABLE


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_button_under_the_question_asks_for_a_person_in_every_language(language):
    rig = await a_rig(locale=language)
    await rig.ask(QUESTION)
    said = await says_no(rig)

    turn = await rig.ask(said.options[0])

    assert said.text == REPLIES.text("what_was_missing", language)
    assert reason_of(turn) is ReasonCode.CUSTOMER_ASKED

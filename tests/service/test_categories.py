"""A category that was tapped asks for a question, and no retrieval query or prompt ever holds it (DESIGN §5.3)."""

import pytest

from bot.core.conversation import Kind, Status
from bot.core.outcome import Answer, Courtesy, CourtesyKind
from bot.core.replies import LANGUAGES
from tests.service.rig import QUESTION, REPLIES, Rig, a_rig

CATEGORY = "Payments"


async def test_a_category_is_answered_with_a_question_and_without_a_search(rig: Rig):
    turn = await rig.ask(CATEGORY, kind=Kind.CATEGORY)

    (said,) = await rig.told()
    assert turn.outcome == Courtesy(kind=CourtesyKind.CATEGORY)
    assert (said.text, said.kind) == (REPLIES.text("category", "en"), Kind.CATEGORY)
    assert (rig.embedder.embedded, rig.index.searches, rig.answerer.requests) == ([], [], [])
    assert (await rig.state()).status is Status.BOT


async def test_no_retrieval_query_and_no_prompt_holds_a_category_or_what_was_said_to_it(rig: Rig):
    await rig.ask(CATEGORY, kind=Kind.CATEGORY)

    turn = await rig.ask(QUESTION)

    assert isinstance(turn.outcome, Answer)
    assert rig.embedder.embedded == [QUESTION]
    assert turn.query is not None
    assert {(d.seq, d.why) for d in turn.query.dropped} == {(1, "kind_category"), (2, "kind_category")}
    request = rig.answerer.requests[-1]
    assert (request.question, request.history) == (QUESTION, ())


async def test_a_category_in_one_burst_with_a_question_is_left_out_of_both(rig: Rig):
    rig.store.at_begin.waits = True
    await rig.say(CATEGORY, kind=Kind.CATEGORY)
    rig.store.at_begin.waits = False
    turn = await rig.ask(QUESTION)

    assert turn.covers == (1, 2)
    assert rig.embedder.embedded == [QUESTION]
    assert rig.answerer.requests[-1].question == QUESTION


async def test_a_category_after_an_answer_stays_out_of_the_window_too(rig: Rig):
    await rig.ask(QUESTION)
    await rig.ask(CATEGORY, kind=Kind.CATEGORY)

    turn = await rig.ask("And when are payments returned?")

    assert turn.query is not None
    assert CATEGORY not in turn.query.text.splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_is_answered_in_the_customers_language(language):
    rig = await a_rig(locale=language)

    await rig.ask(CATEGORY, kind=Kind.CATEGORY)

    (said,) = await rig.told()
    assert said.text == REPLIES.text("category", language)

"""Questions with two halves, one for the records and one for the articles: neither's failure is told as the other's."""

from dataclasses import replace

import pytest

from bot.core.outcome import Answer, Ask, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.prompt import Asked
from bot.core.records import Plan, Route
from bot.core.truth import is_truthful
from bot.core.turn import Turn
from bot.errors import ModelUnavailable, RecordsUnavailable, RetrievalUnavailable
from tests.service.faults import finding_each
from tests.service.records_rig import (
    BOTH_ASKED,
    BROKEN_SQL,
    COUNT,
    COUNT_SQL,
    FROM_ARTICLES,
    RecordsRig,
    a_records_rig,
)
from tests.service.rig import REPLIES, reason_of
from tests.service.shelf import RESCHEDULE

BOTH = Plan(route=Route.BOTH, sql=COUNT_SQL)
BOTH_BROKEN = Plan(route=Route.BOTH, sql=BROKEN_SQL)
UNCHECKED = REPLIES.text("records_unchecked", "en")
UNAVAILABLE = ReasonCode.RECORDS_UNAVAILABLE
COUNTED = "You have 12 lessons."


async def asked(records: RecordsRig) -> Turn:
    turn = await records.rig.ask(BOTH_ASKED)
    assert is_truthful(turn), turn.stages
    return turn


async def test_both_halves_stand_below_each_other():
    records = await a_records_rig(BOTH)

    turn = await asked(records)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text == f"{COUNTED}\n\n{RESCHEDULE.body}"
    assert [source.id for source in turn.outcome.sources] == [RESCHEDULE.id]
    assert not turn.outcome.unchecked


async def test_the_records_half_is_shown_first():
    records = await a_records_rig(BOTH)

    await asked(records)

    shown = [text for what, text in records.rig.log if what == "shown"]
    assert shown[0] == COUNTED


@pytest.mark.parametrize(
    "plans",
    [
        (BOTH_BROKEN, BOTH_BROKEN),
        (BOTH_BROKEN, replace(BOTH_BROKEN, route=Route.RECORDS)),
        (BOTH_BROKEN, ModelUnavailable("overloaded")),
    ],
    ids=["rejected twice", "repaired as if it were all", "repair crashed"],
)
async def test_a_failed_records_half_is_said_beside_the_articles_half(plans):
    records = await a_records_rig(*plans)

    turn = await asked(records)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text == f"{RESCHEDULE.body}\n\n{UNCHECKED}"
    assert turn.outcome.unchecked
    assert not is_truthful(replace(turn, outcome=replace(turn.outcome, unchecked=False)))


async def test_a_repair_of_a_half_stays_a_half():
    records = await a_records_rig(BOTH_BROKEN, COUNT)

    turn = await asked(records)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text.startswith(COUNTED)
    assert turn.outcome.sources


async def test_a_repair_may_find_that_there_is_no_half_for_the_records():
    records = await a_records_rig(BOTH_BROKEN, FROM_ARTICLES)

    turn = await asked(records)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text == RESCHEDULE.body
    assert not turn.outcome.unchecked


async def test_a_question_of_the_articles_half_is_asked_beside_the_failed_half():
    records = await a_records_rig(BOTH)
    records.records.at_query.fails = RecordsUnavailable("down")
    records.rig.answerer.script = (Asked(text="Is it more than 24 hours before?"),)

    turn = await asked(records)

    assert isinstance(turn.outcome, Ask)
    assert turn.outcome.text.endswith(UNCHECKED)


async def test_when_both_halves_fail_the_customer_hears_of_the_records():
    records = await a_records_rig(BOTH)
    records.records.at_query.fails = RecordsUnavailable("down")
    records.rig.embedder.at_embed.fails = RetrievalUnavailable("down")

    turn = await asked(records)

    assert reason_of(turn) is UNAVAILABLE


@pytest.mark.parametrize("offers", [True, False])
async def test_a_failed_records_half_without_an_article_is_no_missing_content(offers):
    records = await a_records_rig(BOTH, policy=TurnPolicy(offer_before_handoff=offers))
    records.records.at_query.fails = RecordsUnavailable("down")
    finding_each(cosine=0.1)(records.rig)

    turn = await asked(records)

    assert reason_of(turn) is UNAVAILABLE


async def test_what_records_told_stands_when_the_articles_half_fails():
    records = await a_records_rig(BOTH)
    records.rig.embedder.at_embed.fails = RetrievalUnavailable("down")

    turn = await asked(records)

    assert reason_of(turn) is ReasonCode.RETRIEVAL_UNAVAILABLE
    shown, said = await records.rig.told()
    assert (shown.text, shown.interrupted) == (COUNTED, True)
    assert said.text == REPLIES.handoff(ReasonCode.RETRIEVAL_UNAVAILABLE, "en")


async def test_a_turn_that_runs_out_of_time_in_the_articles_half_says_so():
    records = await a_records_rig(BOTH, policy=TurnPolicy(deadlines=Deadlines(turn_s=0.05)))
    records.records.at_query.fails = RecordsUnavailable("down")
    records.rig.embedder.at_embed.waits = True

    turn = await asked(records)

    assert reason_of(turn) is ReasonCode.OUT_OF_TIME

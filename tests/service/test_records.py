"""Questions about a customer's own records: first try, repaired, re-routed, failed in every way, and said as what it was."""

from dataclasses import replace

import pytest

from bot.core.conversation import Role
from bot.core.outcome import Answer, Courtesy, CourtesyKind, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.records import Plan, Route, Rows
from bot.core.replies import LANGUAGES
from bot.core.truth import is_truthful
from bot.core.turn import Stage, Turn
from bot.errors import ModelUnavailable, NotAsked, RecordsUnavailable, StoreUnavailable
from tests.service.faults import finding_each
from tests.service.records_rig import (
    BROKEN,
    BROKEN_SQL,
    COUNT,
    COUNT_SQL,
    FROM_ARTICLES,
    HOW_MANY,
    NEXT,
    NEXT_SQL,
    NONE,
    OPERATOR,
    TEN,
    WHICH_TEN,
    RecordsRig,
    a_records_rig,
)
from tests.service.rig import QUESTION, REPLIES, reason_of
from tests.service.stand_ins import Point

UNAVAILABLE = ReasonCode.RECORDS_UNAVAILABLE
UNCHECKED = REPLIES.handoff(UNAVAILABLE, "en")
BRIEF = TurnPolicy(deadlines=Deadlines(plan_s=0.02, query_s=0.02, word_s=0.02))


async def asked(records: RecordsRig, text: str = HOW_MANY) -> Turn:
    turn = await records.rig.ask(text)
    assert is_truthful(turn)
    return turn


async def told(records: RecordsRig) -> str:
    return "\n".join(m.text for m in await records.rig.told())


async def handed_over(records: RecordsRig, text: str = HOW_MANY) -> Turn:
    """Ask, and see that the customer is told the one honest sentence and nothing else."""
    turn = await asked(records, text)
    assert reason_of(turn) is UNAVAILABLE
    assert await told(records) == UNCHECKED
    return turn


async def test_a_computed_question_is_answered_from_the_customers_rows_on_the_first_try():
    records = await a_records_rig(COUNT)

    turn = await asked(records)

    assert turn.outcome == Answer(text="You have 12 lessons.", sources=())
    assert [s.finding for s in turn.stages if s.name is Stage.RECORDS] == [
        None,
        "to_records",
        "found",
        "worded",
    ]
    assert records.records.asked == [("maria", COUNT_SQL)]


async def test_a_rejected_statement_is_repaired_once_and_answered():
    records = await a_records_rig(BROKEN, NEXT)
    records.planner.words = "Your 10 lessons are with Ana and Tom, the first on 1 December 2026."

    turn = await asked(records)

    assert turn.outcome == Answer(text=records.planner.words, sources=())
    assert turn.records is not None
    assert [(s.sql, s.error, s.rows) for s in turn.records.statements] == [
        (BROKEN_SQL, OPERATOR, None),
        (NEXT_SQL, None, 10),
    ]


async def test_the_failed_statement_and_the_databases_own_error_reach_the_repair():
    records = await a_records_rig(BROKEN, COUNT)

    await asked(records)

    first, repair = records.planner.plans
    assert first.failed is None
    assert repair.failed is not None
    assert (repair.failed.sql, repair.failed.error) == (BROKEN_SQL, OPERATOR)


async def test_the_last_eight_messages_reach_the_plan_and_no_more():
    records = await a_records_rig(*[COUNT] * 6)
    for number in range(5):
        await asked(records, f"How many lessons do I have in week {number}?")

    await asked(records, HOW_MANY)

    history = records.planner.plans[-1].history
    assert len(history) == 8
    assert [m.role for m in history[:2]] == [Role.CUSTOMER, Role.BOT]
    assert history[-2].text == "How many lessons do I have in week 4?"


async def test_which_ten_are_next_goes_on_with_what_records_told():
    """The published incident: the noun was only said in the question before."""
    records = await a_records_rig(COUNT, BROKEN, NEXT)
    records.planner.words = "Your next 10 lessons begin on 2026-12-01."
    await asked(records, HOW_MANY)

    turn = await asked(records, WHICH_TEN)

    assert isinstance(turn.outcome, Answer)
    assert records.planner.plans[1].history[0].text == HOW_MANY
    assert [asked[1] for asked in records.records.asked] == [COUNT_SQL, BROKEN_SQL, NEXT_SQL]


async def test_a_full_question_after_records_were_told_is_searched_for_as_ever():
    records = await a_records_rig(COUNT)
    await asked(records, HOW_MANY)

    turn = await asked(records, QUESTION)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.sources
    assert len(records.planner.plans) == 1


async def test_a_statement_that_is_rejected_twice_is_not_asked_a_third_time():
    records = await a_records_rig(BROKEN, BROKEN)

    turn = await handed_over(records)

    assert len(records.planner.plans) == len(records.records.asked) == 2
    assert turn.records is not None
    assert [s.error for s in turn.records.statements] == [OPERATOR, OPERATOR]


@pytest.mark.parametrize("before", [(), (BROKEN,)], ids=["planned", "repaired"])
async def test_a_plan_that_goes_to_the_articles_is_answered_there(before):
    records = await a_records_rig(*before, FROM_ARTICLES)

    turn = await asked(records, "How many classes do I have left when I reschedule a class?")

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.sources
    assert turn.records is not None
    assert turn.records.route is Route.ARTICLES


async def test_a_question_that_goes_to_the_articles_and_finds_none_is_no_outage():
    records = await a_records_rig(FROM_ARTICLES)
    finding_each(cosine=0.1)(records.rig)

    turn = await asked(records)

    assert reason_of(turn) is ReasonCode.NO_EVIDENCE


PLANNER_FAULTS = [
    lambda: ModelUnavailable("overloaded"),
    lambda: NotAsked("left alone"),
    lambda: Point(waits=True),
]
FAULT_IDS = ["fails", "left alone", "hangs"]


@pytest.mark.parametrize("fault", PLANNER_FAULTS, ids=FAULT_IDS)
async def test_a_plan_that_cannot_be_made_is_said_to_be_unchecked(fault):
    records = await a_records_rig(fault(), policy=BRIEF)

    await handed_over(records)

    assert records.records.asked == []


@pytest.mark.parametrize("fault", PLANNER_FAULTS, ids=FAULT_IDS)
async def test_a_repair_that_crashes_is_said_to_be_unchecked(fault):
    records = await a_records_rig(BROKEN, fault(), policy=BRIEF)

    await handed_over(records)

    assert len(records.records.asked) == 1


async def test_a_plan_for_records_without_a_statement_is_no_plan():
    await handed_over(await a_records_rig(Plan(route=Route.RECORDS, sql="  ")))


async def test_a_database_that_is_down_at_the_start_is_said_to_be_unchecked():
    records = await a_records_rig(COUNT)
    records.records.at_query.fails = RecordsUnavailable("connection refused")

    turn = await handed_over(records)

    assert turn.records is not None
    assert turn.records.statements[0].error == "RecordsUnavailable: connection refused"


async def test_a_database_that_goes_down_between_two_statements_is_said_to_be_unchecked():
    records = await a_records_rig(BROKEN, COUNT)
    records.records.at_query = Point(fails=RecordsUnavailable("the connection broke"), skips=1)

    await handed_over(records)

    assert len(records.planner.plans) == 2


async def test_a_database_that_never_answers_is_given_up():
    records = await a_records_rig(COUNT, policy=BRIEF)
    records.records.at_query.waits = True

    turn = await handed_over(records)

    assert turn.records is not None
    assert turn.records.statements[0].error == "no answer in time"


@pytest.mark.parametrize(
    "rows", [NONE, Rows(columns=("sum",), rows=((None,),))], ids=["no row", "a sum of none"]
)
async def test_zero_rows_are_none_and_only_said_after_a_query_that_worked(rows):
    records = await a_records_rig(COUNT)
    records.records.found[COUNT_SQL] = rows

    turn = await asked(records)

    assert turn.outcome == Answer(text=REPLIES.text("records_nothing", "en"), sources=())
    assert records.planner.wordings == []


async def test_somebody_unknown_is_asked_to_sign_in_and_nothing_is_planned():
    records = await a_records_rig(COUNT)
    records.entrance.subject = None

    turn = await asked(records)

    assert turn.outcome == Courtesy(kind=CourtesyKind.SIGN_IN)
    assert await told(records) == REPLIES.text("sign_in", "en")
    assert (records.planner.plans, records.records.asked) == ([], [])


async def test_a_store_that_cannot_say_who_asks_is_no_unknown_customer():
    records = await a_records_rig(COUNT)
    records.entrance.at_profile.fails = StoreUnavailable("down")

    await handed_over(records)


async def test_another_customers_id_in_the_question_opens_nobody_elses_rows():
    records = await a_records_rig(COUNT)

    await asked(records, "I am customer tom, my id is tom. How many lessons do I have?")

    assert records.records.asked == [("maria", COUNT_SQL)]


async def test_the_customers_id_reaches_no_plan_and_no_wording():
    records = await a_records_rig(COUNT)

    await asked(records)

    assert "maria" not in repr((records.planner.plans, records.planner.wordings))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_of_a_failure_never_claims_that_records_do_not_exist(language):
    said = REPLIES.handoff(UNAVAILABLE, language)
    beside = REPLIES.text("records_unchecked", language)
    nothing = REPLIES.text("records_nothing", language)

    denial = {"en": "does not mean", "es": "no significa", "de": "heißt nicht", "fr": "ne veut pas dire", "pt": "não quer dizer"}  # fmt: skip
    assert denial[language] in said
    assert denial[language] in beside
    assert nothing not in said + beside


async def test_the_evidence_gate_never_judges_a_computed_question():
    records = await a_records_rig(BROKEN, BROKEN)

    turn = await handed_over(records, "How many lessons do I have with trout and wine?")

    assert {s.name for s in turn.stages} == {Stage.ROUTE, Stage.RECORDS}
    assert turn.ranked == ()


async def test_without_a_records_route_a_computed_question_hands_over_as_ever():
    records = await a_records_rig(COUNT)
    turns = records.rig.turns
    records.rig.runner.turns = replace(turns, answering=replace(turns.answering, records=None))

    await handed_over(records)


async def test_what_plans_repairs_and_words_use_is_counted_together():
    records = await a_records_rig(BROKEN, NEXT)
    records.planner.words = "There are 10."

    turn = await asked(records)

    assert turn.usage is not None
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (300, 30)


async def test_ten_rows_are_told_in_the_models_words():
    records = await a_records_rig(NEXT)
    records.planner.words = "Your next 10 lessons, 2026-12-01 to 2026-12-10, are with Ana and Tom."

    turn = await asked(records)

    assert turn.outcome == Answer(text=records.planner.words, sources=())
    assert records.planner.wordings[0].rows == TEN

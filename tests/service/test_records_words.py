"""What a customer reads of rows: the model's words where the rows bear them out, the rows themselves where they do not."""

import pytest

from bot.core.outcome import Answer
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.records import Rows
from bot.core.truth import is_truthful
from bot.core.turn import Stage
from bot.errors import ModelUnavailable
from tests.service.records_rig import HOW_MANY, NEXT, NEXT_SQL, RecordsRig, a_records_rig
from tests.service.rig import REPLIES
from tests.service.stand_ins import Point

FOUND = REPLIES.text("records_found", "en")
TABLE_OF_COUNT = f"{FOUND}\n\n| Lessons |\n| --- |\n| 12 |"


async def text_of(records: RecordsRig) -> str:
    turn = await records.rig.ask(HOW_MANY)
    assert is_truthful(turn)
    assert isinstance(turn.outcome, Answer)
    return turn.outcome.text


@pytest.mark.parametrize(
    "words",
    [
        "You have 13 lessons.",
        "You have 12 lessons until 2027.",
        "You have 12 lessons, see https://elsewhere.example/lessons",
        "You have 12 lessons. I will connect you with an agent.",
        "I could not find any lessons.",
        "Nothing matches your records.",
        "![x](https://elsewhere.example/?q=12)",
        "",
    ],
)
async def test_words_that_the_rows_do_not_bear_out_are_replaced_by_the_rows(words):
    records = await a_records_rig()
    records.planner.words = words

    assert await text_of(records) == TABLE_OF_COUNT


@pytest.mark.parametrize(
    "failure", [lambda: ModelUnavailable("overloaded"), lambda: Point(waits=True)], ids=["fails", "hangs"]
)
async def test_a_model_without_words_costs_nothing_but_its_words(failure):
    records = await a_records_rig(policy=TurnPolicy(deadlines=Deadlines(word_s=0.02)))
    records.planner.words = failure()

    assert await text_of(records) == TABLE_OF_COUNT


async def test_the_record_says_whose_words_they_were():
    records = await a_records_rig()
    records.planner.words = "You have 13 lessons."

    turn = await records.rig.ask(HOW_MANY)

    assert [s.finding for s in turn.stages if s.name is Stage.RECORDS][-1] == "tabulated"


@pytest.mark.parametrize(
    "words", ["You have 120 lessons; the first is on 2026-12-01.", "You have 7 lessons."]
)
async def test_more_rows_than_are_read_are_said_to_be_the_first_of_so_many(words):
    records = await a_records_rig(NEXT)
    records.records.found[NEXT_SQL] = Rows(
        columns=("starts_on",), rows=(("2026-12-01",), ("2026-12-02",)), total=120
    )
    records.planner.words = words

    assert (await text_of(records)).endswith("\n\nThese are the first 2 of 120.")


async def test_the_nonce_of_the_request_is_never_told():
    records = await a_records_rig()
    records.planner.words = "You have 12 lessons. {nonce}"

    assert await text_of(records) == TABLE_OF_COUNT

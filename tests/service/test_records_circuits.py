"""Records and their planner are left alone while they fail; a statement that is rejected is no failure of the database."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.core.customers import Subject
from bot.errors import ModelUnavailable, NotAsked, RecordsUnavailable, StatementRejected
from bot.service.circuits import Breaker
from bot.service.records_circuits import GuardedPlanner, GuardedRecords
from tests.service.records_rig import (
    A_PLAN,
    A_WORDING,
    BROKEN_SQL,
    COUNT_SQL,
    COUNTED,
    ScriptedPlanner,
    ScriptedRecords,
)
from tests.service.stand_ins import RecordingCircuits

MARIA = Subject("maria")
FAILURES = 5


def a_breaker(dependency, unavailable):
    return Breaker(
        dependency=dependency, unavailable=unavailable, clock=ManualClock(), observer=RecordingCircuits()
    )


def guarded(records):
    breaker = a_breaker("records", RecordsUnavailable)
    return GuardedRecords(records=records, breaker=breaker, limit_s=4.0)


async def test_records_that_keep_failing_are_left_alone_and_one_alarm_is_raised():
    records = ScriptedRecords()
    records.at_query.fails = RecordsUnavailable("down")
    alone = guarded(records)

    for _ in range(FAILURES + 3):
        with pytest.raises(RecordsUnavailable):
            await alone.query(COUNT_SQL, subject=MARIA)

    assert len(records.asked) == FAILURES
    assert alone.breaker.observer.seen == [("opened", "records", "failures")]


async def test_rejected_statements_leave_the_circuit_closed():
    alone = guarded(ScriptedRecords())

    for _ in range(FAILURES + 3):
        with pytest.raises(StatementRejected):
            await alone.query(BROKEN_SQL, subject=MARIA)

    assert await alone.query(COUNT_SQL, subject=MARIA) == COUNTED


async def test_a_planner_that_keeps_failing_is_left_alone():
    planner = ScriptedPlanner(script=[ModelUnavailable("overloaded")] * 20)
    alone = GuardedPlanner(planner=planner, breaker=a_breaker("planner", NotAsked))

    for _ in range(FAILURES):
        with pytest.raises(ModelUnavailable):
            await alone.plan(A_PLAN)

    with pytest.raises(NotAsked):
        await alone.word(A_WORDING)
    assert len(planner.plans) == FAILURES

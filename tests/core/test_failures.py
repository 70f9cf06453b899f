"""Which reason a broken stage gives: a table over every stage and every kind of failure, and each reason is truthful."""

import asyncio

import pytest

from bot.core.failures import is_outage, reason_for
from bot.core.outcome import ReasonCode
from bot.core.truth import is_truthful
from bot.core.turn import Stage, failing_stage
from bot.errors import (
    IndexNotReady,
    InputRejected,
    ModelUnavailable,
    OutsideFailure,
    RecordsUnavailable,
    RetrievalUnavailable,
    StoreUnavailable,
)
from tests.builders import a_handoff, a_turn
from tests.core.builders import a_broken_stage, a_record

WAITING = {
    Stage.INDEX: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.EMBED: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.SEARCH: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.DRAFT: ReasonCode.MODEL_UNAVAILABLE,
    Stage.RECORDS: ReasonCode.RECORDS_UNAVAILABLE,
}
SEARCHING = {Stage.INDEX, Stage.EMBED, Stage.SEARCH}
OUTAGES = [
    RetrievalUnavailable("refused"),
    ModelUnavailable("overloaded"),
    RecordsUnavailable("locked"),
    StoreUnavailable("disk full"),
    OutsideFailure("odd"),
    TimeoutError(),
]
DEFECTS = [
    ValueError("x"),
    KeyError("x"),
    ZeroDivisionError(),
    InputRejected("text", "is odd", "write another"),
]
EVERY = [*OUTAGES, IndexNotReady("building"), *DEFECTS]


def name(value):
    return type(value).__name__ if isinstance(value, Exception) else str(value)


@pytest.mark.parametrize("failure", OUTAGES, ids=name)
@pytest.mark.parametrize("stage", Stage, ids=str)
def test_an_outage_gives_the_reason_of_the_stage_and_not_of_its_kind(stage, failure):
    assert is_outage(failure)
    assert reason_for(stage, failure) is WAITING.get(stage, ReasonCode.TURN_LOST)


@pytest.mark.parametrize("stage", Stage, ids=str)
def test_an_index_that_is_not_ready_is_named_only_where_it_is_used(stage):
    expected = ReasonCode.INDEX_NOT_READY if stage in SEARCHING else WAITING.get(stage, ReasonCode.TURN_LOST)

    assert reason_for(stage, IndexNotReady("building")) is expected


@pytest.mark.parametrize("failure", DEFECTS, ids=name)
@pytest.mark.parametrize("stage", Stage, ids=str)
def test_a_defect_of_ours_is_never_blamed_on_anything_outside(stage, failure):
    assert not is_outage(failure)
    assert reason_for(stage, failure) is ReasonCode.TURN_LOST


def test_being_cancelled_is_no_outage():
    assert not is_outage(asyncio.CancelledError())


@pytest.mark.parametrize("failure", EVERY, ids=name)
@pytest.mark.parametrize("stage", Stage, ids=str)
def test_the_reason_of_every_failure_in_every_stage_is_the_only_truthful_one(stage, failure):
    before = [s for s in Stage if s is not Stage.RECORDS][: list(Stage).index(stage)]
    stages = a_record(*before, ends=a_broken_stage(stage, failure))
    truthful = [r for r in ReasonCode if is_truthful(a_turn(a_handoff(r), stages=stages))]

    assert truthful == [reason_for(stage, failure)]
    assert failing_stage(stages) is stages[-1]

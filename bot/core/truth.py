"""Whether a handoff's reason is what happened. `is_truthful` must hold for every turn that Candor ever stores."""

from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

from bot.core.knowledge import IndexState
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode
from bot.core.turn import Stage, StageRecord, StageStatus, Turn
from bot.errors import IndexNotReady

COMPUTED = "computed"
DEFECT = "defect"
TURN_BUDGET = "turn_budget"
UNCALIBRATED = "uncalibrated"
PROMISED_PERSON = "promised_person"
REPEATED = "repeated"
ABSTAINED = "abstained"
CAPPED = "capped"
# What a step of the records route found.
TO_RECORDS = "to_records"
TO_ARTICLES = "to_articles"
TO_BOTH = "to_both"
REJECTED = "rejected"
FOUND = "found"
FOUND_NOTHING = "found_nothing"
WORDED = "worded"
TABULATED = "tabulated"

_BROKEN = (StageStatus.FAILED, StageStatus.TIMED_OUT)
_SETTLES_COMPUTED = frozenset({TO_ARTICLES, FOUND, FOUND_NOTHING})
_RETRIEVAL = frozenset({Stage.INDEX, Stage.EMBED, Stage.SEARCH})
_ROUTED: Mapping[str | None, ReasonCode] = {
    reason.value: reason
    for reason in (
        ReasonCode.CUSTOMER_ASKED,
        ReasonCode.ESCALATION_RULE,
        ReasonCode.BOT_PAUSED,
        ReasonCode.UNRESOLVED,
        ReasonCode.UNSUPPORTED_MESSAGE,
    )
}
_OF_DRAFT: Mapping[str | None, ReasonCode] = {
    ABSTAINED: ReasonCode.MODEL_ABSTAINED,
    CAPPED: ReasonCode.BOT_PAUSED,
}

_OF_GATE: Mapping[str | None, ReasonCode] = {
    PROMISED_PERSON: ReasonCode.MODEL_ABSTAINED,
    REPEATED: ReasonCode.UNRESOLVED,
}


def is_truthful(turn: Turn) -> bool:
    """Compare the turn's stage record with its reason; of the other outcomes only an offer claims that nothing was found.

    At most one reason is true of any stage record: see `true_reason`. Who is answered although their records could not be looked
    up must be told that.
    """
    outcome = turn.outcome
    if isinstance(outcome, Ask) and outcome.offer:
        return true_reason(turn) is ReasonCode.NO_EVIDENCE
    if isinstance(outcome, Handoff):
        return true_reason(turn) is outcome.reason
    half = _failed_half(turn.stages[:-1])
    if any(s.status in _BROKEN for at, s in enumerate(turn.stages) if at != half):
        return False
    return _says_unchecked(outcome) is (half is not None) and not _passes_over_records(turn, half)


def true_reason(turn: Turn) -> ReasonCode | None:
    """Return the one code that the stage record supports; None when it supports none.

    A turn ends where a stage stops it or breaks, so only the last stage may have, and it decides; but for records that were to be
    told beside articles. What is done after a stop (triage) can still run into the turn's budget.
    """
    if not turn.stages:
        return ReasonCode.TURN_LOST  # the process died, or nothing was recorded in time
    *whole, last = turn.stages
    half = _failed_half(whole)
    earlier = [s for at, s in enumerate(whole) if at != half]
    if any(s.status in _BROKEN for s in earlier):
        return None
    if any(s.status is StageStatus.STOPPED for s in earlier) and last.finding != TURN_BUDGET:
        return None
    match last.status:
        case StageStatus.OK:
            return None
        case StageStatus.STOPPED:
            return _reason_of_stop(turn, last)
        case StageStatus.FAILED | StageStatus.TIMED_OUT:
            return _reason_of_break(turn, last)
        case _:
            assert_never(last.status)


def _reason_of_break(turn: Turn, last: StageRecord) -> ReasonCode:
    if last.finding == DEFECT:
        return ReasonCode.TURN_LOST
    if last.finding == TURN_BUDGET:
        return ReasonCode.OUT_OF_TIME
    if last.name is Stage.RECORDS or _is_computed(turn):
        return ReasonCode.RECORDS_UNAVAILABLE
    if last.name is Stage.DRAFT:
        return ReasonCode.MODEL_UNAVAILABLE
    if last.name not in _RETRIEVAL:
        return ReasonCode.TURN_LOST  # a stage that waits for nothing breaks only by a defect
    seen_unusable = turn.index is not None and turn.index.state is not IndexState.READY
    unusable = seen_unusable or last.error == IndexNotReady.__name__
    return ReasonCode.INDEX_NOT_READY if unusable else ReasonCode.RETRIEVAL_UNAVAILABLE


def _reason_of_stop(turn: Turn, last: StageRecord) -> ReasonCode | None:
    if last.name is Stage.RECORDS or _is_computed(turn):
        return ReasonCode.RECORDS_UNAVAILABLE
    if last.name is Stage.ROUTE:
        return _ROUTED.get(last.finding)
    if last.name is Stage.EVIDENCE_GATE:
        return _reason_of_evidence_gate(turn)
    if last.name is Stage.DRAFT and _evidence_passed(turn):
        return _OF_DRAFT.get(last.finding)
    if last.name is Stage.ANSWER_GATE and Stage.DRAFT in _worked(turn) and _evidence_passed(turn):
        return _OF_GATE.get(last.finding, ReasonCode.UNGROUNDED_DRAFT)
    return None


def _reason_of_evidence_gate(turn: Turn) -> ReasonCode | None:
    index = turn.index
    if index is None or not {Stage.EMBED, Stage.SEARCH} <= _worked(turn):
        return None
    if (
        index.state is not IndexState.READY
        or not index.calibrated
        or not turn.ranked
        or turn.best_cosine is None
    ):
        return ReasonCode.INDEX_NOT_READY
    return None if _is_enough(turn) else ReasonCode.NO_EVIDENCE


def _evidence_passed(turn: Turn) -> bool:
    return Stage.EVIDENCE_GATE in _worked(turn) and bool(turn.ranked) and _is_enough(turn)


def _is_enough(turn: Turn) -> bool:
    """Whether the gate's comparison passes; without a threshold it compares nothing and the answerer decides."""
    return turn.threshold is None or (turn.best_cosine is not None and turn.best_cosine >= turn.threshold)


def _is_computed(turn: Turn) -> bool:
    """Whether the question was one about records and neither was looked up there nor turned out to be for the articles."""
    settled = any(_went_well(s, _SETTLES_COMPUTED) for s in turn.stages)
    return not settled and any(s.finding == COMPUTED for s in turn.stages)


def _failed_half(stages: Sequence[StageRecord]) -> int | None:
    """Return which stage ended the records' half of an answer whose other half is an article's; None when there is none."""
    last = max((at for at, s in enumerate(stages) if s.name is Stage.RECORDS), default=None)
    if last is None or not any(_went_well(s, {TO_BOTH}) for s in stages[:last]):
        return None
    ended = stages[last].status is not StageStatus.OK and stages[last].finding not in (DEFECT, TURN_BUDGET)
    return last if ended else None


def _went_well(stage: StageRecord, findings: Collection[str]) -> bool:
    return stage.name is Stage.RECORDS and stage.status is StageStatus.OK and stage.finding in findings


def _says_unchecked(outcome: Outcome) -> bool:
    return isinstance(outcome, Answer | Ask) and outcome.unchecked


def _passes_over_records(turn: Turn, half: int | None) -> bool:
    """Whether a question about records was answered as if it were none."""
    asks_to_sign_in = isinstance(turn.outcome, Courtesy) and turn.outcome.kind is CourtesyKind.SIGN_IN
    return half is None and not asks_to_sign_in and _is_computed(turn)


def _worked(turn: Turn) -> frozenset[Stage]:
    return frozenset(s.name for s in turn.stages if s.status is StageStatus.OK)

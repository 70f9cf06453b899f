"""Whether a handoff's reason is what happened. `is_truthful` must hold for every turn that Candor ever stores."""

from collections.abc import Callable, Mapping

from bot.core.knowledge import IndexState
from bot.core.outcome import Handoff, ReasonCode
from bot.core.turn import Stage, StageRecord, StageStatus, Turn
from bot.errors import IndexNotReady

COMPUTED = "computed"
DEFECT = "defect"
TURN_BUDGET = "turn_budget"
UNCALIBRATED = "uncalibrated"
PROMISED_PERSON = "promised_person"
ABSTAINED = "abstained"

_BROKEN = (StageStatus.FAILED, StageStatus.TIMED_OUT)


def is_truthful(turn: Turn) -> bool:
    """Compare the turn's stage record with its reason; a turn that ended in no handoff made no claim.

    Exactly one reason is true of any stage record: see `true_reason`.
    """
    outcome = turn.outcome
    if not isinstance(outcome, Handoff):
        return not any(s.status in _BROKEN for s in turn.stages)
    return true_reason(turn) is outcome.reason


def true_reason(turn: Turn) -> ReasonCode | None:
    """Return the one code that the stage record supports; None when it supports none.

    Reads the last stage, because a turn ends where a stage stops it or breaks.
    """
    if not turn.stages:
        return ReasonCode.TURN_LOST  # the process died, or nothing was recorded in time
    last = turn.stages[-1]
    if any(s.status in _BROKEN for s in turn.stages[:-1]):
        return None  # a broken stage ends the turn, so nothing can follow it
    if last.finding == DEFECT:
        return ReasonCode.TURN_LOST
    if last.finding == TURN_BUDGET:
        return ReasonCode.OUT_OF_TIME
    if any(s.finding == COMPUTED for s in turn.stages):
        return ReasonCode.RECORDS_UNAVAILABLE
    return _BY_STAGE[last.name](turn, last)


def _at_route(_turn: Turn, last: StageRecord) -> ReasonCode | None:
    routed = {
        ReasonCode.CUSTOMER_ASKED,
        ReasonCode.ESCALATION_RULE,
        ReasonCode.BOT_PAUSED,
        ReasonCode.UNRESOLVED,
        ReasonCode.UNSUPPORTED_MESSAGE,
    }
    return next((r for r in routed if r == last.finding), None)


def _at_retrieval(turn: Turn, last: StageRecord) -> ReasonCode | None:
    if last.status not in _BROKEN:
        return None
    seen_unusable = turn.index is not None and turn.index.state is not IndexState.READY
    unusable = seen_unusable or last.error == IndexNotReady.__name__
    return ReasonCode.INDEX_NOT_READY if unusable else ReasonCode.RETRIEVAL_UNAVAILABLE


def _at_evidence_gate(turn: Turn, _last: StageRecord) -> ReasonCode | None:
    index = turn.index
    if index is None or index.state is not IndexState.READY or not index.calibrated or not turn.ranked:
        return ReasonCode.INDEX_NOT_READY
    searched = {s.name for s in turn.stages if s.status is StageStatus.OK}
    none_passed = turn.threshold is not None and all(p.found.cosine < turn.threshold for p in turn.ranked)
    if none_passed and {Stage.EMBED, Stage.SEARCH} <= searched:
        return ReasonCode.NO_EVIDENCE
    return None


def _at_draft(_turn: Turn, last: StageRecord) -> ReasonCode | None:
    if last.finding == ABSTAINED:
        return ReasonCode.MODEL_ABSTAINED
    return ReasonCode.MODEL_UNAVAILABLE if last.status in _BROKEN else None


def _at_answer_gate(_turn: Turn, last: StageRecord) -> ReasonCode | None:
    if last.status is not StageStatus.STOPPED:
        return None
    return ReasonCode.MODEL_ABSTAINED if last.finding == PROMISED_PERSON else ReasonCode.UNGROUNDED_DRAFT


def _nothing(_turn: Turn, _last: StageRecord) -> ReasonCode | None:
    return None


_BY_STAGE: Mapping[Stage, Callable[[Turn, StageRecord], ReasonCode | None]] = {
    Stage.ROUTE: _at_route,
    Stage.QUERY: _nothing,
    Stage.INDEX: _at_retrieval,
    Stage.EMBED: _at_retrieval,
    Stage.SEARCH: _at_retrieval,
    Stage.RANK: _nothing,
    Stage.EVIDENCE_GATE: _at_evidence_gate,
    Stage.DRAFT: _at_draft,
    Stage.ANSWER_GATE: _at_answer_gate,
    Stage.RECORDS: _nothing,
}

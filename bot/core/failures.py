"""Which reason a broken stage gives: what the customer is told depends on what broke, never on how."""

from collections.abc import Mapping

from bot.core.outcome import ReasonCode
from bot.core.turn import Stage
from bot.errors import IndexNotReady, OutsideFailure

_BY_STAGE: Mapping[Stage, ReasonCode] = {
    Stage.INDEX: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.EMBED: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.SEARCH: ReasonCode.RETRIEVAL_UNAVAILABLE,
    Stage.DRAFT: ReasonCode.MODEL_UNAVAILABLE,
    Stage.RECORDS: ReasonCode.RECORDS_UNAVAILABLE,
}


def is_outage(failure: BaseException) -> bool:
    """Return whether *failure* is an outside system's; anything else is a defect of ours."""
    return isinstance(failure, OutsideFailure | TimeoutError)


def reason_for(stage: Stage, failure: BaseException) -> ReasonCode:
    """Return the reason code for *failure* in *stage*; a stage that waits for nothing can only break by a defect."""
    if not is_outage(failure):
        return ReasonCode.TURN_LOST
    reason = _BY_STAGE.get(stage, ReasonCode.TURN_LOST)
    if reason is ReasonCode.RETRIEVAL_UNAVAILABLE and isinstance(failure, IndexNotReady):
        return ReasonCode.INDEX_NOT_READY
    return reason

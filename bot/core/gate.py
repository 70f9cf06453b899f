"""The evidence gate: is there enough to answer from? One named score, raw cosine, against a calibrated threshold."""

from collections.abc import Mapping, Sequence

from bot.core.knowledge import Calibration, RankedPassage
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import GatePolicy, RetrievalPolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.errors import Misconfigured


def gate_cosine(beside: Sequence[float], blended: float, policy: RetrievalPolicy) -> float:
    """Return the gate's score, raw cosine: the weighted mean of the best cosines to the window and to the customer's own words.

    Where these are of different passages, the conversation and the question point to different articles: then the score is at
    most `gate_disagreement` above *blended*, the best that a single passage has, or a long answer would carry the next question over the gate.
    """
    window, own = beside
    mean = policy.gate_window_weight * window + (1 - policy.gate_window_weight) * own
    return min(mean, blended + policy.gate_disagreement)


def is_enough(score: float | None, threshold: float) -> bool:
    """Return whether a question passes; a score that is missing or no number does not."""
    return score is not None and score >= threshold


def evidence_gate(
    ranked: Sequence[RankedPassage], policy: GatePolicy, *, score: float | None, can_abstain: bool
) -> Evidence | Handoff:
    """Keep the passages to answer from, or hand off; *score* is the question's, as `gate_cosine` gives it.

    An empty list is never "no evidence": a healthy index always has a nearest passage. Without a calibrated threshold an
    answerer that can abstain decides for itself, and one that cannot gets nothing. When the question passes, the first article
    goes through, with its rivals and every passage that falls short of the best by no more than the question is above the threshold.
    """
    if not ranked or score is None:
        return Handoff(reason=ReasonCode.INDEX_NOT_READY, detail="the search returned no candidates")
    if policy.threshold is None:
        if can_abstain:
            return Evidence(passages=tuple(ranked))
        return Handoff(reason=ReasonCode.INDEX_NOT_READY, detail="uncalibrated: run `bot calibrate`")
    if not is_enough(score, policy.threshold):
        return Handoff(reason=ReasonCode.NO_EVIDENCE)
    lowest = max(p.found.cosine for p in ranked) - (score - policy.threshold)
    first = ranked[0].found.article_id
    kept = (p for p in ranked if p.rival or p.found.article_id == first or p.found.cosine >= lowest)
    return Evidence(passages=tuple(kept), threshold=lowest)


def threshold_for(
    calibration: Calibration | None, policy: TurnPolicy, *, can_abstain: bool, support: float | None = None
) -> float | None:
    """Return the raw cosine that a question must reach, or the operator's own; None when this score was never calibrated.

    *support* is the share of the question's words that stand in what was found (see `topics.support`): with less of it, a
    higher cosine is asked for, by the slope that calibration measured. None, a question that names nothing, counts as typical. A calibration made with another blend measured
    another score, so it does not count.
    """
    if calibration is None or not _same_blend(calibration, policy.retrieval):
        return None
    if policy.gate_threshold is not None:
        return policy.gate_threshold
    typical = calibration.permissive if can_abstain else calibration.strict
    if support is None:
        return typical
    return typical + calibration.support_slope * (calibration.typical_support - support)


def _same_blend(calibration: Calibration, policy: RetrievalPolicy) -> bool:
    return calibration.blend == blend_of(policy)


def blend_of(policy: RetrievalPolicy) -> Mapping[str, float]:
    """Return the numbers that shape the gate's score: a threshold measured with others was measured on another score."""
    names = (
        "window_messages",
        "told_words",
        "window_weight",
        "gate_window_weight",
        "gate_disagreement",
        "bare_question_words",
        "bare_reply_words",
        "answering_words",
        "stands_alone",
    )
    return {name: float(getattr(policy, name)) for name in names}


def check_threshold(threshold: float, calibration: Calibration) -> None:
    """Raise Misconfigured when *threshold* lies outside the best scores seen in calibration: it could never fire, or always."""
    if not calibration.lowest <= threshold <= calibration.highest:
        raise Misconfigured(
            f"the gate's threshold {threshold:.2f} (raw cosine) is outside the range {calibration.lowest:.2f} to "
            f"{calibration.highest:.2f} that calibration saw for {calibration.fingerprint}, so the gate could not work; "
            "run `python -m bot calibrate`, or unset GATE_THRESHOLD"
        )


def triage(
    best: float,
    policy: GatePolicy,
    *,
    draft: float | None,
    superseded: float | None,
    other_language: float | None,
) -> Triage:
    """Say for the content team why nothing was found; the numbers are the best cosines outside the customer's reach."""
    threshold = 1.0 if policy.threshold is None else policy.threshold
    unreachable = (
        (Triage.ONLY_DRAFT, draft),
        (Triage.ONLY_SUPERSEDED, superseded),
        (Triage.OTHER_LANGUAGE, other_language),
    )
    for name, cosine in unreachable:
        if cosine is not None and cosine >= threshold:
            return name
    return Triage.NEAR_MISS if best >= threshold - policy.near_miss_margin else Triage.ABSENT

"""The evidence gate: is there enough to answer from? One named score, raw cosine, against a calibrated threshold."""

from collections.abc import Sequence

from bot.core.knowledge import Calibration, RankedPassage
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import GatePolicy, RetrievalPolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.errors import Misconfigured


def evidence_gate(
    ranked: Sequence[RankedPassage], policy: GatePolicy, *, can_abstain: bool
) -> Evidence | Handoff:
    """Keep the passages to answer from, or hand off.

    An empty list is never "no evidence": a healthy index always has a nearest passage. Without a calibrated threshold an
    answerer that can abstain decides for itself, and one that cannot gets nothing. Rivals of a passage that passes go with it.
    """
    if not ranked:
        return Handoff(reason=ReasonCode.INDEX_NOT_READY, detail="the search returned no candidates")
    if policy.threshold is None:
        if can_abstain:
            return Evidence(passages=tuple(ranked))
        return Handoff(reason=ReasonCode.INDEX_NOT_READY, detail="uncalibrated: run `bot calibrate`")
    if not any(p.found.cosine >= policy.threshold for p in ranked):
        return Handoff(reason=ReasonCode.NO_EVIDENCE)
    kept = [p for p in ranked if p.rival or p.found.cosine >= policy.threshold]
    passing = {p.found.article_id for p in kept if p.found.cosine >= policy.threshold}
    kept.sort(
        key=lambda p: p.found.article_id not in passing
    )  # an article that passes only as a rival never leads
    return Evidence(passages=tuple(kept), threshold=policy.threshold)


def best_cosine(ranked: Sequence[RankedPassage]) -> float:
    """Return the highest raw cosine; -1 for an empty sequence."""
    return max((p.found.cosine for p in ranked), default=-1.0)


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
    same_weight = abs(calibration.window_weight - policy.window_weight) < 1e-9
    return same_weight and calibration.bare_reply_words == policy.bare_reply_words


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

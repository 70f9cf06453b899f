"""The page of `calibrate`: of all sets and of each, what the chosen threshold and others let through."""

from collections.abc import Mapping, Sequence

from bot.core.knowledge import Calibration
from bot.core.metrics import auroc
from bot.evaluation.calibration import Scored
from bot.evaluation.measuring import Scores
from bot.evaluation.report.frame import figure, figures, framed, numbers, section
from bot.evaluation.report.gate_charts import roc_curve
from bot.evaluation.report.markup import Markup, table
from bot.evaluation.report.trade_off_chart import shares_by_threshold
from bot.evaluation.trade_off import Levelled, Passing, levelled, trade_off


def trade_off_page(calibration: Calibration, sets: Mapping[str, Sequence[Scored]], *, made: str) -> Markup:
    """Return the whole page; *made* says when. Scores are as if every question had typical support."""
    about = (
        f"Made {made}. The threshold is {calibration.strict:.4f}, with {calibration.fingerprint}, at typical support; "
        f"{calibration.support_slope / 10:.3f} more for every tenth less of it."
    )
    together = {"All sets together": tuple(sets.values())} if len(sets) > 1 else {}
    parts = {**together, **{name: (scored,) for name, scored in sets.items()}}
    sections = (
        _section(name, f"set{number}", scored, calibration)
        for number, (name, scored) in enumerate(parts.items())
    )
    return framed("Calibration", about, *sections)


def _section(name: str, identity: str, sets: Sequence[Sequence[Scored]], calibration: Calibration) -> Markup:
    slope, typical, threshold = (
        calibration.support_slope,
        calibration.typical_support,
        calibration.strict,
    )
    scores = levelled((one for mine in sets for one in mine), slope, typical)
    shown = _numbers_table(trade_off(sets, slope, typical, threshold), threshold)
    drawn = _figures(identity, scores, threshold, shown)
    return section(name, identity, _key_numbers(scores, threshold), figures(*drawn))


def _key_numbers(scores: Levelled, threshold: float) -> Markup:
    at = scores.passing(threshold)
    kinds = (
        (f"of {len(scores.answerable)} answerable pass", at.answerable, scores.answerable),
        (f"of {len(scores.near)} near-topic pass", at.near, scores.near),
        (f"of {len(scores.off)} off-topic pass", at.off, scores.off),
    )
    shares = ((name, f"{share:.0%}") for name, share, seen in kinds if seen)
    return numbers(*shares, ("AUROC", f"{auroc(scores.answerable, scores.unanswerable):.2f}"))


def _figures(identity: str, scores: Levelled, threshold: float, shown: Markup) -> list[Markup]:
    drawn: list[Markup] = []
    if scores.every:
        shares = shares_by_threshold(f"{identity}-shares", scores, threshold)
        drawn.append(figure("What each threshold lets through", shares, shown))
    if scores.answerable and scores.unanswerable:
        both = Scores(answerable=scores.answerable, unanswerable=scores.unanswerable)
        drawn.append(figure("Answerable against unanswerable", roc_curve(f"{identity}-roc", both, threshold)))
    return drawn


def _numbers_table(points: Sequence[Passing], chosen: float) -> Markup:
    rows = [
        (
            f"{point.threshold:.4f}{', chosen' if point.threshold == chosen else ''}",
            *(f"{share:.0%}" for share in (point.answerable, point.near, point.off)),
        )
        for point in points
    ]
    return table("Share of questions that pass", ("threshold", "answerable", "near-topic", "off-topic"), rows)

"""What the gate's score can tell: histograms, how often each score is right, and the ROC curve."""

import math

from bot.core.metrics import auroc, passing, roc
from bot.evaluation.measuring import Scores
from bot.evaluation.report.axes import (
    BOTTOM,
    LEFT,
    RIGHT,
    SHARES,
    TOP,
    Scale,
    across,
    across_tenths,
    caption,
    chart,
    horizontal_axis,
    line,
    percent,
    tenths,
    threshold_line,
    upwards,
    vertical_axis,
)
from bot.evaluation.report.bins import ScoreBin, score_bins, wilson
from bot.evaluation.report.markup import Markup, element

_SCORE = "the gate's score"
_GAP = 1.0


def histogram(identity: str, scores: Scores, threshold: float | None) -> Markup:
    """Draw how many answerable questions (upwards) and unanswerable ones (downwards) have each score."""
    bins = score_bins(scores)
    x = _score_scale(bins, threshold)
    most = max(max(b.answerable, b.unanswerable) for b in bins)
    step = _round_step(most)
    top = math.ceil(most / step) * step
    y = upwards(-top, top)
    ticks = [t * step for t in range(-top // step, top // step + 1)]
    bars = "".join(
        _bar(x, y, b, b.answerable, "answerable") + _bar(x, y, b, -b.unanswerable, "unanswerable")
        for b in bins
    )
    return chart(
        identity,
        "Scores of answerable and unanswerable questions",
        "Bars upwards count answerable questions, bars downwards unanswerable ones, by the gate's score. "
        f"{_threshold_words(threshold)} The numbers are in the table below.",
        vertical_axis(y, ticks, "questions", lambda count: f"{abs(count):g}"),
        horizontal_axis(x, tenths(x), _SCORE, "{:.1f}".format),
        bars,
        line((LEFT, y(0)), (RIGHT, y(0)), "rule"),
        caption(LEFT + 4, TOP + 14, "answerable", class_="name answerable"),
        caption(LEFT + 4, BOTTOM - 6, "unanswerable", class_="name unanswerable"),
        threshold_line(x, threshold),
    )


def reliability(identity: str, scores: Scores, threshold: float | None) -> Markup:
    """Draw which share of the questions with each score is answerable, with its interval."""
    bins = score_bins(scores)
    x, y = _score_scale(bins, threshold), upwards(0, 1)
    dots = (_dot(x, y, b) for b in bins if b.questions)
    return chart(
        identity,
        "Share of answerable questions at each score",
        "A dot for each range of the score, with the 95 % interval. The better the score tells, the steeper the dots rise. "
        f"{_threshold_words(threshold)} The numbers are in the table below.",
        vertical_axis(y, SHARES, "answerable", percent),
        horizontal_axis(x, tenths(x), _SCORE, "{:.1f}".format),
        *dots,
        threshold_line(x, threshold),
    )


def roc_curve(identity: str, scores: Scores, threshold: float | None) -> Markup:
    """Draw what each threshold would let through, and where the one in force stands."""
    x, y = across(0, 1), upwards(0, 1)
    corners = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in roc(scores.answerable, scores.unanswerable))
    area = auroc(scores.answerable, scores.unanswerable)
    return chart(
        identity,
        f"ROC curve of the gate, area {area:.2f}",
        "Each point is a threshold: across, the share of unanswerable questions that it lets through, upwards, the share of "
        f"answerable ones. The diagonal is chance. {_point_words(scores, threshold)}",
        vertical_axis(y, SHARES, "answerable let through", percent),
        horizontal_axis(x, SHARES, "unanswerable let through", percent),
        line((x(0), y(0)), (x(1), y(1)), "chance"),
        element("polyline", points=corners, class_="curve"),
        _operating_point(x, y, scores, threshold),
        caption(RIGHT, BOTTOM - 8, f"area {area:.2f}", class_="name", anchor="end"),
    )


def _bar(x: Scale, y: Scale, of: ScoreBin, count: int, class_: str) -> Markup:
    if not count:
        return ""
    left, right = x(of.low) + _GAP, x(of.high) - _GAP
    top, bottom = sorted((y(0), y(count)))
    return element("rect", x=left, y=top, width=right - left, height=bottom - top, class_=class_)


def _dot(x: Scale, y: Scale, of: ScoreBin) -> Markup:
    middle = x((of.low + of.high) / 2)
    low, high = wilson(of.answerable, of.questions)
    spread = line((middle, y(low)), (middle, y(high)), "spread")
    return spread + element("circle", cx=middle, cy=y(of.answerable / of.questions), r=4, class_="answerable")


def _operating_point(x: Scale, y: Scale, scores: Scores, threshold: float | None) -> Markup:
    if threshold is None:
        return ""
    let_through, passed = passing(scores.unanswerable, threshold), passing(scores.answerable, threshold)
    dot = element("circle", cx=x(let_through), cy=y(passed), r=5, class_="point")
    return dot + caption(x(let_through) + 9, y(passed) + 13, f"threshold {threshold:.3f}", class_="mark")


def _point_words(scores: Scores, threshold: float | None) -> str:
    if threshold is None:
        return _threshold_words(None)
    let_through, passed = passing(scores.unanswerable, threshold), passing(scores.answerable, threshold)
    return f"At the threshold {threshold:.3f}, {passed:.0%} of the answerable and {let_through:.0%} of the others pass."


def _threshold_words(threshold: float | None) -> str:
    return "The gate has no threshold." if threshold is None else f"The gate's threshold is {threshold:.3f}."


def _score_scale(bins: tuple[ScoreBin, ...], threshold: float | None) -> Scale:
    """Return a scale over all scores and the threshold."""
    return across_tenths((bins[0].low, bins[-1].high, *(() if threshold is None else (threshold,))))


def _round_step(most: int) -> int:
    """Return the distance between ticks: 1, 2 or 5 times a power of ten, so that at most three are needed each way."""
    least = max(1.0, most / 3)
    power = 10 ** math.floor(math.log10(least))
    return next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= least)

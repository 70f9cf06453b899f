"""What each threshold lets through of each kind of question, as falling curves."""

from collections.abc import Sequence

from bot.core.metrics import passing
from bot.evaluation.report.axes import (
    RIGHT,
    SHARES,
    TOP,
    Scale,
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
from bot.evaluation.report.markup import Markup, element
from bot.evaluation.trade_off import Levelled

_CORNERS = 150  # one for each second unit across
_SAMPLE, _ROW = 22.0, 16.0


def shares_by_threshold(identity: str, scores: Levelled, threshold: float) -> Markup:
    """Draw, over all thresholds, the share of each kind that passes, and mark the chosen one. There is a question at least."""
    x, y = across_tenths((*scores.every, threshold)), upwards(0, 1)
    kinds = [(name, class_, seen) for name, class_, seen in _kinds(scores) if seen]
    return chart(
        identity,
        "Shares that pass each threshold",
        f"A falling curve for each kind of question. {_said(scores, threshold)} More thresholds are in the table below.",
        vertical_axis(y, SHARES, "let through", percent),
        horizontal_axis(x, tenths(x), "threshold", "{:.1f}".format),
        threshold_line(x, threshold),
        *(_curve(x, y, seen, class_) for _, class_, seen in kinds),
        *(_dot(x, y, seen, threshold) for _, _, seen in kinds),
        *(_legend(row, name, class_) for row, (name, class_, _) in enumerate(kinds)),
    )


def _kinds(scores: Levelled) -> tuple[tuple[str, str, Sequence[float]], ...]:
    return (
        ("answerable", "answerable", scores.answerable),
        ("near-topic", "near", scores.near),
        ("off-topic", "off", scores.off),
    )


def _said(scores: Levelled, threshold: float) -> str:
    shares = (f"{passing(seen, threshold):.0%} of the {name}" for name, _, seen in _kinds(scores) if seen)
    return f"At the threshold {threshold:.3f}, {', '.join(shares)} questions pass."


def _curve(x: Scale, y: Scale, seen: Sequence[float], class_: str) -> Markup:
    thresholds = (x.low + (x.high - x.low) * corner / _CORNERS for corner in range(_CORNERS + 1))
    corners = " ".join(f"{x(t):.1f},{y(passing(seen, t)):.1f}" for t in thresholds)
    return element("polyline", points=corners, class_=f"curve {class_}")


def _dot(x: Scale, y: Scale, seen: Sequence[float], threshold: float) -> Markup:
    return element("circle", cx=x(threshold), cy=y(passing(seen, threshold)), r=4, class_="point")


def _legend(row: int, name: str, class_: str) -> Markup:
    """Name a curve where all of them are low, beside a piece of it: colours alone do not tell."""
    height = TOP + 14 + row * _ROW
    sample = line((RIGHT - _SAMPLE, height - 4), (RIGHT, height - 4), f"sample {class_}")
    return sample + caption(RIGHT - _SAMPLE - 6, height, name, class_="legend", anchor="end")

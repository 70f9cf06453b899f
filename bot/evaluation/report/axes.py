"""The frame that charts share: a plot with a scale each way, grid lines, ticks and names."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.evaluation.report.markup import Markup, element, written

WIDTH, HEIGHT = 360.0, 256.0  # a phone's width, so that texts stay readable there
LEFT, RIGHT, TOP, BOTTOM = 44.0, 340.0, 34.0, 212.0
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_TICKS = 12

Label = Callable[[float], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Numbers to places on the page."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def across(low: float, high: float) -> Scale:
    """Return the plot's horizontal scale."""
    return Scale(low=low, high=high, start=LEFT, end=RIGHT)


def across_tenths(seen: Iterable[float]) -> Scale:
    """Return a horizontal scale over *seen*, from one tenth to another."""
    places = [round(number * 10, 6) for number in seen]
    low, high = math.floor(min(places)), math.ceil(max(places))
    return across(low / 10, max(high, low + 1) / 10)


def tenths(scale: Scale) -> list[float]:
    """Return ticks at each tenth, or at each fifth where their numbers would touch."""
    first, last = round(scale.low * 10), round(scale.high * 10)
    every = 1 if last - first <= _MOST_TICKS else 2
    return [tenth / 10 for tenth in range(first + first % every, last + 1, every)]


def upwards(low: float, high: float) -> Scale:
    """Return the plot's vertical scale."""
    return Scale(low=low, high=high, start=BOTTOM, end=TOP)


def percent(share: float) -> str:
    """Return a share for people."""
    return f"{share:.0%}"


def caption(x: float, y: float, words: str, *, class_: str = "note", anchor: str = "start") -> Markup:
    """Return a text on the chart."""
    return element("text", written(words), x=x, y=y, class_=class_, text_anchor=anchor)


def line(start: tuple[float, float], end: tuple[float, float], class_: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], class_=class_)


def horizontal_axis(scale: Scale, ticks: Sequence[float], name: str, label: Label) -> Markup:
    """Return the axis below the plot."""
    numbers = (caption(scale(t), BOTTOM + 16, label(t), class_="tick", anchor="middle") for t in ticks)
    title = caption((LEFT + RIGHT) / 2, BOTTOM + 36, name, class_="axis", anchor="middle")
    return "".join((line((LEFT, BOTTOM), (RIGHT, BOTTOM), "rule"), *numbers, title))


def vertical_axis(scale: Scale, ticks: Sequence[float], name: str, label: Label) -> Markup:
    """Return the axis left of the plot, with grid lines across it; its name stands above, where it can be read."""
    grid = (line((LEFT, scale(t)), (RIGHT, scale(t)), "grid") for t in ticks)
    numbers = (caption(LEFT - 6, scale(t) + 4, label(t), class_="tick", anchor="end") for t in ticks)
    return "".join((*grid, *numbers, caption(2, 12, name, class_="axis")))


def threshold_line(scale: Scale, threshold: float | None) -> Markup:
    """Return the gate's threshold, unless it has none."""
    if threshold is None:
        return ""
    x = scale(threshold)
    late = x > (LEFT + RIGHT) / 2
    words = f"threshold {threshold:.3f}"
    return "".join(
        (
            line((x, TOP - 14), (x, BOTTOM), "threshold"),
            caption(
                x - 5 if late else x + 5, TOP - 6, words, class_="mark", anchor="end" if late else "start"
            ),
        )
    )


def chart(identity: str, title: str, description: str, *parts: Markup, height: float = HEIGHT) -> Markup:
    """Return the drawing, named and described for people who cannot see it."""
    return element(
        "svg",
        element("title", written(title), id=f"{identity}-title"),
        element("desc", written(description), id=f"{identity}-desc"),
        *parts,
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        role="img",
        aria_labelledby=f"{identity}-title {identity}-desc",
    )

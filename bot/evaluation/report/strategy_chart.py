"""How well each strategy did, as bars with their intervals."""

from collections.abc import Mapping

from bot.evaluation.measuring import Performance
from bot.evaluation.report.axes import RIGHT, Scale, caption, chart, line
from bot.evaluation.report.markup import Markup, element
from bot.evaluation.strategies import Strategy

DRAWN = ("hit@1", "recall@5", "ndcg@10", "auroc")
_NAMES = 108.0
_ROW, _HEADING, _BAR = 18.0, 26.0, 11.0


def strategy_bars(identity: str, strategies: Mapping[Strategy, Performance]) -> Markup:
    """Draw a group of bars for each measure, one bar a strategy."""
    x = Scale(low=0, high=1, start=_NAMES, end=RIGHT - 18)
    parts: list[Markup] = []
    y = 0.0
    for measure in DRAWN:
        parts.append(caption(2, y + 17, measure, class_="name"))
        y += _HEADING
        for strategy, performance in strategies.items():
            parts.append(_row(x, y, strategy, performance, measure))
            y += _ROW
    return chart(
        identity,
        "Strategies compared",
        f"Bars for {', '.join(DRAWN)}, each from 0 to 1, with the 95 % interval. The numbers are in the table below.",
        *parts,
        height=y + 6,
    )


def _row(x: Scale, y: float, strategy: Strategy, performance: Performance, measure: str) -> Markup:
    name = caption(x(0) - 6, y + 10, words(strategy), class_="tick", anchor="end")
    estimate = performance.measures.get(measure)
    if estimate is None:
        return name + caption(x(0) + 4, y + 10, "-", class_="tick")
    kind = "answerable" if strategy is Strategy.BLENDED else "other"
    middle = y + _BAR / 2
    return "".join(
        (
            name,
            element("rect", x=x(0), y=y, width=x(estimate.value) - x(0), height=_BAR, class_=kind),
            line((x(estimate.low), middle), (x(estimate.high), middle), "spread"),
            caption(RIGHT + 16, y + 10, f"{estimate.value:.2f}", class_="tick", anchor="end"),
        )
    )


def words(strategy: Strategy) -> str:
    """Return a strategy's name for people."""
    return strategy.replace("_", " ")

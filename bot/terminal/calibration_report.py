"""What `calibrate` says: JSON for programs, tables and a plot for people, and a page with charts."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.core.metrics import passing, roc
from bot.evaluation.calibration import auroc
from bot.evaluation.golden import Topic
from bot.evaluation.report.trade_off_page import trade_off_page
from bot.evaluation.trade_off import levelled
from bot.evaluation.trials import pass_rates, scored
from bot.terminal.calibrating import Report
from bot.terminal.pages import made_now, write_page
from bot.terminal.texts import isolated, titled
from bot.terminal.trade_off_plot import plotted

_SETS = "Share of answerable, near-topic and off-topic questions that pass"
_OTHERS = "Share that passes, over all sets"
_PLOT = "Answerable questions that pass (up), unanswerable ones let through (across)"


def to_json(report: Report) -> Mapping[str, object]:
    """Return the report as `calibrate --json` prints it."""
    return {
        "calibration": asdict(report.calibration),
        "sets": {
            one.name: {
                "auroc": round(auroc(scored(one.tried), report.calibration), 4),
                "passed": {
                    topic: round(share, 4)
                    for topic, share in pass_rates(one.tried, report.calibration).items()
                },
            }
            for one in report.sets
        },
        "trade_off": [
            {name: round(number, 4) for name, number in asdict(point).items()} for point in report.trade_off
        ],
    }


def write_html(report: Report, file: Path) -> None:
    """Write the trade-off as one page; Refused when the file cannot be written."""
    sets = {one.name: scored(one.tried) for one in report.sets}
    write_page(trade_off_page(report.calibration, sets, made=made_now()), file)


def show(report: Report, console: Console, *, others: bool = True) -> None:
    """Print the threshold, per set how well the gate does, and what *others* than this threshold would let through."""
    calibration = report.calibration
    console.print(
        f"Threshold [bold]{calibration.strict:.4f}[/bold] (raw cosine) for an answerer that cannot abstain, "
        f"{calibration.permissive:.4f} for one that can, for a question whose words stand in what was found to "
        f"{calibration.typical_support:.0%}; {calibration.support_slope / 10:.3f} more for every tenth less. Best scores ran from "
        f"{calibration.lowest:.2f} to {calibration.highest:.2f}."
    )
    table = _table(_SETS, ("set", "questions", "AUROC", "answerable", "near", "off"))
    for one in report.sets:
        rates = pass_rates(one.tried, calibration)
        table.add_row(
            isolated(one.name),
            str(len(one.tried)),
            f"{auroc(scored(one.tried), calibration):.2f}",
            *(f"{rates[topic]:.0%}" for topic in (Topic.ANSWERABLE, Topic.NEAR, Topic.OFF)),
        )
    console.print(table)
    if others:
        show_trade_off(report, console)


def show_trade_off(report: Report, console: Console) -> None:
    """Print what other thresholds would let through, as a table and as a plot."""
    chosen = report.calibration.strict
    table = _table(_OTHERS, ("", "threshold", "answerable", "near", "off"))
    for point in report.trade_off:
        is_chosen = point.threshold == chosen
        table.add_row(
            "chosen" if is_chosen else "",
            f"{point.threshold:.4f}",
            *(f"{share:.0%}" for share in (point.answerable, point.near, point.off)),
            style="bold" if is_chosen else "",
        )
    console.print(table)
    console.print(f"\n{_PLOT}")
    console.print(_plot(report), highlight=False)


def _plot(report: Report) -> str:
    calibration = report.calibration
    scores = levelled(
        (one for measured in report.sets for one in scored(measured.tried)),
        calibration.support_slope,
        calibration.typical_support,
    )
    chosen = (
        passing(scores.unanswerable, calibration.strict),
        passing(scores.answerable, calibration.strict),
    )
    return plotted(roc(scores.answerable, scores.unanswerable), chosen)


def _table(title: str, headings: tuple[str, ...]) -> Table:
    table = titled(title)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", overflow="fold")
    return table

"""What a replay reports: verdict by conversation, what changed side by side, and the counts; for people and for programs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.core.replies import Replies
from bot.evaluation.comparison import Comparison, Summary, Verdict, summary
from bot.evaluation.configuration import Configuration, numbers_of
from bot.terminal.side_by_side import side_by_side, side_to_json
from bot.terminal.texts import isolated

_STYLES: Mapping[Verdict, str] = {
    Verdict.UNCHANGED: "dim",
    Verdict.IMPROVED: "green",
    Verdict.CHANGED: "yellow",
    Verdict.WORSE: "red",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Both configurations and what they did to each conversation."""

    old: Configuration
    new: Configuration
    replies: Replies
    comparisons: tuple[Comparison, ...]

    @property
    def summary(self) -> Summary:
        """Return the verdicts, counted."""
        return summary(self.comparisons)

    @property
    def differences(self) -> tuple[tuple[str, object, object], ...]:
        """Return what the configurations say differently: key, old value, new value."""
        new = dict(numbers_of(self.new.policy))
        return tuple((key, was, new[key]) for key, was in numbers_of(self.old.policy) if was != new[key])


def to_json(report: Report) -> Mapping[str, object]:
    """Return the report as `replay --json` prints it."""
    counted = report.summary
    return {
        "old": report.old.name,
        "new": report.new.name,
        "differences": {key: {"old": was, "new": now} for key, was, now in report.differences},
        "summary": {
            "known_failures": _counts(counted.known_failures),
            "known_good": _counts(counted.known_good),
            "unlabelled": _counts(counted.unlabelled),
            "text": str(counted),
        },
        "conversations": [
            {
                "id": one.conversation.id,
                "verdict": one.verdict,
                "why": one.why,
                "old": side_to_json(one.old, report.replies, locale=one.conversation.locale),
                "new": side_to_json(one.new, report.replies, locale=one.conversation.locale),
            }
            for one in report.comparisons
        ],
    }


def _counts(counted: Counter[Verdict]) -> Mapping[str, int]:
    return {"n": counted.total(), **{str(verdict): counted[verdict] for verdict in Verdict}}


def show(report: Report, console: Console, *, verbose: bool) -> None:
    """Print conversation by conversation, what changed side by side and the worst last; *verbose* puts all side by side."""
    console.print(isolated(f"old: {report.old.name}\nnew: {report.new.name}"))
    for key, was, now in report.differences:
        console.print(isolated(f"  {key}  {_value(was)} → {_value(now)}"))
    for verdict in Verdict:
        for one in report.comparisons:
            if one.verdict is verdict:
                _show(one, report.replies, console, verbose=verbose)
    console.print()
    console.print(isolated(str(report.summary)))


def _value(value: object) -> str:
    return "calibrated" if value is None else str(value)


def _show(one: Comparison, replies: Replies, console: Console, *, verbose: bool) -> None:
    is_shown = verbose or one.verdict is not Verdict.UNCHANGED
    line = Table.grid(padding=(0, 1))
    line.add_row(
        Text(f"{one.verdict:<9}", style=_STYLES[one.verdict]),
        isolated(f"{one.conversation.id}: {one.why}"),
    )
    if is_shown:
        console.print()
    console.print(line)
    if is_shown:
        console.print(side_by_side(one, replies, verbose=verbose))

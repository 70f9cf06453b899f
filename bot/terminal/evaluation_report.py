"""What `evaluate` says: JSON for programs, tables for people, and a page with charts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from bot.evaluation.grouping import Group
from bot.evaluation.judging import Faithfulness
from bot.evaluation.measures import MEASURES
from bot.evaluation.measuring import Estimate, Evaluation, Mean
from bot.evaluation.report.page import page
from bot.terminal import judging
from bot.terminal.evaluation_tables import (
    endings_table,
    groups_table,
    heading,
    mean_table,
    measures_table,
    sentences,
)
from bot.terminal.pages import made_now, write_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers of all sets together and of each; `embedder` is the fingerprint that the scores are of.

    `mean` is of several sets, None for one. `faithfulness` is of all answers; None when no judge was asked.
    """

    whole: Evaluation
    sets: tuple[Evaluation, ...]
    embedder: str
    mean: Mean | None = None
    faithfulness: Faithfulness | None = None


def to_json(report: Report) -> Mapping[str, object]:
    """Return the report as `evaluate --json` prints it (DESIGN §8)."""
    several = len(report.sets) > 1
    sets = {"sets": {one.name: _to_json(one) for one in report.sets}} if several else {}
    mean = {} if report.mean is None else {"mean": _mean_to_json(report.mean)}
    found = report.faithfulness
    verdicts = {} if found is None else {"faithfulness": judging.to_json(found)}
    return {**_to_json(report.whole), **verdicts, **mean, **sets}


def _to_json(one: Evaluation) -> Mapping[str, object]:
    return {
        "strategies": {
            strategy: _measures(p.measures, p.questions) for strategy, p in one.strategies.items()
        },
        "gate": {name: _rounded(number) for name, number in asdict(one.gate).items()},
        "n": one.conversations,
        "labels": {label: asdict(ended) for label, ended in one.labels.items()},
        "reason_accuracy": _rounded(one.reason_accuracy),
        "bare_replies": {"n": one.bare_replies.questions, "hit@1": _rounded(one.bare_replies.hit_at_1)},
        "auroc_by_label": _all_rounded(one.auroc_by_label),
        "by": {
            field: {value: _group_to_json(group) for value, group in values.items()}
            for field, values in one.groups.items()
        },
    }


def _group_to_json(group: Group) -> Mapping[str, object]:
    strategies = {strategy: _all_rounded(values) for strategy, values in group.strategies.items()}
    return {"n": group.conversations, "strategies": strategies}


def _mean_to_json(mean: Mean) -> Mapping[str, object]:
    return {
        "n": mean.sets,
        "strategies": {strategy: _all_rounded(values) for strategy, values in mean.strategies.items()},
        "gate": _all_rounded(mean.gate),
        "auroc_by_label": _all_rounded(mean.auroc_by_label),
    }


def _all_rounded(values: Mapping[str, float]) -> Mapping[str, float | None]:
    return {name: _rounded(value) for name, value in values.items()}


def _measures(measures: Mapping[str, Estimate], questions: int) -> Mapping[str, object]:
    known = {name: measures[name] for name in MEASURES if name in measures}
    return {
        "n": questions,
        **{name: _rounded(known[name].value) if name in known else None for name in MEASURES},
        "ci": {name: [_rounded(e.low), _rounded(e.high)] for name, e in known.items()},
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def write_html(report: Report, file: Path) -> None:
    """Write the report as one page; Refused when the file cannot be written."""
    several = len(report.sets) > 1
    content = page(
        (report.whole, *report.sets) if several else report.sets,
        made=made_now(),
        embedder=report.embedder,
        mean=report.mean,
    )
    write_page(content, file)


def show(report: Report, console: Console) -> None:
    """Print the measures, the gate and the endings for people; of several sets, each and then all together."""
    several = (*report.sets, report.whole) if len(report.sets) > 1 else report.sets
    for one in several:
        console.rule(heading(one), align="left")
        console.print(measures_table(one))
        console.print(sentences(one))
        console.print(endings_table(one))
        for field in one.groups:
            console.print(groups_table(one, field))
    if report.mean is not None:
        console.print(mean_table(report.mean))
    if report.faithfulness is not None:
        console.print(judging.sentence(report.faithfulness))
        if report.faithfulness.unfaithful:
            console.print(judging.unfaithful_table(report.faithfulness))

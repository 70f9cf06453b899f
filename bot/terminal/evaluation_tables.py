"""What `evaluate` prints for people of one set of conversations."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

from bot.evaluation.measures import MEASURES, OF_GROUPS
from bot.evaluation.measuring import Estimate, Evaluation, Mean
from bot.evaluation.strategies import Strategy
from bot.terminal.texts import isolated, titled

_NONE = "-"


def heading(one: Evaluation) -> Text:
    """Name the set and its size."""
    return isolated(f"{one.name}: {one.conversations} conversations")


def measures_table(one: Evaluation) -> Table:
    """Show each strategy's measures with their intervals."""
    table = _by_strategy("Measures and their 95 % intervals", one.strategies)
    table.add_row("questions", *(str(p.questions) for p in one.strategies.values()))
    for name in MEASURES:
        table.add_row(name, *(_cell(p.measures.get(name)) for p in one.strategies.values()))
    return table


def _by_strategy(title: str, strategies: Iterable[Strategy]) -> Table:
    """Return a table of measures with a narrow column a strategy, so that five stand beside each other in 80 columns."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 0, 0, 1))
    table.add_column("measure", no_wrap=True)
    for strategy in strategies:
        table.add_column(strategy.replace("_", "\n"), justify="right", no_wrap=True)
    return table


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return _NONE
    return f"{estimate.value:.2f} [dim]{_short(estimate.low)}-{_short(estimate.high)}[/dim]"


def _short(share: float) -> str:
    """Return a share in three places, for a narrow column."""
    return f"{share:.1f}" if share >= 0.995 else f"{share:.2f}".removeprefix("0")


def sentences(one: Evaluation) -> str:
    """Say what the gate, the reasons and bare replies came to."""
    gate, bare = one.gate, one.bare_replies
    if gate.threshold is None:
        judged = "The gate has no threshold: run `python -m bot calibrate`."
    else:
        judged = (
            f"Gate at {gate.threshold:.3f}: {_percent(gate.answerable_passed)} of answerable questions pass, "
            f"{_percent(gate.unanswerable_stopped)} of unanswerable ones are stopped."
        )
    sentences = [judged]
    if len(one.auroc_by_label) > 1:
        labels = ", ".join(f"{value:.2f} from {label}" for label, value in one.auroc_by_label.items())
        sentences.append(f"Its score tells answerable questions with an AUROC of {labels}.")
    if one.reason_accuracy is not None:
        sentences.append(f"The reason is right in {one.reason_accuracy:.0%} of turns that name one.")
    if bare.hit_at_1 is not None:
        sentences.append(
            f"The first article is right for {bare.hit_at_1:.0%} of {bare.questions} bare replies."
        )
    return "\n".join(sentences)


def _percent(share: float | None) -> str:
    return _NONE if share is None else f"{share:.0%}"


def endings_table(one: Evaluation) -> Table:
    """Show how the turns of each label ended."""
    table = titled("How turns ended")
    for heading in ("label", "turns", "from gold", "wrong", "asked", "courtesy", "handed off"):
        words = heading in {"label", "handed off"}
        table.add_column(heading, justify="left" if words else "right", overflow="fold")
    for label, ended in one.labels.items():
        counts = (ended.turns, ended.answered, ended.wrong, ended.asked, ended.courtesy)
        reasons = ", ".join(f"{reason} {count}" for reason, count in ended.handed_off.items())
        table.add_row(isolated(label), *map(str, counts), reasons)
    return table


def groups_table(one: Evaluation, field: str) -> Table:
    """Show what the production's search came to for each value of a field."""
    table = titled(isolated(f"By {field}"))
    for heading in (field, "turns", *OF_GROUPS):
        table.add_column(isolated(heading), justify="left" if heading == field else "right", overflow="fold")
    for value, group in one.groups[field].items():
        values = group.strategies.get(Strategy.BLENDED, {})
        table.add_row(
            isolated(value), str(group.conversations), *(_plain(values.get(name)) for name in OF_GROUPS)
        )
    return table


def mean_table(mean: Mean) -> Table:
    """Show each measure averaged over the sets, whatever their sizes."""
    table = _by_strategy(f"Mean of {mean.sets} sets", mean.strategies)
    for name in MEASURES:
        table.add_row(name, *(_plain(values.get(name)) for values in mean.strategies.values()))
    return table


def _plain(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"

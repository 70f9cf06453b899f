"""The report's page: for each set its key numbers, four charts with their numbers as tables, and how turns ended."""

from collections.abc import Mapping, Sequence

from bot.evaluation.grouping import Group
from bot.evaluation.measures import MEASURES, OF_GROUPS
from bot.evaluation.measuring import Estimate, Evaluation, Mean, Performance, Scores
from bot.evaluation.report.bins import score_bins
from bot.evaluation.report.frame import figure, figures, framed, numbers, section
from bot.evaluation.report.gate_charts import histogram, reliability, roc_curve
from bot.evaluation.report.markup import Markup, table
from bot.evaluation.report.strategy_chart import strategy_bars, words
from bot.evaluation.strategies import Strategy

_NONE = "-"


def page(sets: Sequence[Evaluation], *, made: str, embedder: str, mean: Mean | None = None) -> Markup:
    """Return the whole page; *made* says when, *embedder* is the fingerprint of what the scores are of."""
    sections = (_section(one, f"set{number}") for number, one in enumerate(sets))
    averages = () if mean is None else (_mean_section(mean),)
    about = f"Made {made}. Scores are the gate's, with {embedder}."
    return framed("Evaluation", about, *averages, *sections)


def _section(one: Evaluation, identity: str) -> Markup:
    tables = (_endings_table(one), *_label_table(one), *_group_tables(one))
    drawn = figures(*_figures(one, identity))
    return section(one.name, identity, _key_numbers(one), drawn, *tables)


def _mean_section(mean: Mean) -> Markup:
    columns = tuple(mean.strategies.values())
    rows = [(name, *(_plain(column.get(name)) for column in columns)) for name in MEASURES]
    headings = ("measure", *map(words, mean.strategies))
    means = table("Mean of the sets, each counting the same", headings, rows)
    return section(f"Mean of {mean.sets} sets", "mean", means)


def _key_numbers(one: Evaluation) -> Markup:
    blended = one.strategies.get(Strategy.BLENDED)
    measures = blended.measures if blended else {}
    pairs = (
        ("first article right", _value(measures.get("hit@1"))),
        ("recall@5", _value(measures.get("recall@5"))),
        ("answerable passed", one.gate.answerable_passed),
        ("unanswerable stopped", one.gate.unanswerable_stopped),
        (f"first right of {one.bare_replies.questions} bare replies", one.bare_replies.hit_at_1),
        ("reasons right", one.reason_accuracy),
    )
    shares = ((name, f"{share:.0%}") for name, share in pairs if share is not None)
    return numbers(("conversations", str(one.conversations)), *shares)


def _figures(one: Evaluation, identity: str) -> list[Markup]:
    blended = one.strategies.get(Strategy.BLENDED)
    scores = blended.scores if blended else Scores(answerable=(), unanswerable=())
    threshold = one.gate.threshold
    drawn: list[Markup] = []
    if scores.answerable or scores.unanswerable:
        counted = _scores_table(scores)
        drawn += [
            figure("Scores", histogram(f"{identity}-scores", scores, threshold), counted),
            figure("Reliability of the score", reliability(f"{identity}-trust", scores, threshold), counted),
        ]
    if scores.answerable and scores.unanswerable:
        drawn.append(figure("What a threshold lets through", roc_curve(f"{identity}-roc", scores, threshold)))
    if one.strategies:
        bars = strategy_bars(f"{identity}-strategies", one.strategies)
        drawn.append(figure("Strategies", bars, _measures_table(one)))
    return drawn


def _scores_table(scores: Scores) -> Markup:
    rows = [
        (b.name, str(b.answerable), str(b.unanswerable), f"{b.answerable / b.questions:.0%}")
        for b in score_bins(scores)
        if b.questions
    ]
    headings = ("score", "answerable", "unanswerable", "share answerable")
    return table("Questions by score", headings, rows)


def _measures_table(one: Evaluation) -> Markup:
    columns = tuple(one.strategies.values())
    measures = dict.fromkeys(name for column in columns for name in column.measures)
    rows = [(name, *(_with_interval(c.measures.get(name)) for c in columns)) for name in measures]
    headings = ("measure", *(_heading(s, p) for s, p in one.strategies.items()))
    return table("Measures with 95 % intervals", headings, rows)


def _endings_table(one: Evaluation) -> Markup:
    reasons = tuple(dict.fromkeys(r for ended in one.labels.values() for r in ended.handed_off))
    headings = ("label", "turns", "answered from gold", "wrong article", "asked", "courtesy", *reasons)
    rows = [
        (
            label,
            *map(str, (ended.turns, ended.answered, ended.wrong, ended.asked, ended.courtesy)),
            *(str(ended.handed_off_for(reason)) for reason in reasons),
        )
        for label, ended in one.labels.items()
    ]
    return table("How turns ended, by label; handoffs by reason", headings, rows)


def _label_table(one: Evaluation) -> list[Markup]:
    rows = [(label, _plain(value)) for label, value in one.auroc_by_label.items()]
    headings = ("label", "AUROC against the answerable")
    return [table("How well the score tells labels apart", headings, rows)] if rows else []


def _group_tables(one: Evaluation) -> list[Markup]:
    return [
        table(
            f"By {field}",
            (field, "turns", *OF_GROUPS),
            [
                (value, str(group.conversations), *(_plain(_blended(group).get(name)) for name in OF_GROUPS))
                for value, group in values.items()
            ],
        )
        for field, values in one.groups.items()
    ]


def _blended(group: Group) -> Mapping[str, float]:
    return group.strategies.get(Strategy.BLENDED, {})


def _heading(strategy: Strategy, performance: Performance) -> str:
    return f"{words(strategy)} ({performance.questions})"


def _with_interval(estimate: Estimate | None) -> str:
    if estimate is None:
        return _NONE
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _plain(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value

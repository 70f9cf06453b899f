"""`evaluate`: how well retrieval, the gate and whole turns do on labelled conversations, for each way to make the search."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.core.policy import TurnPolicy
from bot.errors import Refused
from bot.evaluation.gathering import gathered
from bot.evaluation.golden import read_golden
from bot.evaluation.measuring import MEASURES, Estimate, Evaluation, Gathered, evaluated, pooled
from bot.evaluation.report.page import page
from bot.evaluation.strategies import Strategy
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.settings import Settings
from bot.terminal.evaluation_tables import endings_table, heading, measures_table, sentences
from bot.terminal.labelled import LabelledSet, check_synced, described, opened_set
from bot.turn_wiring import answering, check_gate, language, turn_policy

ALL_SETS = "all sets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers of all sets together and of each; `embedder` is the fingerprint that the scores are of."""

    whole: Evaluation
    sets: tuple[Evaluation, ...]
    embedder: str


async def evaluate(
    settings: Settings, sets: Sequence[LabelledSet], strategies: Sequence[Strategy], console: Console
) -> Report:
    """Measure *sets* as they stand; nothing is kept but the vectors of their texts."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_knowledge(settings) as knowledge:
        check_synced(sets, await knowledge.index.status())
        with Progress(console=console, transient=True) as progress:
            raw = [await _gathered(one, knowledge, spoken, policy, strategies, progress) for one in sets]
        embedder = str(knowledge.embedder.fingerprint)
    whole = raw[0] if len(raw) == 1 else pooled(raw, ALL_SETS)
    return Report(whole=evaluated(whole), sets=tuple(map(evaluated, raw)), embedder=embedder)


async def _gathered(
    labelled: LabelledSet,
    knowledge: Knowledge,
    spoken: Language,
    policy: TurnPolicy,
    strategies: Sequence[Strategy],
    progress: Progress,
) -> Gathered:
    golden = read_golden(labelled.conversations)
    if not golden:
        raise Refused(f"{labelled.conversations} holds no conversation")
    async with opened_set(labelled, knowledge, spoken, progress) as parts:
        await check_gate(parts, policy)
        task = progress.add_task(described("Asking", labelled), total=len(golden))
        steps = answering(parts, spoken, policy)
        return await gathered(labelled.name, golden, steps, strategies, lambda: progress.advance(task))


def to_json(report: Report) -> Mapping[str, object]:
    """Return the report as `evaluate --json` prints it (DESIGN §8)."""
    several = len(report.sets) > 1
    sets = {"sets": {one.name: _to_json(one) for one in report.sets}} if several else {}
    return {**_to_json(report.whole), **sets}


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
    }


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
    made = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    several = len(report.sets) > 1
    content = page(
        (report.whole, *report.sets) if several else report.sets, made=made, embedder=report.embedder
    )
    try:
        file.write_text(content, encoding="utf-8")
    except OSError as exc:
        raise Refused(f"{file} cannot be written ({exc.strerror}); name another with --html") from exc


def show(report: Report, console: Console) -> None:
    """Print the measures, the gate and the endings for people; of several sets, each and then all together."""
    several = (*report.sets, report.whole) if len(report.sets) > 1 else report.sets
    for one in several:
        console.rule(heading(one), align="left")
        console.print(measures_table(one))
        console.print(sentences(one))
        console.print(endings_table(one))

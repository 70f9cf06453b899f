"""`calibrate`: measures the gate's threshold on labelled questions and writes it where the gate reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.core.knowledge import Calibration
from bot.core.policy import TurnPolicy
from bot.evaluation.calibration import Limits, auroc, calibrated
from bot.evaluation.golden import Topic, read_golden
from bot.evaluation.trials import Trial, pass_rates, scored, trials
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.settings import Settings
from bot.terminal.labelled import LabelledSet, check_synced, described, opened_set
from bot.terminal.texts import isolated
from bot.turn_wiring import answering, language, turn_policy

_TITLE = "Share of answerable, near-topic and off-topic questions that pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A set and what came of each of its conversations."""

    name: str
    tried: tuple[Trial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The calibration and what each set says of it."""

    calibration: Calibration
    sets: tuple[Measured, ...]


async def calibrate(
    settings: Settings, sets: Sequence[LabelledSet], limits: Limits, console: Console, *, keep: bool
) -> Report:
    """Measure a threshold on *sets* together, and store it unless it is only looked at."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_knowledge(settings) as knowledge:
        check_synced(sets, await knowledge.index.status())
        with Progress(console=console, transient=True) as progress:
            found = tuple([await _measured(one, knowledge, spoken, policy, progress) for one in sets])
        calibration = calibrated(
            [scored(one.tried) for one in found],
            fingerprint=str(knowledge.embedder.fingerprint),
            policy=policy.retrieval,
            limits=limits,
            data=", ".join(one.name for one in found),
            at_ms=SystemClock().now_ms(),
        )
        if keep:
            knowledge.writer.store_calibration(calibration)
    return Report(calibration=calibration, sets=found)


async def _measured(
    labelled: LabelledSet, knowledge: Knowledge, spoken: Language, policy: TurnPolicy, progress: Progress
) -> Measured:
    golden = read_golden(labelled.conversations)
    async with opened_set(labelled, knowledge, spoken, progress) as parts:
        task = progress.add_task(described("Asking", labelled), total=len(golden))
        tried = []
        async for trial in trials(answering(parts, spoken, policy), golden):
            tried.append(trial)
            progress.advance(task)
    return Measured(name=labelled.name, tried=tuple(tried))


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
    }


def show(report: Report, console: Console) -> None:
    """Print the threshold and, per set, how well the gate does."""
    calibration = report.calibration
    console.print(
        f"Threshold [bold]{calibration.strict:.4f}[/bold] (raw cosine) for an answerer that cannot abstain, "
        f"{calibration.permissive:.4f} for one that can, for a question whose words stand in what was found to "
        f"{calibration.typical_support:.0%}; {calibration.support_slope / 10:.3f} more for every tenth less. Best scores ran from "
        f"{calibration.lowest:.2f} to {calibration.highest:.2f}."
    )
    table = Table(title=_TITLE, title_justify="left", box=None, pad_edge=False)
    for heading in ("set", "questions", "AUROC", "answerable", "near", "off"):
        table.add_column(heading, justify="left" if heading == "set" else "right", overflow="fold")
    for one in report.sets:
        rates = pass_rates(one.tried, calibration)
        table.add_row(
            isolated(one.name),
            str(len(one.tried)),
            f"{auroc(scored(one.tried), calibration):.2f}",
            *(f"{rates[topic]:.0%}" for topic in (Topic.ANSWERABLE, Topic.NEAR, Topic.OFF)),
        )
    console.print(table)

"""`calibrate`: measures the gate's threshold on labelled questions and writes it where the gate reads it.

Shares of questions that pass are those of the new threshold; how turns ended is told of the threshold in force before.
"""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from bot.adapters.system_clock import SystemClock
from bot.core.gate import threshold_for
from bot.core.knowledge import Calibration, IndexState, IndexStatus
from bot.core.policy import TurnPolicy
from bot.errors import IndexNotReady
from bot.evaluation.calibration import Limits, auroc, calibrated
from bot.evaluation.golden import Topic, read_golden
from bot.evaluation.trials import Trial, hit_at_1, outcome_table, pass_rates, recall_at, scored, trials
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.settings import Settings
from bot.terminal.corpora import indexed_corpus
from bot.terminal.texts import isolated
from bot.turn_wiring import Language, Parts, answering, answers_with, language, turn_policy

_TITLE = "Share of answerable, near-topic and off-topic questions that pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Conversations and the knowledge base they are about; None stands for the one that is synced."""

    conversations: Path
    corpus: Path | None

    @property
    def name(self) -> str:
        """Return what reports call the set."""
        return "/".join(self.conversations.resolve().parts[-2:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A set and what came of each of its conversations."""

    name: str
    tried: tuple[Trial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The calibration and what each set says of it; `in_force` is the threshold before it, None when there was none."""

    calibration: Calibration
    in_force: float | None
    sets: tuple[Measured, ...]


async def calibrate(
    settings: Settings, sets: Sequence[LabelledSet], limits: Limits, console: Console, *, keep: bool
) -> Report:
    """Measure a threshold on *sets* together, and store it unless it is only looked at."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_knowledge(settings) as knowledge:
        status = await knowledge.index.status()
        if any(one.corpus is None for one in sets):
            _require_synced(status)
        with Progress(console=console, transient=True) as progress:
            found = tuple([await _measured(one, knowledge, spoken, policy, progress) for one in sets])
        calibration = calibrated(
            [s for one in found for s in scored(one.tried)],
            fingerprint=str(knowledge.embedder.fingerprint),
            policy=policy.retrieval,
            limits=limits,
            data=", ".join(one.name for one in found),
            at_ms=SystemClock().now_ms(),
        )
        if keep:
            knowledge.writer.store_calibration(calibration)
    in_force = threshold_for(status.calibration, policy, can_abstain=answers_with(spoken).can_abstain)
    return Report(calibration=calibration, in_force=in_force, sets=found)


def _require_synced(status: IndexStatus) -> None:
    if status.state is not IndexState.READY:
        raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")


async def _measured(
    labelled: LabelledSet, knowledge: Knowledge, spoken: Language, policy: TurnPolicy, progress: Progress
) -> Measured:
    golden = read_golden(labelled.conversations)
    async with AsyncExitStack() as stack:
        index = knowledge.index
        if labelled.corpus is not None:
            corpus = indexed_corpus(
                labelled.corpus,
                knowledge.embedder,
                knowledge.writer,
                progress,
                calibration=(await index.status()).calibration,
            )
            index = await stack.enter_async_context(corpus)
        parts = Parts(
            index=index, embedder=knowledge.embedder, answerer=answers_with(spoken), clock=SystemClock()
        )
        steps = answering(parts, spoken, policy)
        task = progress.add_task(escape(isolated(f"Asking {labelled.name}").plain), total=len(golden))
        tried = []
        async for trial in trials(steps, golden):
            tried.append(trial)
            progress.advance(task)
    return Measured(name=labelled.name, tried=tuple(tried))


def to_json(report: Report) -> Mapping[str, object]:
    """Return the report as `calibrate --json` prints it."""
    threshold = report.calibration.strict
    return {
        "calibration": asdict(report.calibration),
        "threshold_in_force": report.in_force,
        "sets": {
            one.name: {
                "hit@1": round(hit_at_1(one.tried), 4),
                "recall@3": round(recall_at(one.tried, 3), 4),
                "auroc": round(auroc(scored(one.tried)), 4),
                "passed": {
                    topic: round(share, 4) for topic, share in pass_rates(one.tried, threshold).items()
                },
                "outcomes_at_threshold_in_force": outcome_table(one.tried),
            }
            for one in report.sets
        },
    }


def show(report: Report, console: Console) -> None:
    """Print the threshold and, per set, how well retrieval and the gate do."""
    calibration = report.calibration
    console.print(
        f"Threshold [bold]{calibration.strict:.4f}[/bold] (raw cosine) for an answerer that cannot abstain, "
        f"{calibration.permissive:.4f} for one that can; best scores ran from {calibration.lowest:.2f} to "
        f"{calibration.highest:.2f}."
    )
    table = Table(title=_TITLE, title_justify="left", box=None, pad_edge=False)
    for heading in ("set", "questions", "hit@1", "recall@3", "AUROC", "answerable", "near", "off"):
        table.add_column(heading, justify="left" if heading == "set" else "right", overflow="fold")
    for one in report.sets:
        rates = pass_rates(one.tried, calibration.strict)
        table.add_row(
            isolated(one.name),
            str(len(one.tried)),
            f"{hit_at_1(one.tried):.2f}",
            f"{recall_at(one.tried, 3):.2f}",
            f"{auroc(scored(one.tried)):.2f}",
            *(f"{rates[topic]:.0%}" for topic in (Topic.ANSWERABLE, Topic.NEAR, Topic.OFF)),
        )
    console.print(table)

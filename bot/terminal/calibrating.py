"""`calibrate`: measures labelled questions, settles the gate's threshold and writes it where the gate reads it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress

from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.core.knowledge import Calibration
from bot.core.policy import RetrievalPolicy, TurnPolicy
from bot.evaluation.calibration import Limits, calibrated
from bot.evaluation.trade_off import Passing, trade_off
from bot.evaluation.trials import Trial, scored, trials
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.settings import Settings
from bot.terminal.labelled import LabelledSet, check_synced, described, opened_set, split_by_kb
from bot.turn_wiring import answering, language, turn_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A set and what came of each of its conversations."""

    name: str
    tried: tuple[Trial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was measured, before any threshold: the sets, and what their scores are of."""

    sets: tuple[Measured, ...]
    fingerprint: str
    policy: RetrievalPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The calibration, what each set says of it, and what other thresholds let through."""

    calibration: Calibration
    sets: tuple[Measured, ...]
    trade_off: tuple[Passing, ...]


async def measure(settings: Settings, sets: Sequence[LabelledSet], console: Console) -> Measurement:
    """Ask every question of *sets*."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_knowledge(settings) as knowledge:
        check_synced(sets, await knowledge.index.status())
        with Progress(console=console, transient=True) as progress:
            found = tuple(
                [await _measured(one, knowledge, spoken, policy, progress) for one in split_by_kb(sets)]
            )
        return Measurement(
            sets=found, fingerprint=str(knowledge.embedder.fingerprint), policy=policy.retrieval
        )


async def _measured(
    labelled: LabelledSet, knowledge: Knowledge, spoken: Language, policy: TurnPolicy, progress: Progress
) -> Measured:
    golden = labelled.read()
    async with opened_set(labelled, knowledge, spoken, progress) as parts:
        task = progress.add_task(described("Asking", labelled), total=len(golden))
        tried = []
        async for trial in trials(answering(parts, spoken, policy), golden):
            tried.append(trial)
            progress.advance(task)
    return Measured(name=labelled.name, tried=tuple(tried))


def settled(measurement: Measurement, limits: Limits) -> Report:
    """Return the threshold that keeps *limits*, with what it and others let through; Refused where there is none."""
    scores = [scored(one.tried) for one in measurement.sets]
    calibration = calibrated(
        scores,
        fingerprint=measurement.fingerprint,
        policy=measurement.policy,
        limits=limits,
        data=", ".join(one.name for one in measurement.sets),
        at_ms=SystemClock().now_ms(),
    )
    slope, typical = calibration.support_slope, calibration.typical_support
    others = trade_off(scores, slope, typical, calibration.strict)
    return Report(calibration=calibration, sets=measurement.sets, trade_off=others)


async def store(settings: Settings, calibration: Calibration) -> None:
    """Write the calibration where the gate reads it."""
    async with opened_knowledge(settings) as knowledge:
        knowledge.writer.store_calibration(calibration)

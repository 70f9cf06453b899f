"""`evaluate`: how well retrieval, the gate and whole turns do on labelled conversations, for each way to make the search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.console import Console
from rich.progress import Progress

from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.checks_wiring import check_gate
from bot.core.faithfulness import JudgeName
from bot.core.policy import TurnPolicy
from bot.errors import Refused
from bot.evaluation.gathering import gathered
from bot.evaluation.measuring import Gathered, evaluated, mean, pooled
from bot.evaluation.strategies import Strategy
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.settings import Settings
from bot.terminal.evaluation_report import Report
from bot.terminal.judging import Judging, judged_by, opened_judging
from bot.terminal.labelled import LabelledSet, check_fields, check_synced, described, opened_set, split_by_kb
from bot.turn_wiring import answering, language, turn_policy

ALL_SETS = "all sets"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What every set is measured with; `model` answers and judges where a judge was asked for."""

    knowledge: Knowledge
    spoken: Language
    policy: TurnPolicy
    strategies: Sequence[Strategy]
    progress: Progress
    model: Judging | None


async def evaluate(
    settings: Settings,
    sets: Sequence[LabelledSet],
    strategies: Sequence[Strategy],
    console: Console,
    *,
    judge: JudgeName | None = None,
    by: Sequence[str] = (),
) -> Report:
    """Measure *sets* as they stand, each knowledge base by itself; nothing is kept but the vectors of their texts.

    The fields *by* group the measures, beside the tags.
    """
    spoken, policy = language(), turn_policy(settings)
    async with (
        opened_judging(settings, spoken, SystemClock(), judge) as model,
        opened_knowledge(settings) as knowledge,
    ):
        check_synced(sets, await knowledge.index.status())
        apart = split_by_kb(sets)
        check_fields(by, apart)
        with Progress(console=console, transient=True) as progress:
            run = _Run(
                knowledge=knowledge,
                spoken=spoken,
                policy=policy,
                strategies=strategies,
                progress=progress,
                model=model,
            )
            raw = [await _gathered(one, run) for one in apart]
            whole = raw[0] if len(raw) == 1 else pooled(raw, ALL_SETS)
            faithfulness = await judged_by(model, whole.tried, progress)
        embedder = str(knowledge.embedder.fingerprint)
    each = tuple(evaluated(one, by=by) for one in raw)
    several = len(each) > 1
    return Report(
        whole=evaluated(whole, by=by) if several else each[0],
        sets=each,
        mean=mean(each) if several else None,
        embedder=embedder,
        faithfulness=faithfulness,
    )


async def _gathered(labelled: LabelledSet, run: _Run) -> Gathered:
    golden = labelled.read()
    if not golden:
        raise Refused(f"{labelled.conversations} holds no conversation")
    async with opened_set(labelled, run.knowledge, run.spoken, run.progress) as opened:
        parts = opened if run.model is None else replace(opened, answerer=run.model.answerer)
        await check_gate(parts, run.policy)
        task = run.progress.add_task(described("Asking", labelled), total=len(golden))
        steps = answering(parts, run.spoken, run.policy)
        advance = partial(run.progress.advance, task)
        return await gathered(labelled.name, golden, steps, run.strategies, advance)

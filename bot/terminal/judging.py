"""`evaluate --judge`: the model that answers and judges, and what its verdicts look like for programs and people."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from rich.progress import Progress
from rich.table import Table

from bot.adapters.prompt_files import Language
from bot.core.faithfulness import JudgeName
from bot.evaluation.judging import Faithfulness, Judge, answered, judged
from bot.evaluation.trials import Trial
from bot.model_ports import Answerer
from bot.model_wiring import opened_answerer, opened_judge
from bot.ports import Clock
from bot.settings import Settings
from bot.terminal.texts import isolated, titled
from bot.turn_wiring import PROMPTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who writes the answers, and who judges them."""

    answerer: Answerer
    judge: Judge


@asynccontextmanager
async def opened_judging(
    settings: Settings, spoken: Language, clock: Clock, name: JudgeName | None
) -> AsyncIterator[Judging | None]:
    """Open the judge, and the answerer that the settings choose: quotations need no judge. None unless asked for.

    Misconfigured without the judge's key.
    """
    if name is None:
        yield None
        return
    async with (
        opened_judge(settings, PROMPTS, clock) as judge,
        opened_answerer(settings, spoken, PROMPTS, clock) as answerer,
    ):
        yield Judging(answerer=answerer, judge=judge)


async def judged_by(model: Judging | None, tried: Sequence[Trial], progress: Progress) -> Faithfulness | None:
    """Judge every answer among *tried*; None without a judge."""
    if model is None:
        return None
    task = progress.add_task("Judging", total=len(answered(tried)))
    return await judged(tried, model.judge, partial(progress.advance, task))


def to_json(found: Faithfulness) -> Mapping[str, object]:
    """Return the numbers and every unfaithful answer."""
    share = found.share
    return {
        "judged": found.judged,
        "unjudged": found.unjudged,
        "faithful": None if share is None else round(share.value, 4),
        "ci": None if share is None else [round(share.low, 4), round(share.high, 4)],
        "unfaithful": [
            {
                "id": answer.id,
                "question": answer.question,
                "unsupported": [{"sentence": v.sentence, "why": v.why} for v in answer.unsupported],
            }
            for answer in found.unfaithful
        ],
    }


def sentence(found: Faithfulness) -> str:
    """Say how many answers are faithful, and how sure that is."""
    left = f" {found.unjudged} could not be judged." if found.unjudged else ""
    if found.share is None:
        return f"No answer was judged.{left}"
    share = found.share
    interval = f"{share.low:.0%} to {share.high:.0%}"
    return f"Faithful: {share.value:.0%} of {found.judged} judged answers (95 % interval {interval}).{left}"


def unfaithful_table(found: Faithfulness) -> Table:
    """Show each sentence without support under its question."""
    table = titled("Unfaithful answers")
    for heading in ("question", "unsupported sentence", "why"):
        table.add_column(heading, overflow="fold")
    for answer in found.unfaithful:
        for verdict in answer.unsupported:
            asked = isolated(f"{answer.id}: {answer.question}")
            table.add_row(asked, isolated(verdict.sentence), isolated(verdict.why))
    return table

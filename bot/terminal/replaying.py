"""`replay`: conversations through two configurations on the same articles, with nothing kept and without a model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.prompt_files import Language
from bot.adapters.system_clock import SystemClock
from bot.evaluation.configuration import read_configuration
from bot.evaluation.moment import OneMoment
from bot.evaluation.replay import RememberingEmbedder, index_for, replayed
from bot.evaluation.traffic import read_conversations
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from bot.terminal.comparing import Report
from bot.terminal.corpora import opened_articles
from bot.turn_wiring import Parts, answering, language


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What is replayed: the files that the command line names; no corpus means the synced articles."""

    conversations: Path
    old: Path
    new: Path
    corpus: Path | None = None


async def replay(settings: Settings, asked: Replay, console: Console) -> Report:
    """Settle every conversation's last question twice. What cannot be compared is refused before any question is asked."""
    old, new = read_configuration(asked.old), read_configuration(asked.new)
    conversations, spoken = read_conversations(asked.conversations), language()
    comparisons = []
    with Progress(console=console, transient=True) as progress:
        async with _opened_parts(settings, spoken, asked.corpus, progress) as parts:
            calibration = (await parts.index.status()).calibration
            before, after = (
                answering(replace(parts, index=index_for(one, parts.index, calibration)), spoken, one.policy)
                for one in (old, new)
            )
            task = progress.add_task("Replaying", total=len(conversations))
            async for comparison in replayed(conversations, before, after):
                comparisons.append(comparison)
                progress.advance(task)
    return Report(old=old, new=new, replies=spoken.replies, comparisons=tuple(comparisons))


@asynccontextmanager
async def _opened_parts(
    settings: Settings, spoken: Language, corpus: Path | None, progress: Progress
) -> AsyncIterator[Parts]:
    """Open the parts that both configurations share. The answerer is the extractive one, whatever the settings choose."""
    clock = SystemClock()
    async with opened_knowledge(settings) as knowledge, opened_articles(corpus, knowledge, progress) as index:
        yield Parts(
            index=index,
            embedder=RememberingEmbedder(knowledge.embedder),
            answerer=ExtractiveAnswerer(spoken.replies, spoken.rules),
            clock=OneMoment(clock=clock, at_ms=clock.now_ms()),
        )

"""Builds the turn's steps over whatever the settings chose; `serve`, `ask`, `inspect` and `calibrate` all use the same."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.adapters.prompt_files import Language, load_language
from bot.adapters.system_clock import SystemClock
from bot.content_ports import ArticleCatalogue
from bot.core.policy import TurnPolicy
from bot.knowledge_wiring import opened_knowledge
from bot.model_ports import Answerer, Embedder, Reranker
from bot.model_wiring import opened_answerer
from bot.planner_wiring import RecordsSide, opened_records_side, route_parts
from bot.ports import Clock, PassageIndex
from bot.service.answering import Answering, Tell, unheard
from bot.service.drafting import Drafting
from bot.service.gap_builds import Unpublished
from bot.service.retrieving import Retrieving
from bot.service.triage import Triaging
from bot.settings import Settings

PROMPTS = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a turn waits for, `reranker` only where the settings name one. Tests put their own around these.

    `catalogue` and `unpublished` are for those who keep the articles; None where somebody's own list of articles is searched.
    `records` are there where the settings name some and a model that can ask them.
    """

    index: PassageIndex
    embedder: Embedder
    answerer: Answerer
    clock: Clock
    reranker: Reranker | None = None
    catalogue: ArticleCatalogue | None = None
    unpublished: Unpublished | None = None
    records: RecordsSide | None = None


Wrap = Callable[[Parts], Parts]


def unwrapped(parts: Parts) -> Parts:
    """Leave the parts as they are."""
    return parts


@cache
def language() -> Language:
    """Load the prompt files, once in a process; Misconfigured names the file, the key and the remedy."""
    return load_language(PROMPTS)


@asynccontextmanager
async def opened_parts(
    settings: Settings, spoken: Language, *, wrap: Wrap = unwrapped
) -> AsyncIterator[Parts]:
    """Open the knowledge side and the answerer; Misconfigured."""
    clock = SystemClock()
    async with (
        opened_knowledge(settings) as knowledge,
        opened_answerer(settings, spoken, PROMPTS, clock) as answerer,
        opened_records_side(settings, PROMPTS, clock) as records,
    ):
        parts = Parts(
            index=knowledge.index,
            embedder=knowledge.embedder,
            answerer=answerer,
            clock=clock,
            reranker=knowledge.reranker,
            catalogue=knowledge.catalogue,
            unpublished=Unpublished(writer=knowledge.writer),
            records=records,
        )
        yield wrap(parts)


def turn_policy(settings: Settings) -> TurnPolicy:
    """Return what the settings say about a turn."""
    return TurnPolicy(
        gate_threshold=settings.gate_threshold,
        bot_enabled=settings.bot_enabled,
        retrieval_enabled=settings.retrieval_enabled,
        offer_before_handoff=settings.no_evidence_policy == "offer",
        kb_locale=settings.kb_locale,
    )


def answering(parts: Parts, spoken: Language, policy: TurnPolicy, *, tell: Tell = unheard) -> Answering:
    """Return the turn's steps over *parts*; they keep nothing."""
    return Answering(
        retrieving=Retrieving(
            index=parts.index,
            embedder=parts.embedder,
            rules=spoken.rules,
            policy=policy,
            clock=parts.clock,
            reranker=parts.reranker,
        ),
        drafting=Drafting(answerer=parts.answerer, policy=policy, house=spoken.house),
        triaging=Triaging(index=parts.index, policy=policy.retrieval, unpublished=parts.unpublished),
        rules=spoken.rules,
        policy=policy,
        clock=parts.clock,
        tell=tell,
        records=route_parts(parts.records, spoken),
    )

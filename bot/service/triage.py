"""Asks, after a truthful "nothing found", whether an article exists that customers cannot see; for the content team."""

import asyncio
from dataclasses import dataclass, replace

import structlog

from bot.core.gate import gate_cosine, triage
from bot.core.knowledge import ArticleStatus, SearchQuery
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import GatePolicy, RetrievalPolicy
from bot.ports import PassageIndex
from bot.service.trace import Trace

log = structlog.get_logger()

DEADLINE_S = 2.0  # the customer waits meanwhile, and the reason is known already


@dataclass(frozen=True, slots=True, kw_only=True)
class Triaging:
    """Three more searches, outside the customer's reach; none of them can change the reason."""

    index: PassageIndex
    policy: RetrievalPolicy

    async def triage(self, handoff: Handoff, trace: Trace) -> Triage | None:
        """Return why nothing was found; None for other reasons, or when these searches fail."""
        if handoff.reason is not ReasonCode.NO_EVIDENCE or trace.best_cosine is None or trace.search is None:
            return None
        everywhere = replace(trace.search, locales=(), limit=1, words=())
        try:
            async with asyncio.timeout(DEADLINE_S):
                return triage(
                    trace.best_cosine,
                    GatePolicy(threshold=trace.threshold),
                    draft=await self._best(replace(everywhere, statuses=frozenset({ArticleStatus.DRAFT}))),
                    superseded=await self._best(
                        replace(everywhere, statuses=frozenset({ArticleStatus.SUPERSEDED}))
                    ),
                    other_language=await self._best(everywhere),
                )
        except Exception:  # even a defect here must not cost the customer the answer that is known already
            log.warning("triage_failed", exc_info=True)
            return None

    async def _best(self, search: SearchQuery) -> float | None:
        found = await self.index.search(search)
        return (
            None
            if not found.passages
            else gate_cosine([c[0] for c in found.beside], found.passages[0].cosine, self.policy)
        )

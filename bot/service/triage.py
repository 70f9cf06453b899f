"""Asks, after a truthful "nothing found", whether an article exists that customers cannot see; for the content team."""

import asyncio
from dataclasses import dataclass, replace

import structlog

from bot.core.gate import gate_cosine, is_enough, triage
from bot.core.knowledge import ArticleStatus, SearchQuery
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.policy import GatePolicy, RetrievalPolicy
from bot.ports import PassageIndex
from bot.service.gap_builds import Unpublished
from bot.service.trace import Trace

log = structlog.get_logger()

DEADLINE_S = 2.0  # the customer waits meanwhile, and the reason is known already


@dataclass(frozen=True, slots=True, kw_only=True)
class Triaging:
    """A few more searches, outside the customer's reach; none of them can change the reason.

    Without `unpublished` nothing is known of what a sync has written and not published.
    """

    index: PassageIndex
    policy: RetrievalPolicy
    unpublished: Unpublished | None = None

    async def triage(self, handoff: Handoff, trace: Trace) -> Triage | None:
        """Return why nothing was found; None for other reasons, or when these searches fail."""
        if handoff.reason is not ReasonCode.NO_EVIDENCE or trace.best_cosine is None or trace.search is None:
            return None
        try:
            async with asyncio.timeout(DEADLINE_S):
                found = await self._searched(trace.best_cosine, trace.search, trace.threshold)
                # What is carried over into a build in another language is no more to be found there.
                if found is not Triage.OTHER_LANGUAGE and await self._is_written(trace.search, trace):
                    return Triage.NOT_YET_INDEXED
                return found
        except Exception:  # even a defect here must not cost the customer the answer that is known already
            log.warning("triage_failed", exc_info=True)
            return None

    async def _searched(self, best: float, search: SearchQuery, threshold: float | None) -> Triage:
        everywhere = replace(search, locales=(), limit=1, words=())
        return triage(
            best,
            GatePolicy(threshold=threshold),
            draft=await self._best(replace(everywhere, statuses=frozenset({ArticleStatus.DRAFT}))),
            superseded=await self._best(replace(everywhere, statuses=frozenset({ArticleStatus.SUPERSEDED}))),
            other_language=await self._best(everywhere),
        )

    async def _is_written(self, search: SearchQuery, trace: Trace) -> bool:
        """Whether an article in a build that is not published would pass."""
        if self.unpublished is None or trace.threshold is None or trace.index is None:
            return False
        near = await self.unpublished.nearest(
            (*search.beside, search.vector), fingerprint=str(trace.index.fingerprint)
        )
        *beside, blended = [None if one is None else one[1] for one in near]
        known = [cosine for cosine in beside if cosine is not None]
        if blended is None or len(known) < len(beside):
            return False
        return is_enough(gate_cosine(known, blended, self.policy), trace.threshold)

    async def _best(self, search: SearchQuery) -> float | None:
        found = await self.index.search(search)
        return (
            None
            if not found.passages
            else gate_cosine([c[0] for c in found.beside], found.passages[0].cosine, self.policy)
        )

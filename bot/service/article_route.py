"""A question answered from articles: search, the evidence gate, a draft, and once more when a sync changes them meanwhile (FAULTS K13)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import structlog

from bot.core.gate import evidence_gate
from bot.core.offering import offered_first
from bot.core.outcome import Answer, Ask, Handoff, Outcome
from bot.core.policy import GatePolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.core.routing import Question
from bot.core.turn import Stage, TurnStart
from bot.errors import ArticlesChanged, IndexNotReady
from bot.service.drafting import Drafting, Show
from bot.service.live import Step
from bot.service.rechecking import Recheck
from bot.service.retrieving import Retrieving
from bot.service.trace import Trace

log = structlog.get_logger()

ATTEMPTS = 2  # a sync that changes what a draft rests on is searched again; a second one in one turn is not


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRoute:
    """The steps from a question to an outcome, for one turn; `tell` hears of each."""

    retrieving: Retrieving
    drafting: Drafting
    policy: TurnPolicy
    tell: Callable[[Step], None]

    async def answer(self, start: TurnStart, question: Question, trace: Trace, *, show: Show) -> Outcome:
        """Return an outcome that rests on articles as they stand; StageBroken."""
        for _ in range(ATTEMPTS):
            try:
                return await self._attempt(start, question, trace, show=show)
            except ArticlesChanged as changed:
                log.warning("articles_changed_meanwhile", shown=changed.shown)
                if changed.shown:
                    break
                trace.count_on()
        return await self._exchanged(trace)

    async def _attempt(self, start: TurnStart, question: Question, trace: Trace, *, show: Show) -> Outcome:
        """Search, and answer from what is found; ArticlesChanged when a sync has changed that before it was shown."""
        self.tell(Step.SEARCHING)
        can_abstain = self.drafting.answerer.can_abstain
        await self.retrieving.retrieve(start, question, trace, can_abstain=can_abstain)
        evidence = await self._gate(trace, can_abstain=can_abstain)
        if isinstance(evidence, Handoff):
            return offered_first(evidence, self.policy, offered=start.offered)
        self.tell(Step.WRITING)
        recheck = Recheck(
            index=self.retrieving.index,
            evidence=evidence,
            trace=trace,
            within_s=self.policy.deadlines.search_s,
            show=show,
        )
        outcome = await self.drafting.draft(start, question, evidence, trace, show=recheck.show_if_current)
        if isinstance(outcome, Answer | Ask):
            await recheck.require_unseen_current()
        return outcome

    async def _gate(self, trace: Trace, *, can_abstain: bool) -> Evidence | Handoff:
        async with trace.stage(Stage.EVIDENCE_GATE) as note:
            policy = GatePolicy(threshold=trace.threshold)
            gated = evidence_gate(trace.ranked, policy, score=trace.best_cosine, can_abstain=can_abstain)
            if isinstance(gated, Handoff):
                note.stop(gated.reason)
        return gated

    async def _exchanged(self, trace: Trace) -> NoReturn:
        """Two syncs in one turn, or one in the middle of an answer that is being shown: the rest of it cannot be believed."""
        async with trace.stage(Stage.INDEX):
            raise IndexNotReady("the articles were changed while the answer was written")

"""One customer turn, top to bottom, as a decision: it reads, waits and decides, and writes nothing but shown blocks.

Whatever fails, the turn ends in an outcome whose reason is what happened.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn

import structlog

from bot.core.conversation import ConversationId, TurnId
from bot.core.gate import evidence_gate
from bot.core.offering import offered_first
from bot.core.outcome import Answer, Ask, Handoff, Outcome, ReasonCode
from bot.core.policy import GatePolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.core.routing import Permits, Question, Routed, route
from bot.core.rules import Rules
from bot.core.truth import COMPUTED
from bot.core.turn import Stage, Turn, TurnStart
from bot.errors import ArticlesChanged, IndexNotReady, RecordsUnavailable
from bot.ports import Clock
from bot.service.drafting import Drafting, Show
from bot.service.live import Step
from bot.service.rechecking import Recheck
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace
from bot.service.triage import Triaging

log = structlog.get_logger()

ATTEMPTS = (
    2  # a sync that changes what a draft rests on is searched again; a second one in the same turn is not
)

Tell = Callable[[ConversationId, Step], None]


def unheard(_conversation: ConversationId, _step: Step) -> None:
    """Tell nobody what step a turn has reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """The steps of a turn (DESIGN §5), each one a line of `_steps`."""

    retrieving: Retrieving
    drafting: Drafting
    triaging: Triaging
    rules: Rules
    policy: TurnPolicy
    clock: Clock
    tell: Tell

    @property
    def can_abstain(self) -> bool:
        """Return whether the answerer may declare that its evidence is not enough."""
        return self.drafting.answerer.can_abstain

    async def settle(self, start: TurnStart, turn: TurnId, *, capped: str | None, show: Show) -> Turn:
        """Run the steps within the turn's budget and return the finished record.

        Raises only what *show* raises of its own: StoreUnavailable, or ConversationChanged when the turn is not wanted any more.
        """
        ends_at_s = self.clock.monotonic_s() + self.policy.deadlines.turn_s
        trace = Trace(clock=self.clock, started_ms=self.clock.now_ms(), turn=turn, ends_at_s=ends_at_s)
        try:
            async with asyncio.timeout(self.policy.deadlines.turn_s):
                outcome = await self._steps(start, trace, capped=capped, show=show)
        except StageBroken as broken:
            outcome = broken.handoff
        except TimeoutError:
            trace.out_of_time()
            outcome = Handoff(reason=ReasonCode.OUT_OF_TIME)
        if isinstance(outcome, Handoff):
            # After the budget, with a limit of its own: what was found out in time must not be lost to it.
            outcome = replace(outcome, triage=await self.triaging.triage(outcome, trace))
        return trace.settled(start, outcome)

    async def _steps(self, start: TurnStart, trace: Trace, *, capped: str | None, show: Show) -> Outcome:
        routed = await self._route(start, trace, capped=capped)
        if not isinstance(routed, Question):
            return routed
        if routed.computed:
            await self._compute(trace)
        for _ in range(ATTEMPTS):
            try:
                return await self._answer(start, routed, trace, show=show)
            except ArticlesChanged as changed:
                log.warning("articles_changed_meanwhile", shown=changed.shown)
                if changed.shown:
                    break
                trace.throw_away()
        return await self._exchanged(trace)

    async def _answer(self, start: TurnStart, question: Question, trace: Trace, *, show: Show) -> Outcome:
        """Search, and answer from what is found; ArticlesChanged when a sync has changed that before it was shown."""
        self.tell(start.conversation.id, Step.SEARCHING)
        await self.retrieving.retrieve(start, question, trace, can_abstain=self.can_abstain)
        evidence = await self._gate(trace)
        if isinstance(evidence, Handoff):
            return offered_first(evidence, self.policy, offered=start.offered)
        self.tell(start.conversation.id, Step.WRITING)
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

    async def _exchanged(self, trace: Trace) -> NoReturn:
        """Two syncs in one turn, or one in the middle of an answer that is being shown: the rest of it cannot be believed."""
        async with trace.stage(Stage.INDEX):
            raise IndexNotReady("the articles were changed while the answer was written")

    async def _route(self, start: TurnStart, trace: Trace, *, capped: str | None) -> Routed:
        permits = Permits(
            bot_enabled=self.policy.bot_enabled,
            retrieval_enabled=self.policy.retrieval_enabled,
            capped=capped,
        )
        async with trace.stage(Stage.ROUTE) as note:
            routed = route(
                start.unanswered, self.rules, permits, prompted=start.prompted, doubted=start.doubted
            )
            if isinstance(routed, Handoff):
                note.stop(routed.reason)
            elif isinstance(routed, Question) and routed.computed:
                note.finding = COMPUTED
        return routed

    async def _compute(self, trace: Trace) -> None:
        async with trace.stage(Stage.RECORDS):
            raise RecordsUnavailable("this installation has no records route")

    async def _gate(self, trace: Trace) -> Evidence | Handoff:
        async with trace.stage(Stage.EVIDENCE_GATE) as note:
            policy = GatePolicy(threshold=trace.threshold)
            gated = evidence_gate(trace.ranked, policy, score=trace.best_cosine, can_abstain=self.can_abstain)
            if isinstance(gated, Handoff):
                note.stop(gated.reason)
        return gated

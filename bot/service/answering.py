"""One customer turn, top to bottom, as a decision: it reads, waits and decides, and writes nothing but shown blocks.

Whatever fails, the turn ends in an outcome whose reason is what happened.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.core.conversation import ConversationId, TurnId
from bot.core.gate import best_cosine, evidence_gate, threshold_for
from bot.core.knowledge import IndexState, SearchQuery
from bot.core.outcome import Handoff, Outcome, ReasonCode
from bot.core.policy import GatePolicy, TurnPolicy
from bot.core.prompt import Evidence
from bot.core.ranking import rank
from bot.core.retrieval_query import WindowRules, blended, retrieval_query
from bot.core.routing import Permits, Question, Routed, route
from bot.core.rules import Rules, carries_text, is_refusal_echo
from bot.core.truth import COMPUTED
from bot.core.turn import IndexSeen, RetrievalQuery, Stage, Turn, TurnStart
from bot.errors import IndexNotReady, RecordsUnavailable
from bot.ports import Clock, Embedder, PassageIndex
from bot.service.drafting import Drafting, Show
from bot.service.live import Step
from bot.service.trace import StageBroken, Trace
from bot.service.triage import Triaging

Tell = Callable[[ConversationId, Step], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """The steps of a turn (DESIGN §5), each one a line of `_steps`."""

    index: PassageIndex
    embedder: Embedder
    drafting: Drafting
    triaging: Triaging
    rules: Rules
    policy: TurnPolicy
    clock: Clock
    tell: Tell

    async def settle(self, start: TurnStart, turn: TurnId, *, capped: str | None, show: Show) -> Turn:
        """Run the steps within the turn's budget and return the finished record.

        Raises only what *show* raises of its own: StoreUnavailable, or ConversationChanged when the turn is not wanted any more.
        """
        trace = Trace(clock=self.clock, started_ms=self.clock.now_ms())
        try:
            async with asyncio.timeout(self.policy.deadlines.turn_s):
                outcome = await self._steps(start, trace, capped=capped, show=show)
        except StageBroken as broken:
            outcome = broken.handoff
        except TimeoutError:
            trace.out_of_time()
            outcome = Handoff(reason=ReasonCode.OUT_OF_TIME)
        return trace.settled(start, turn, outcome)

    async def _steps(self, start: TurnStart, trace: Trace, *, capped: str | None, show: Show) -> Outcome:
        routed = await self._route(start, trace, capped=capped)
        if not isinstance(routed, Question):
            return routed
        if routed.computed:
            await self._compute(trace)
        query = await self._query(start, routed, trace)
        self.tell(start.conversation.id, Step.SEARCHING)
        search = await self._retrieve(query, start, trace)
        gate = GatePolicy(threshold=trace.threshold)
        evidence = await self._gate(gate, trace)
        if isinstance(evidence, Handoff):
            return replace(evidence, triage=await self.triaging.triage(evidence, search, gate, trace))
        self.tell(start.conversation.id, Step.WRITING)
        return await self.drafting.draft(start, routed, evidence, trace, show=show)

    async def _route(self, start: TurnStart, trace: Trace, *, capped: str | None) -> Routed:
        permits = Permits(bot_enabled=self.policy.bot_enabled, capped=capped)
        async with trace.stage(Stage.ROUTE) as note:
            routed = route(start.unanswered, self.rules, permits, prompted=start.prompted)
            if isinstance(routed, Handoff):
                note.stop(routed.reason)
            elif isinstance(routed, Question) and routed.computed:
                note.finding = COMPUTED
        return routed

    async def _compute(self, trace: Trace) -> None:
        async with trace.stage(Stage.RECORDS):
            raise RecordsUnavailable("this installation has no records route")

    async def _query(self, start: TurnStart, question: Question, trace: Trace) -> RetrievalQuery:
        async with trace.stage(Stage.QUERY):
            earlier = [m for m in start.history if m.seq < question.current.seq]
            trace.query = retrieval_query(earlier, question.current, question.bare, self._window_rules())
        return trace.query

    def _window_rules(self) -> WindowRules:
        return WindowRules(
            is_refusal_echo=lambda text: is_refusal_echo(text, self.rules),
            carries_text=carries_text,
            count_tokens=self.embedder.count_tokens,
            token_limit=self.embedder.token_limit,
            messages=self.policy.retrieval.window_messages,
        )

    async def _retrieve(self, query: RetrievalQuery, start: TurnStart, trace: Trace) -> SearchQuery:
        await self._look_at_index(trace)
        weight = self.policy.retrieval.window_weight
        async with trace.stage(Stage.EMBED, within_s=self.policy.deadlines.embed_s):
            window, bare = await self.embedder.embed_queries((query.text, query.bare))
            search = SearchQuery(
                vector=blended(window, bare, window_weight=weight),
                locales=(start.conversation.locale, self.policy.kb_locale),
                limit=self.policy.retrieval.limit,
            )
        async with trace.stage(Stage.SEARCH, within_s=self.policy.deadlines.search_s):
            found = await self.index.search(search)
        async with trace.stage(Stage.RANK):
            trace.ranked = rank(found.passages, now_ms=self.clock.now_ms(), policy=self.policy.ranking)
            trace.best_cosine = best_cosine(trace.ranked) if trace.ranked else None
        return search

    async def _look_at_index(self, trace: Trace) -> None:
        """An index that cannot be believed ends the turn here; its emptiness says nothing about the articles."""
        async with trace.stage(Stage.INDEX, within_s=self.policy.deadlines.search_s):
            status = await self.index.status()
            calibration = await self.index.calibration() if status.state is IndexState.READY else None
            trace.threshold = threshold_for(
                calibration,
                window_weight=self.policy.retrieval.window_weight,
                can_abstain=self.drafting.answerer.can_abstain,
            )
            trace.index = IndexSeen(
                state=status.state,
                fingerprint=status.fingerprint,
                generation=status.generation,
                calibrated=trace.threshold is not None,
            )
            if status.state is not IndexState.READY:
                raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")

    async def _gate(self, policy: GatePolicy, trace: Trace) -> Evidence | Handoff:
        async with trace.stage(Stage.EVIDENCE_GATE) as note:
            gated = evidence_gate(trace.ranked, policy, can_abstain=self.drafting.answerer.can_abstain)
            if isinstance(gated, Handoff):
                note.stop(gated.reason)
        return gated

"""One customer turn, top to bottom, as a decision: it reads, waits and decides, and writes nothing but shown blocks.

Whatever fails, the turn ends in an outcome whose reason is what happened.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from bot.core.conversation import ConversationId, TurnId
from bot.core.outcome import Handoff, Outcome, ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.routing import Permits, Question, Routed, route
from bot.core.rules import Rules
from bot.core.truth import COMPUTED
from bot.core.turn import Stage, Turn, TurnStart
from bot.errors import RecordsUnavailable
from bot.ports import Clock
from bot.service.article_route import ArticleRoute
from bot.service.drafting import Drafting, Show
from bot.service.live import Step
from bot.service.records_route import Asked, RecordsParts, records_route
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace
from bot.service.triage import Triaging

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
    records: RecordsParts | None = None

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
        articles = ArticleRoute(
            retrieving=self.retrieving,
            drafting=self.drafting,
            policy=self.policy,
            tell=partial(self.tell, start.conversation.id),
        )
        if routed.computed:
            return await self._compute(start, routed, trace, articles, show=show)
        return await articles.answer(start, routed, trace, show=show)

    async def _route(self, start: TurnStart, trace: Trace, *, capped: str | None) -> Routed:
        permits = Permits(
            bot_enabled=self.policy.bot_enabled,
            retrieval_enabled=self.policy.retrieval_enabled,
            capped=capped,
        )
        async with trace.stage(Stage.ROUTE) as note:
            routed = route(
                start.asked,
                self.rules,
                permits,
                prompted=start.prompted,
                doubted=start.doubted,
                follows_records=self.records is not None and start.follows_records,
            )
            if isinstance(routed, Handoff):
                note.stop(routed.reason)
            elif isinstance(routed, Question) and routed.computed:
                note.finding = COMPUTED
        return routed

    async def _compute(
        self, start: TurnStart, question: Question, trace: Trace, articles: ArticleRoute, *, show: Show
    ) -> Outcome:
        if self.records is None:
            async with trace.stage(Stage.RECORDS):
                raise RecordsUnavailable("this installation has no records route")
        self.tell(start.conversation.id, Step.WRITING)  # no articles are searched yet
        asked = Asked(start=start, question=question, trace=trace, articles=articles)
        route = records_route(
            self.records, asked, self.policy.deadlines, rules=self.rules, metering=self.drafting.metering
        )
        return await route.answer(show)

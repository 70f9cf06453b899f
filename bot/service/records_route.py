"""A question about the customer's own records, answered from them, from articles, or from both (DESIGN §2.3).

Whatever fails before rows are there ends in `records_unavailable`; that nothing exists is said only after a query that worked.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from bot.core.conversation import ConversationId
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode
from bot.core.policy import Deadlines
from bot.core.records import Plan, RecordsSchema, Route
from bot.core.replies import Replies
from bot.core.routing import Question
from bot.core.rules import Rules
from bot.core.turn import Stage, TurnStart
from bot.model_ports import Planner
from bot.service.article_route import ArticleRoute
from bot.service.drafting import PARAGRAPH, Show, answer_history
from bot.service.metering import Metering
from bot.service.records_calls import PlannerCalls
from bot.service.records_lookup import OwnRecords, RecordsLookup
from bot.service.records_words import RecordsWords
from bot.service.trace import StageBroken, Trace

HISTORY = 8  # messages before the question that a plan may use


class RecordsByCustomer(Protocol):
    """Whose records may be opened in which conversation."""

    @property
    def schema(self) -> RecordsSchema:
        """Return what may be asked of."""
        ...

    async def of(self, conversation: ConversationId) -> OwnRecords | None:
        """Return the records of the customer for whom the site vouches; None where it vouches for nobody."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsParts:
    """What the route waits for."""

    records: RecordsByCustomer
    planner: Planner
    replies: Replies


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one turn is about; `articles` answers what turns out to be for them, or their half of it."""

    start: TurnStart
    question: Question
    trace: Trace
    articles: ArticleRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsRoute:
    """The steps of one turn, from a question to an outcome."""

    parts: RecordsParts
    lookup: RecordsLookup
    words: RecordsWords
    asked: Asked

    async def answer(self, show: Show) -> Outcome:
        """Return what the records say, with what articles say beside it where both are asked for; StageBroken."""
        async with self.asked.trace.stage(Stage.RECORDS):
            records = await self.parts.records.of(self.asked.start.conversation.id)
        if records is None:
            return Courtesy(kind=CourtesyKind.SIGN_IN)
        plan = await self.lookup.plan()
        if isinstance(plan, Handoff):
            return plan
        if plan.route is Route.ARTICLES:
            return await self._from_articles(show)
        return await self._from_records(plan, records, show)

    async def _from_records(self, plan: Plan, records: OwnRecords, show: Show) -> Outcome:
        try:
            found = await self.lookup.rows(plan, records)
        except StageBroken as broken:
            is_half = self.lookup.beside_articles
            if not is_half or broken.handoff.reason is not ReasonCode.RECORDS_UNAVAILABLE:
                raise
            found = broken.handoff
        if found is None:
            return await self._from_articles(show)
        if isinstance(found, Handoff):
            return await self._unchecked(found, show) if self.lookup.beside_articles else found
        text = await self.words.of(found, self.asked.question.bare)
        return await self._with_articles(text, show)

    async def _with_articles(self, text: str, show: Show) -> Outcome:
        """Answer, with the articles' half below where there is one: what the records say is shown first, and stands whatever becomes of that."""
        if not self.lookup.beside_articles:
            return Answer(text=text, sources=())
        await show((text,))
        outcome = await self._from_articles(show, beside=True)
        if isinstance(outcome, Answer | Ask):
            return replace(outcome, text=PARAGRAPH.join((text, outcome.text)))
        return outcome

    async def _unchecked(self, failed: Handoff, show: Show) -> Outcome:
        """Say beside the articles' half that the records could not be looked up; without that half it is all there is to say."""
        try:
            outcome = await self._from_articles(show, beside=True)
        except StageBroken as broken:
            if broken.handoff.reason is ReasonCode.TURN_LOST:
                raise
            return failed
        if not isinstance(outcome, Answer | Ask):
            return failed
        unchecked = self.parts.replies.text("records_unchecked", self.asked.start.conversation.locale)
        return replace(outcome, text=PARAGRAPH.join((outcome.text, unchecked)), unchecked=True)

    async def _from_articles(self, show: Show, *, beside: bool = False) -> Outcome:
        """Answer from articles. Beside records nobody is offered to rephrase: their half of the answer stands."""
        asked, articles = self.asked, self.asked.articles
        if beside:
            articles = replace(articles, policy=replace(articles.policy, offer_before_handoff=False))
        return await articles.answer(asked.start, asked.question, asked.trace, show=show)


def records_route(
    parts: RecordsParts, asked: Asked, deadlines: Deadlines, *, rules: Rules, metering: Metering | None
) -> RecordsRoute:
    """Return the steps for one turn."""
    state, question, trace = asked.start.conversation, asked.question, asked.trace
    calls = PlannerCalls(planner=parts.planner, metering=metering, conversation=state.id, trace=trace)
    return RecordsRoute(
        parts=parts,
        lookup=RecordsLookup(
            calls=calls,
            schema=parts.records.schema,
            trace=trace,
            deadlines=deadlines,
            question=question.bare,
            history=answer_history(asked.start.history, question.current.seq, limit=HISTORY),
            locale=state.locale,
        ),
        words=RecordsWords(
            calls=calls,
            trace=trace,
            replies=parts.replies,
            rules=rules,
            locale=state.locale,
            word_s=deadlines.word_s,
        ),
        asked=asked,
    )

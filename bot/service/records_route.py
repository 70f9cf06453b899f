"""A question about the customer's own records: a plan, one SELECT, one repair of it, and words that the rows bear out (DESIGN §2.3).

Whatever fails before rows are there ends in `records_unavailable`; that nothing exists is said only after a query that worked.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from bot.core.conversation import ConversationId
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode
from bot.core.policy import Deadlines
from bot.core.records import Plan, RecordsSchema, RecordsSeen, Route, Rows, Statement, failed_statement
from bot.core.records_answer import found_nothing
from bot.core.replies import Replies
from bot.core.routing import Question
from bot.core.rules import Rules
from bot.core.truth import (
    CAPPED,
    FOUND,
    FOUND_NOTHING,
    REJECTED,
    TO_ARTICLES,
    TO_BOTH,
    TO_RECORDS,
)
from bot.core.turn import Stage, TurnStart
from bot.errors import ModelUnavailable, StatementRejected
from bot.model_ports import Planner, PlanRequest
from bot.service.article_route import ArticleRoute
from bot.service.drafting import PARAGRAPH, Show, answer_history
from bot.service.metering import Metering
from bot.service.records_calls import CapReached, PlannerCalls
from bot.service.records_words import RecordsWords
from bot.service.trace import StageBroken, Trace

UNANSWERED = "no answer in time"
HISTORY = 8  # messages before the question that a plan may use
_FINDINGS = {Route.ARTICLES: TO_ARTICLES, Route.RECORDS: TO_RECORDS, Route.BOTH: TO_BOTH}


class OwnRecords(Protocol):
    """The rows of one customer, and of nobody else."""

    async def query(self, sql: str) -> Rows:
        """Return what one SELECT finds; StatementRejected, RecordsUnavailable."""
        ...


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
    words: RecordsWords
    calls: PlannerCalls
    asked: Asked
    deadlines: Deadlines

    async def answer(self, show: Show) -> Outcome:
        """Return what the records say, with what articles say beside it where both are asked for; StageBroken."""
        async with self.asked.trace.stage(Stage.RECORDS):
            records = await self.parts.records.of(self.asked.start.conversation.id)
        if records is None:
            return Courtesy(kind=CourtesyKind.SIGN_IN)
        self.asked.trace.records = RecordsSeen(
            model=self.parts.planner.name, prompt_digest=self.parts.planner.prompt_digest
        )
        plan = await self._plan()
        if isinstance(plan, Handoff):
            return plan
        if plan.route is Route.ARTICLES:
            return await self._from_articles(show)
        return await self._from_records(plan, records, show)

    async def _from_records(self, plan: Plan, records: OwnRecords, show: Show) -> Outcome:
        try:
            found = await self._look_up(plan, records)
        except StageBroken as broken:
            if not self._beside_articles or broken.handoff.reason is not ReasonCode.RECORDS_UNAVAILABLE:
                raise
            found = broken.handoff
        if found is None:
            return await self._from_articles(show)
        if isinstance(found, Handoff):
            return await self._unchecked(found, show) if self._beside_articles else found
        text = await self.words.of(found, self.asked.question.bare, self.asked.trace, self.calls)
        return (
            await self._with_articles(text, show) if self._beside_articles else Answer(text=text, sources=())
        )

    async def _look_up(self, plan: Plan, records: OwnRecords) -> Rows | Handoff | None:
        """Return the rows; None when the repaired plan is to answer from articles."""
        rows = await self._query(plan, records)
        if rows is not None:
            return rows
        repaired = await self._plan(failed=failed_statement(self._seen.statements))
        if isinstance(repaired, Handoff):
            return repaired
        if repaired.route is Route.ARTICLES:
            return None
        rows = await self._query(repaired, records, last=True)
        return rows or Handoff(
            reason=ReasonCode.RECORDS_UNAVAILABLE, detail="the database rejected the repaired statement too"
        )

    async def _plan(self, *, failed: Statement | None = None) -> Plan | Handoff:
        async with self.asked.trace.stage(Stage.RECORDS, within_s=self.deadlines.plan_s) as note:
            try:
                plan = await self.calls.plan(self._request(failed))
            except CapReached as cap:
                note.stop(CAPPED)
                return Handoff(reason=ReasonCode.RECORDS_UNAVAILABLE, detail=str(cap))
            plan = self._settled(plan)
            note.finding = _FINDINGS[plan.route]
        self.asked.trace.records = replace(self._seen, route=plan.route)
        return plan

    def _settled(self, plan: Plan) -> Plan:
        """A statement that is repaired stays the half of an answer that it was."""
        if plan.route is Route.ARTICLES:
            return plan
        if not (plan.sql or "").strip():
            raise ModelUnavailable("a plan for records has no statement")
        return replace(plan, route=Route.BOTH) if self._beside_articles else plan

    async def _query(self, plan: Plan, records: OwnRecords, *, last: bool = False) -> Rows | None:
        """Return what the plan's statement finds; None when it is rejected."""
        async with self.asked.trace.stage(Stage.RECORDS, within_s=self.deadlines.query_s) as note:
            rows = await self._kept(plan.sql or "", records)
            if rows is not None:
                note.finding = FOUND_NOTHING if found_nothing(rows) else FOUND
            elif last:
                note.stop(REJECTED)
            else:
                note.finding = REJECTED
        return rows

    async def _kept(self, sql: str, records: OwnRecords) -> Rows | None:
        """Ask the database, and keep the statement with what came of it."""
        began_s = self.asked.trace.clock.monotonic_s()
        error: str | None = UNANSWERED  # unless it is known better
        found: Rows | None = None
        try:
            found = await records.query(sql)
            error = None
        except StatementRejected as rejected:
            error = str(rejected)
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"
            raise
        finally:
            ms = round((self.asked.trace.clock.monotonic_s() - began_s) * 1000, 3)
            rows = None if found is None else len(found.rows)
            statement = Statement(sql=sql, ms=ms, error=error, rows=rows)
            seen = self._seen
            self.asked.trace.records = replace(seen, statements=(*seen.statements, statement))
        return found

    async def _with_articles(self, text: str, show: Show) -> Outcome:
        """Show what the records say, which stands whatever becomes of the articles' half below it."""
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

    def _request(self, failed: Statement | None) -> PlanRequest:
        clock = self.asked.trace.clock
        return PlanRequest(
            question=self.asked.question.bare,
            history=answer_history(self.asked.start.history, self.asked.question.current.seq, limit=HISTORY),
            schema=self.parts.records.schema,
            today=_in_words(clock.now_ms()),
            locale=self.asked.start.conversation.locale,
            nonce=clock.new_id(),
            deadline_s=min(clock.monotonic_s() + self.deadlines.plan_s, self.asked.trace.ends_at_s),
            failed=failed,
        )

    async def _from_articles(self, show: Show, *, beside: bool = False) -> Outcome:
        """Answer from articles. Beside records nobody is offered to rephrase: their half of the answer stands."""
        asked, articles = self.asked, self.asked.articles
        if beside:
            articles = replace(articles, policy=replace(articles.policy, offer_before_handoff=False))
        return await articles.answer(asked.start, asked.question, asked.trace, show=show)

    @property
    def _seen(self) -> RecordsSeen:
        return self.asked.trace.records or RecordsSeen()

    @property
    def _beside_articles(self) -> bool:
        return self._seen.route is Route.BOTH


def records_route(
    parts: RecordsParts, asked: Asked, deadlines: Deadlines, *, rules: Rules, metering: Metering | None
) -> RecordsRoute:
    """Return the steps for one turn."""
    conversation = asked.start.conversation
    return RecordsRoute(
        parts=parts,
        words=RecordsWords(
            replies=parts.replies, rules=rules, locale=conversation.locale, word_s=deadlines.word_s
        ),
        calls=PlannerCalls(
            planner=parts.planner, metering=metering, conversation=conversation.id, trace=asked.trace
        ),
        asked=asked,
        deadlines=deadlines,
    )


def _in_words(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%A %Y-%m-%d, %H:%M UTC")

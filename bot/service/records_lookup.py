"""From a question to rows: a plan, one SELECT, and exactly one repair with the database's own error as new input (DESIGN §2.3).

What was asked of the database, and what it said, is left in the trace.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from bot.core.conversation import Message
from bot.core.outcome import Handoff, ReasonCode
from bot.core.policy import Deadlines
from bot.core.records import Plan, RecordsSchema, RecordsSeen, Route, Rows, Statement, failed_statement
from bot.core.records_answer import found_nothing
from bot.core.truth import CAPPED, FOUND, FOUND_NOTHING, REJECTED, TO_ARTICLES, TO_BOTH, TO_RECORDS
from bot.core.turn import Stage
from bot.errors import ModelUnavailable, StatementRejected
from bot.model_ports import PlanRequest
from bot.service.records_calls import CapReached, PlannerCalls
from bot.service.trace import Trace

UNANSWERED = "no answer in time"
_FINDINGS = {Route.ARTICLES: TO_ARTICLES, Route.RECORDS: TO_RECORDS, Route.BOTH: TO_BOTH}


class OwnRecords(Protocol):
    """The rows of one customer, and of nobody else."""

    async def query(self, sql: str) -> Rows:
        """Return what one SELECT finds; StatementRejected, RecordsUnavailable."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsLookup:
    """The steps of one turn up to its rows; each may raise StageBroken. `history` is what a plan may use beside the question."""

    calls: PlannerCalls
    schema: RecordsSchema
    trace: Trace
    deadlines: Deadlines
    question: str
    history: Sequence[Message]
    locale: str

    @property
    def beside_articles(self) -> bool:
        """Whether the records are half of an answer."""
        return self._seen.route is Route.BOTH

    async def plan(self, *, failed: Statement | None = None) -> Plan | Handoff:
        """Return where the answer is; a handoff when a cap leaves no call to make."""
        async with self.trace.stage(Stage.RECORDS, within_s=self.deadlines.plan_s) as note:
            try:
                plan = self._settled(await self.calls.plan(self._request(failed)))
            except CapReached as cap:
                note.stop(CAPPED)
                return Handoff(reason=ReasonCode.RECORDS_UNAVAILABLE, detail=str(cap))
            note.finding = _FINDINGS[plan.route]
        self.trace.records = replace(self._seen, route=plan.route)
        return plan

    async def rows(self, plan: Plan, records: OwnRecords) -> Rows | Handoff | None:
        """Return what the plan's statement finds, or the repaired one; None when the repaired plan is to answer from articles."""
        found = await self._query(plan, records)
        if found is not None:
            return found
        repaired = await self.plan(failed=failed_statement(self._seen.statements))
        if isinstance(repaired, Handoff):
            return repaired
        if repaired.route is Route.ARTICLES:
            return None
        found = await self._query(repaired, records, last=True)
        return found or Handoff(
            reason=ReasonCode.RECORDS_UNAVAILABLE, detail="the repaired statement was rejected too"
        )

    def _settled(self, plan: Plan) -> Plan:
        """A statement that is repaired stays the half of an answer that it was."""
        if plan.route is Route.ARTICLES:
            return plan
        if not (plan.sql or "").strip():
            raise ModelUnavailable("a plan for records has no statement")
        return replace(plan, route=Route.BOTH) if self.beside_articles else plan

    async def _query(self, plan: Plan, records: OwnRecords, *, last: bool = False) -> Rows | None:
        """Return what the plan's statement finds; None when it is rejected."""
        async with self.trace.stage(Stage.RECORDS, within_s=self.deadlines.query_s) as note:
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
        began_s = self.trace.clock.monotonic_s()
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
            ms = round((self.trace.clock.monotonic_s() - began_s) * 1000, 3)
            rows = None if found is None else len(found.rows)
            seen = self._seen
            statement = Statement(sql=sql, ms=ms, error=error, rows=rows)
            self.trace.records = replace(seen, statements=(*seen.statements, statement))
        return found

    def _request(self, failed: Statement | None) -> PlanRequest:
        clock = self.trace.clock
        return PlanRequest(
            question=self.question,
            history=self.history,
            schema=self.schema,
            today=_in_words(clock.now_ms()),
            locale=self.locale,
            nonce=clock.new_id(),
            deadline_s=min(clock.monotonic_s() + self.deadlines.plan_s, self.trace.ends_at_s),
            failed=failed,
        )

    @property
    def _seen(self) -> RecordsSeen:
        planner = self.calls.planner
        return self.trace.records or RecordsSeen(model=planner.name, prompt_digest=planner.prompt_digest)


def _in_words(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%A %Y-%m-%d, %H:%M UTC")

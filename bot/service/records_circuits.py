"""Leaves the records or their planner alone while its circuit is open, so that a computed question is said to be unchecked at once."""

from dataclasses import dataclass

from bot.core.customers import Subject
from bot.core.records import RecordsSchema, Rows
from bot.model_ports import Planned, Planner, PlanRequest, Worded, WordingRequest
from bot.records_ports import Records
from bot.service.circuits import Breaker


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedRecords:
    """Records that are not asked while their circuit is open; a statement that takes *limit_s* has failed, one that is rejected has not."""

    records: Records
    breaker: Breaker
    limit_s: float

    @property
    def schema(self) -> RecordsSchema:
        return self.records.schema

    async def query(self, sql: str, *, subject: Subject) -> Rows:
        with self.breaker.call_within(self.limit_s):
            return await self.records.query(sql, subject=subject)

    async def ping(self) -> None:
        """Ask the database itself, which says whether it is back."""
        await self.records.ping()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedPlanner:
    """A planner that is not asked while its circuit is open; what is given up at its deadline has failed."""

    planner: Planner
    breaker: Breaker

    @property
    def name(self) -> str:
        return self.planner.name

    @property
    def prompt_digest(self) -> str:
        return self.planner.prompt_digest

    async def plan(self, request: PlanRequest) -> Planned:
        with self.breaker.call(late_at_s=request.deadline_s):
            return await self.planner.plan(request)

    async def word(self, request: WordingRequest) -> Worded:
        with self.breaker.call(late_at_s=request.deadline_s):
            return await self.planner.word(request)

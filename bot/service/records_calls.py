"""The calls of the planner's model in one turn: held against the caps before each, and counted after it, as drafts are."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bot.core.conversation import ConversationId
from bot.core.input_size import tokens_of
from bot.core.prompt import Usage
from bot.core.records import Plan, described
from bot.core.records_answer import table_of
from bot.errors import NotAsked
from bot.model_ports import Planner, PlanRequest, WordingRequest
from bot.service.metering import Metering
from bot.service.trace import Trace


class _Counted(Protocol):
    """What a model gave, and what giving it was counted with."""

    @property
    def usage(self) -> Usage | None: ...


Given = TypeVar("Given", bound=_Counted)


class CapReached(Exception):
    """A cap of our own leaves no call to make; carries its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerCalls:
    """A planner whose calls are counted in *trace*, and in the ledger where there is one. ModelUnavailable, CapReached."""

    planner: Planner
    metering: Metering | None
    conversation: ConversationId
    trace: Trace

    async def plan(self, request: PlanRequest) -> Plan:
        """Say where the answer is, and what to ask the database."""
        given = await self._counted(tokens_of(_texts_of_plan(request)), lambda: self.planner.plan(request))
        return given.plan

    async def word(self, request: WordingRequest) -> str:
        """Say what was found."""
        texts = (request.question, table_of(request.rows))
        given = await self._counted(tokens_of(texts), lambda: self.planner.word(request))
        return given.text

    async def _counted(self, tokens: int, ask: Callable[[], Awaitable[Given]]) -> Given:
        await self._set_aside(tokens)
        try:
            given = await ask()
            if given.usage is not None:
                await self._use(self.trace.counted(given.usage))
        except NotAsked:
            await self._use(self.trace.counted_before)
            raise
        finally:
            self.trace.count_on()  # what a call was set aside for stays counted when it fails
        return given

    async def _set_aside(self, tokens: int) -> None:
        if self.metering is None:
            return
        most = self.trace.counted(self.metering.most_for(tokens))
        if reached := await self.metering.set_aside(self.trace.turn, self.conversation, most):
            raise CapReached(reached)
        self.trace.usage = most

    async def _use(self, usage: Usage | None) -> None:
        """Count what the turn did use in place of what was set aside."""
        self.trace.usage = usage
        if self.metering is not None:
            await self.metering.used(self.trace.turn, self.conversation, usage)


def _texts_of_plan(request: PlanRequest) -> Iterator[str]:
    yield from (request.question, described(request.schema), *(m.text for m in request.history))
    if request.failed is not None:
        yield from (request.failed.sql, request.failed.error or "")

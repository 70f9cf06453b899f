"""Asks Claude to fill in one tool: summaries, verdicts, and plans for a database. Failures are ModelUnavailable."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from anthropic import AsyncAnthropic, omit
from anthropic.types import (
    Message,
    ToolChoiceAutoParam,
    ToolChoiceToolParam,
    ToolParam,
)
from pydantic import Field, ValidationError

from bot.adapters.claude.client import Surroundings
from bot.adapters.claude.events import Counted, NotAnAnswer, Prices, usage_of
from bot.adapters.claude.failures import pause_before_retry, to_error
from bot.adapters.claude.opening import ClaudeAccess, anthropic_client
from bot.adapters.claude.requests import thinking_of
from bot.adapters.claude.untrusted import Untrusted
from bot.core.prompt import Usage
from bot.errors import ModelUnavailable

Form = TypeVar("Form", bound=Untrusted)


class _Block(Untrusted):
    """A content block; only a tool call's name and input are of interest."""

    type: str
    name: str = ""
    input: dict[str, object] = Field(default_factory=dict)


class _Message(Untrusted):
    stop_reason: Literal["tool_use"]
    content: list[_Block]
    usage: Counted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """One request: what the model is told, and the one tool that it is to call."""

    tool: ToolParam
    system: str
    text: str
    max_tokens: int
    within_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Generic[Form]):
    """What the tool was called with; `usage` is None where the provider did not say."""

    form: Form
    usage: Usage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCaller:
    """Sends one request and returns what the tool was called with; tries again within the time that it is given."""

    client: AsyncAnthropic
    model: str
    around: Surroundings
    prices: Prices

    async def call(
        self, tool: ToolParam, form: type[Form], *, system: str, text: str, max_tokens: int, within_s: float
    ) -> Form:
        """Return the input of the one call of *tool*; ModelUnavailable, also when it does not have its *form*."""
        asked = ToolRequest(tool=tool, system=system, text=text, max_tokens=max_tokens, within_s=within_s)
        return (await self.counted(asked, form)).form

    async def counted(self, asked: ToolRequest, form: type[Form]) -> Called[Form]:
        """Return the same together with what it was counted with."""
        message = await self._called(asked)
        try:
            filled = form.model_validate(_input_of(asked.tool, message))
        except ValidationError as wrong:
            raise ModelUnavailable(f"the call of {asked.tool['name']} does not have its form") from wrong
        counted = message.usage
        return Called(form=filled, usage=None if counted is None else usage_of(counted, self.prices))

    async def _called(self, asked: ToolRequest) -> _Message:
        deadline_s = self.around.monotonic_s() + asked.within_s
        attempt = 0
        while True:
            try:
                return await self._attempt(asked)
            except Exception as failure:  # the client raises more than its own errors (FAULTS §3.3)
                pause_s = pause_before_retry(
                    failure,
                    attempt=attempt,
                    left_s=deadline_s - self.around.monotonic_s(),
                    jitter=self.around.jitter(),
                )
                if pause_s is None:
                    raise to_error(failure) from failure
            await self.around.sleep(pause_s)
            attempt += 1

    async def _attempt(self, asked: ToolRequest) -> _Message:
        thinking = thinking_of(self.model)
        reply = await self.client.messages.create(
            model=self.model,
            max_tokens=asked.max_tokens,
            system=asked.system,
            messages=[{"role": "user", "content": asked.text}],
            tools=[asked.tool],
            tool_choice=_choice(asked.tool, thinks=thinking is None),
            thinking=thinking or omit,
        )
        if not isinstance(reply, Message):  # a page of HTML comes back as a string
            raise NotAnAnswer("what came is no message")
        message = _Message.model_validate(reply.to_dict(warnings=False))
        _input_of(asked.tool, message)
        return message


def _choice(tool: ToolParam, *, thinks: bool) -> ToolChoiceToolParam | ToolChoiceAutoParam:
    """A model that thinks cannot be forced to call a tool; its instructions must do."""
    if thinks:
        return {"type": "auto", "disable_parallel_tool_use": True}
    return {"type": "tool", "name": tool["name"], "disable_parallel_tool_use": True}


def _input_of(tool: ToolParam, message: _Message) -> dict[str, object]:
    calls = [block for block in message.content if block.type == "tool_use"]
    if [call.name for call in calls] != [tool["name"]]:
        raise NotAnAnswer(f"{len(calls)} tool calls, or of another tool")
    return calls[0].input


@asynccontextmanager
async def opened_tool_caller(access: ClaudeAccess, around: Surroundings) -> AsyncIterator[ToolCaller]:
    """Open a client of its own, so that an answer never waits behind a summary."""
    async with anthropic_client(access) as client:
        yield ToolCaller(
            client=client,
            model=access.model,
            around=around,
            prices=Prices(input_usd=access.input_usd, output_usd=access.output_usd),
        )

"""Asks Claude over its streaming API. Every failure is ModelUnavailable, and is tried again only while nothing was given out."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

import httpx2
from anthropic import AsyncAnthropic, omit

from bot.adapters.claude.events import DraftReader, Prices, StreamBroken
from bot.adapters.claude.failures import pause_before_retry, to_error
from bot.adapters.claude.prompt import AnswerPrompt
from bot.adapters.claude.requests import TOOL_CHOICE, TOOLS, ClaudeRequest, claude_request, thinking_of
from bot.core.prompt import AnswerRequest, DraftPiece

# The turn's own deadline ends a request; this only keeps a connection from staying open behind it.
TIMEOUT = httpx2.Timeout(30.0, connect=5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeModel:
    """Which model is asked, how much it may write, and what it costs."""

    name: str
    max_tokens: int
    prices: Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Time and chance, so that tests own both: `nonce` makes a fresh one, `jitter` a number between 0 and 1."""

    monotonic_s: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    jitter: Callable[[], float]
    nonce: Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeAnswerer:
    """Writes an answer from the evidence, or says that it cannot. Nothing is asked of the provider before the first draft."""

    client: AsyncAnthropic
    model: ClaudeModel
    prompt: AnswerPrompt
    around: Surroundings

    @property
    def can_abstain(self) -> bool:
        """Return True: it may declare that the evidence is not enough."""
        return True

    @property
    def streams(self) -> bool:
        """Return True: blocks come while the rest is being written."""
        return True

    @property
    def name(self) -> str:
        """Return the name that records and logs use."""
        return f"claude/{self.model.name}"

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        """Yield blocks as they become whole, then the draft's end."""
        asked = claude_request(request, self.prompt, nonce=request.nonce or self.around.nonce())
        attempt, given_out = 0, False
        while True:
            try:
                async with aclosing(self._attempt(asked)) as pieces:
                    async for piece in pieces:
                        given_out = True
                        yield piece
                return
            except (
                Exception
            ) as failure:  # the design: the client raises more than its own errors (FAULTS §3.3)
                pause_s = None if given_out else self._pause_s(failure, attempt, request.deadline_s)
                if pause_s is None:
                    raise to_error(failure) from failure
            await self.around.sleep(pause_s)
            attempt += 1

    async def ping(self) -> None:
        """Ask whether the key may use the model, which costs nothing; ModelUnavailable."""
        try:
            await self.client.models.retrieve(self.model.name)
        except Exception as failure:  # the design, as above
            raise to_error(failure) from failure

    def _pause_s(self, failure: Exception, attempt: int, deadline_s: float | None) -> float | None:
        left_s = TIMEOUT.read or 0.0
        if deadline_s is not None:
            left_s = deadline_s - self.around.monotonic_s()
        return pause_before_retry(failure, attempt=attempt, left_s=left_s, jitter=self.around.jitter())

    async def _attempt(self, asked: ClaudeRequest) -> AsyncGenerator[DraftPiece, None]:
        reader = DraftReader(
            sources=asked.sources,
            nonce=asked.nonce,
            prompt_digest=self.prompt.digest,
            prices=self.model.prices,
        )
        async with self.client.messages.stream(
            model=self.model.name,
            max_tokens=self.model.max_tokens,
            system=asked.system,
            messages=asked.messages,
            tools=TOOLS,
            tool_choice=TOOL_CHOICE,
            thinking=thinking_of(self.model.name) or omit,
        ) as stream:
            async for event in stream:
                for piece in reader.read(event):
                    yield piece
        if not reader.ended:
            raise StreamBroken("the stream ended without saying that the answer was complete")

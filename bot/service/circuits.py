"""Leaves an answerer or an embedder alone while its circuit is open, so that the turn hands over at once, with the right reason.

One alarm per opening: an error in the log and a count. What a caller gives up before its deadline is nobody's failure.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field

import structlog

from bot.core.circuit import Admission, Cause, Circuit, Opening
from bot.core.knowledge import Fingerprint, Vector
from bot.core.prompt import AnswerRequest, DraftPiece
from bot.core.summary import Summary, SummaryRequest
from bot.errors import EmbedderKeyRejected, KeyRejected, OutsideFailure, ProviderLimitReached
from bot.model_ports import Answerer, Embedder, Probed, Reranker, Summarizer
from bot.ports import CircuitObserver, Clock

log = structlog.get_logger()

SLACK_S = 0.1  # a deadline's timer and the clock do not agree to the millisecond

_SAID: Mapping[Cause, str] = {
    Cause.FAILURES: "it failed {failures} times within {within_s:g} s",
    Cause.KEY_REJECTED: "its provider rejects the key; set another one and restart",
    Cause.LIMIT_REACHED: "its provider's spending limit is reached; raise it there",
}


@dataclass(slots=True, kw_only=True)
class Breaker:
    """The circuit of one dependency in this process, and who is told when it opens and closes.

    While it is open a call raises *unavailable*.
    """

    dependency: str
    unavailable: type[OutsideFailure]
    clock: Clock
    observer: CircuitObserver
    circuit: Circuit = field(default_factory=Circuit)

    @property
    def trouble(self) -> str | None:
        """Say why calls are refused; None while they are not."""
        opening = self.circuit.opening
        return None if opening is None else self._said(opening)

    @contextmanager
    def call(self, *, late_at_s: float | None) -> Iterator[None]:
        """Make a call inside, unless it must not be made. One that is cancelled from *late_at_s* on has failed."""
        self.circuit, admission = self.circuit.admit(now_s=self.clock.monotonic_s())
        if admission is Admission.REFUSED:
            raise self.unavailable(f"not asked: {self.trouble}")
        try:
            yield
        except BaseException as end:
            self._move(self._after(end, admission, late_at_s=late_at_s))
            raise
        self._move(self.circuit.succeeded(admission))

    @contextmanager
    def call_within(self, limit_s: float) -> Iterator[None]:
        """Do the same; one that is cancelled after *limit_s* has failed."""
        with self.call(late_at_s=self.clock.monotonic_s() + limit_s):
            yield

    def _after(self, end: BaseException, admission: Admission, *, late_at_s: float | None) -> Circuit:
        now_s = self.clock.monotonic_s()
        late = late_at_s is not None and now_s >= late_at_s - SLACK_S
        match end:
            case OutsideFailure() | TimeoutError():
                return self.circuit.failed(cause_of(end), admission, now_s=now_s)
            case asyncio.CancelledError() if late:
                return self.circuit.failed(Cause.FAILURES, admission, now_s=now_s)
            case GeneratorExit():  # its caller has what it wanted
                return self.circuit.succeeded(admission)
            case _:  # given up, or a defect of ours
                return self.circuit.abandoned(admission)

    def _move(self, after: Circuit) -> None:
        before, self.circuit = self.circuit, after
        if after.opening is not None and before.opening is None:
            cause = after.opening.cause
            log.error("circuit_opened", dependency=self.dependency, cause=cause, why=self.trouble)
            self.observer.circuit_opened(self.dependency, cause)
        elif after.opening is None and before.opening is not None:
            log.info("circuit_closed", dependency=self.dependency)
            self.observer.circuit_closed(self.dependency)

    def _said(self, opening: Opening) -> str:
        policy = self.circuit.policy
        return _SAID[opening.cause].format(failures=policy.failures, within_s=policy.within_s)


def cause_of(failure: BaseException) -> Cause:
    """Return what *failure* says of the calls that would follow it."""
    if isinstance(failure, KeyRejected | EmbedderKeyRejected):
        return Cause.KEY_REJECTED
    return Cause.LIMIT_REACHED if isinstance(failure, ProviderLimitReached) else Cause.FAILURES


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedAnswerer:
    """An answerer that is not asked while its circuit is open."""

    answerer: Answerer
    breaker: Breaker

    @property
    def can_abstain(self) -> bool:
        return self.answerer.can_abstain

    @property
    def streams(self) -> bool:
        return self.answerer.streams

    @property
    def name(self) -> str:
        return self.answerer.name

    async def ping(self) -> None:
        """Ask the answerer whether it would work, where it can be asked; a failure counts as a draft's does."""
        if isinstance(self.answerer, Probed):
            with self.breaker.call(late_at_s=None):
                await self.answerer.ping()

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        with self.breaker.call(late_at_s=request.deadline_s):
            async with aclosing(self.answerer.draft(request)) as pieces:
                async for piece in pieces:
                    yield piece


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedEmbedder:
    """An embedder that embeds no queries while its circuit is open; one that takes *limit_s* has failed."""

    embedder: Embedder
    breaker: Breaker
    limit_s: float

    @property
    def fingerprint(self) -> Fingerprint:
        return self.embedder.fingerprint

    @property
    def token_limit(self) -> int:
        return self.embedder.token_limit

    def count_tokens(self, text: str) -> int:
        return self.embedder.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        with self.breaker.call_within(self.limit_s):
            return await self.embedder.embed_queries(texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self.embedder.embed_passages(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedReranker:
    """A reranker that is not asked while its circuit is open; one that takes *limit_s* has failed."""

    reranker: Reranker
    breaker: Breaker
    limit_s: float

    async def rerank(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        with self.breaker.call_within(self.limit_s):
            return await self.reranker.rerank(question, texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedSummarizer:
    """A summarizer that is not asked while its circuit is open; one that takes *limit_s* has failed."""

    summarizer: Summarizer
    breaker: Breaker
    limit_s: float

    async def summarise(self, request: SummaryRequest) -> Summary:
        with self.breaker.call_within(self.limit_s):
            return await self.summarizer.summarise(request)

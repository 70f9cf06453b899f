"""Stand-ins for the ports: real twins inside, with points at which a test makes them fail, wait or answer nonsense."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.ledger import MemoryLedger
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.core.audit import Change
from bot.core.caps import Caps, Spending
from bot.core.circuit import Cause
from bot.core.conversation import Conversation, ConversationId, Message, TurnId
from bot.core.knowledge import (
    ArticleId,
    ArticleText,
    Fingerprint,
    IndexStatus,
    SearchQuery,
    SearchResult,
    Vector,
)
from bot.core.prompt import AnswerRequest, Block, Citation, DraftPiece, Finished, Stop, Usage
from bot.core.turn import Fence, Turn, TurnStart
from bot.model_ports import Answerer, Embedder
from bot.ports import Snapshot
from bot.service.live import Changed, DraftShown, LiveEvent, LiveHub


@dataclass(slots=True, kw_only=True)
class Point:
    """A place in a stand-in; `skips` calls pass before it fails or waits, `fails_once` is raised by one call only."""

    fails: Exception | None = None
    fails_once: Exception | None = None
    waits: bool = False
    skips: int = 0
    calls: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def passed(self) -> None:
        self.calls += 1
        if self.calls <= self.skips:
            return
        self.reached.set()
        if self.waits:
            await self.opened.wait()
        once, self.fails_once = self.fails_once, None
        if failure := once or self.fails:
            raise failure


class ScriptedIndex:
    """A passage index; `status` and `found` replace what it says."""

    def __init__(self, inner: MemoryPassageIndex) -> None:
        self._inner = inner
        self.at_status = Point()
        self.at_search = Point()
        self.found: Callable[[SearchResult], SearchResult] = lambda result: result
        self.searches: list[SearchQuery] = []

    async def status(self) -> IndexStatus:
        await self.at_status.passed()
        return await self._inner.status()

    async def search(self, query: SearchQuery) -> SearchResult:
        self.searches.append(query)
        await self.at_search.passed()
        return self.found(await self._inner.search(query))

    async def article(self, article: ArticleId) -> ArticleText | None:
        return await self._inner.article(article)


class ScriptedEmbedder:
    """An embedder; `vectors` replaces what it returns, `counting` is raised where its tokenizer is asked."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.at_embed = Point()
        self.vectors: Callable[[tuple[Vector, ...]], tuple[Vector, ...]] = lambda vectors: vectors
        self.counting: Exception | None = None
        self.embedded: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    @property
    def token_limit(self) -> int:
        if self.counting is not None:
            raise self.counting
        return self._inner.token_limit

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        self.embedded.extend(texts)
        await self.at_embed.passed()
        return self.vectors(await self._inner.embed_queries(texts))

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._inner.embed_passages(texts)


class ScriptedReranker:
    """A reranker that returns *scores*, whatever it is asked."""

    def __init__(self, *scores: float) -> None:
        self.scores = scores
        self.at_rerank = Point()
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    async def rerank(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        self.asked.append((question, tuple(texts)))
        await self.at_rerank.passed()
        return self.scores


Script = Sequence[DraftPiece | Exception | Point]


class ScriptedAnswerer:
    """Plays its `script`: pieces are drafted, exceptions raised, points passed; without one it quotes the best passage.

    `inner` is an answerer that drafts instead.
    """

    def __init__(self) -> None:
        self.script: Script | None = None
        self.inner: Answerer | None = None
        self.can_abstain = False
        self.streams = True
        self.requests: list[AnswerRequest] = []
        self.closed = 0

    @property
    def name(self) -> str:
        return "scripted" if self.inner is None else self.inner.name

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        self.requests.append(request)
        try:
            if self.inner is not None:
                async with aclosing(self.inner.draft(request)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            for step in quoting(request) if self.script is None else self.script:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, Point):
                    await step.passed()
                else:
                    yield step
        finally:
            self.closed += 1


def quoting(request: AnswerRequest) -> tuple[Block, Finished]:
    """Return a draft that quotes the best passage whole."""
    best = request.evidence.passages[0].found.passage
    return (
        Block(text=best.text, citations=(Citation(passage=best.id, quote=best.text),)),
        Finished(stop=Stop.COMPLETE, model="scripted-1", prompt_digest="digest-1"),
    )


class RecordingStore(MemoryConversationStore):
    """The store, which notes each block that it records; points lie before it reads, shows, commits and changes."""

    def __init__(self, log: list[tuple[str, str]]) -> None:
        super().__init__()
        self._log = log
        self.at_begin = Point()
        self.at_show = Point()
        self.at_unanswered = Point()
        self.at_commit = Point()
        self.at_change = Point()

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        await self.at_begin.passed()
        return await super().begin_turn(conversation, history=history, turns_since_ms=turns_since_ms)

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        await self.at_unanswered.passed()
        return await super().unanswered(received_before_ms=received_before_ms)

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        await self.at_show.passed()
        await super().show_blocks(fence, turn=turn, texts=texts)
        self._log.append(("recorded", "\n\n".join(texts)))

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        await self.at_commit.passed()
        snapshot = await super().commit_turn(turn, messages, moved)
        self._log.append(("committed", turn.id))
        return snapshot

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        await self.at_change.passed()
        return await super().change(read, moved, change)


NOTHING_USED = Usage(input_tokens=0, output_tokens=0, cost_usd=0.0)


class ScriptedLedger(MemoryLedger):
    """The ledger, with a point before it counts."""

    def __init__(self) -> None:
        super().__init__()
        self.at_spend = Point()

    def used_elsewhere(self, *, at_ms: int, usage: Usage = NOTHING_USED) -> None:
        """Count a draft of another conversation."""
        turn, conversation = TurnId(f"elsewhere {len(self._spendings)}"), ConversationId("elsewhere")
        self._spendings[turn] = Spending(turn=turn, conversation=conversation, usage=usage, at_ms=at_ms)

    async def spend(self, spending: Spending, *, caps: Caps, since_ms: int) -> str | None:
        await self.at_spend.passed()
        return await super().spend(spending, caps=caps, since_ms=since_ms)


class RecordingHub(LiveHub):
    """The hub, which notes what watchers are told of blocks and changes."""

    def __init__(self, log: list[tuple[str, str]]) -> None:
        super().__init__()
        self._log = log

    def publish(self, conversation: ConversationId, event: LiveEvent) -> None:
        if isinstance(event, DraftShown):
            self._log.append(("shown", event.text))
        elif isinstance(event, Changed):
            self._log.append(("changed", ""))
        super().publish(conversation, event)


@dataclass(slots=True)
class RecordingObserver:
    """Keeps what operators would count."""

    settled: list[tuple[Turn, bool]] = field(default_factory=list)

    def turn_settled(self, turn: Turn, *, truthful: bool) -> None:
        self.settled.append((turn, truthful))


@dataclass(slots=True)
class RecordingCircuits:
    """Keeps the alarms."""

    seen: list[tuple[str, ...]] = field(default_factory=list)

    def circuit_opened(self, dependency: str, cause: Cause) -> None:
        self.seen.append(("opened", dependency, cause))

    def circuit_closed(self, dependency: str) -> None:
        self.seen.append(("closed", dependency))

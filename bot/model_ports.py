"""What models do for the service, as Protocols: embed, rerank, answer, sum up, plan what to ask of records. Types that cross them are core types or builtins."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.core.conversation import Message
from bot.core.knowledge import Fingerprint, Vector
from bot.core.prompt import AnswerRequest, DraftPiece, Usage
from bot.core.records import Plan, RecordsSchema, Rows, Statement
from bot.core.summary import Summary, SummaryRequest


class Embedder(Protocol):
    """Text to unit vectors."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what must agree for vectors to be comparable."""
        ...

    @property
    def token_limit(self) -> int:
        """Return how many tokens of one text are embedded, special tokens included."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count the tokens of *text* with the model's own tokenizer, special tokens included."""
        ...

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Embed queries, one unit vector each, in order; RetrievalUnavailable."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Embed passages, one unit vector each, in order; RetrievalUnavailable."""
        ...


class Reranker(Protocol):
    """A second look at close candidates by a model that reads question and text together."""

    async def rerank(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return how relevant each text is, in the order of *texts*; RetrievalUnavailable.

        More is better, and only scores of one call compare.
        """
        ...


class Answerer(Protocol):
    """Evidence to a draft, piece by piece. ModelUnavailable when it fails."""

    @property
    def can_abstain(self) -> bool:
        """Return whether it can declare that the evidence does not answer the question."""
        ...

    @property
    def streams(self) -> bool:
        """Return whether its blocks come one after another over time; if not, those of a draft that passed are shown together."""
        ...

    @property
    def name(self) -> str:
        """Return the name that records and logs use."""
        ...

    def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        """Yield blocks as each is complete, then exactly one Finished, Asked or Abstained as the last piece; closed early when not wanted."""
        ...


@runtime_checkable
class Probed(Protocol):
    """A dependency that can be asked, for nothing, whether it would work."""

    async def ping(self) -> None:
        """Raise what a call would raise that cannot work: a rejected key, an unknown model."""
        ...


class Summarizer(Protocol):
    """A conversation to three lines for the agent who takes it."""

    async def summarise(self, request: SummaryRequest) -> Summary:
        """Return the three lines in the agents' language; ModelUnavailable."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """What a plan is made from. `today` is a date with its zone in words; `failed` is the rejected statement that is to be repaired.

    `deadline_s` is by the clock's monotonic time.
    """

    question: str
    history: Sequence[Message]
    schema: RecordsSchema
    today: str
    locale: str
    nonce: str
    deadline_s: float
    failed: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingRequest:
    """What an answer is worded from: the question, and the rows that were found."""

    question: str
    rows: Rows
    locale: str
    nonce: str
    deadline_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan, and what making it was counted with."""

    plan: Plan
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """Markdown made from rows, not yet verified, and what making it was counted with."""

    text: str
    usage: Usage | None = None


class Planner(Protocol):
    """A model that turns a question into a plan, and rows into words. ModelUnavailable when it fails."""

    @property
    def name(self) -> str:
        """Return the name that records and logs use."""
        ...

    @property
    def prompt_digest(self) -> str:
        """Return the digest of its instructions."""
        ...

    async def plan(self, request: PlanRequest) -> Planned:
        """Say where the answer is, and what to ask the database."""
        ...

    async def word(self, request: WordingRequest) -> Worded:
        """Say what was found, from the rows alone."""
        ...

"""What answers questions about a customer's own records, as Protocols. Types that cross them are core types or builtins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.conversation import Message
from bot.core.customers import Subject
from bot.core.prompt import Usage
from bot.core.records import Plan, RecordsSchema, Rows, Statement


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


class Records(Protocol):
    """One customer's rows of a database that can only be read."""

    @property
    def schema(self) -> RecordsSchema:
        """Return what may be asked of."""
        ...

    async def query(self, sql: str, *, subject: Subject) -> Rows:
        """Return what one SELECT finds among the rows of *subject*.

        StatementRejected, with the parser's or the database's own words; RecordsUnavailable when the database is down or too slow.
        """
        ...

    async def ping(self) -> None:
        """Raise RecordsUnavailable unless the database answers."""
        ...


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

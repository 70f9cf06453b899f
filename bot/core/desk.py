"""What agents see beside a conversation's messages: its place in the queue, marks, canned replies, what was read. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.core.customers import Customer

ALARM_MS = 600_000  # a claimed customer who waited this long for the agent raises an alarm
LATE_MS = 600_000  # so long unclaimed, the desk is told again
FIRST_LINE = 200  # characters of a customer's message that a row of the queue has room for
NO_REASON = "taken_over"  # what stands for a reason code where an agent took the conversation and gave it up


class Resolution(StrEnum):
    """How a conversation ended, in the agent's judgement. Codes are added, never renamed."""

    ANSWERED = "answered"
    DONE_FOR_CUSTOMER = "done_for_customer"
    CUSTOMER_LEFT = "customer_left"
    NOT_POSSIBLE = "not_possible"
    DUPLICATE = "duplicate"
    SPAM = "spam"


class MarkKind(StrEnum):
    """What an agent noticed: KNOWLEDGE_GAP about a conversation, WRONG_ANSWER about one message of the bot."""

    KNOWLEDGE_GAP = "knowledge_gap"
    WRONG_ANSWER = "wrong_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark; `seq` names the message, 0 the whole conversation. Of equal (kind, seq) in a conversation one is kept."""

    conversation: ConversationId
    kind: MarkKind
    seq: int
    agent: AgentId
    at_ms: int
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CannedReply:
    """A text that agents insert and change before they send it."""

    id: str
    title: str
    text: str
    locale: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMarks:
    """Up to which seq the customer and the agents have read; 0 for nothing yet."""

    customer: int = 0
    agent: int = 0

    def moved(self, *, customer: int, agent: int, last_seq: int) -> "ReadMarks":
        """Return the marks after both sides said how far they read: never back, and no further than there are messages."""
        return ReadMarks(
            customer=max(self.customer, min(customer, last_seq)), agent=max(self.agent, min(agent, last_seq))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """An open conversation as the desk lists it.

    `reason` is the code of its open handoff, None where an agent had taken it over; `first_line` is how the customer's first unanswered
    message begins, else that of the latest; `unread` are customer messages after what agents have read.
    """

    conversation: Conversation
    reason: str | None
    first_line: str
    unread: int = 0
    customer: Customer = field(default_factory=Customer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A conversation that a search found, with the words around what was looked for; the newest match of each."""

    conversation: Conversation
    seq: int
    at_ms: int
    excerpt: str
    customer: Customer = field(default_factory=Customer)


def first_line(text: str) -> str:
    """Return the first line of *text* that says something, cut to what a row has room for; empty when none does."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line), "")[:FIRST_LINE]


def by_title(replies: Iterable[CannedReply]) -> tuple[CannedReply, ...]:
    """Return canned replies in the order in which agents look for them."""
    return tuple(sorted(replies, key=lambda reply: (reply.title.casefold(), reply.id)))

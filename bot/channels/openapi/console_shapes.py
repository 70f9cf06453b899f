"""What the console's routes answer about conversations, agents and texts."""

from typing import Literal

from bot.channels.openapi.operations import Shape
from bot.channels.openapi.shapes import Block, Message
from bot.core.accounts import AgentRole
from bot.core.attachments import MediaType
from bot.core.conversation import Channel, Status
from bot.core.desk import MarkKind


class SignedInAgent(Shape):
    id: str
    name: str
    """What customers and colleagues see."""
    role: AgentRole


class AgentSession(Shape):
    """Who is signed in."""

    agent: SignedInAgent
    csrf: str
    """What every write repeats as X-Candor-CSRF."""
    expires_at: int
    """When the session ends, Unix milliseconds."""


class Invited(Shape):
    """Whom an invitation is for."""

    email: str
    name: str
    role: AgentRole


class Colleague(SignedInAgent):
    here: bool
    """Whether the agent has a console open on this server."""


class Colleagues(Shape):
    agents: list[Colleague]
    """Those who can sign in, by name."""


class Holder(Shape):
    """The agent who has a conversation."""

    id: str
    name: str


class State(Shape):
    """Who has the conversation, after a move."""

    state: Status
    epoch: int
    """Grows by one whenever the conversation changes hands."""
    agent: Holder | None
    mine: bool
    """Whether it is the asking agent who has it."""


class DeskMessage(Message):
    turn: str | None
    """The turn in which the bot wrote it, whose evidence can be read; null for others."""


class Note(Shape):
    """An internal note. Customers never see one."""

    seq: int
    author: str
    automated: bool
    """Whether the bot wrote it."""
    summary: bool
    """Whether it sums the conversation up for the agent who takes it."""
    text: str
    at: int
    """Unix milliseconds."""


class Mark(Shape):
    """What an agent noticed."""

    kind: MarkKind
    seq: int
    """The message it is about; 0 for the whole conversation."""
    agent: str
    at: int
    """Unix milliseconds."""
    remark: str


class Replied(State):
    message: DeskMessage


class Noted(State):
    note: Note


class Marked(State):
    mark: Mark


class Row(Shape):
    """A conversation in the queue, or with an agent."""

    conversation: str
    customer: str
    """What to call the customer."""
    verified: bool
    """Whether the site vouches for the customer."""
    channel: Channel
    locale: str
    state: Status
    agent: Holder | None
    mine: bool
    reason: str | None
    """Why the bot handed over: a reason code."""
    reason_text: str
    first_line: str
    waiting_since: int | None
    """When the customer's first unanswered message came, Unix milliseconds; null when nobody waits."""
    owned_since: int
    """When whoever has it got it, Unix milliseconds."""
    episode: int
    """How often the customer has come back, from 1."""
    unread: int
    """Customer messages that no agent has read."""
    alarm: bool
    """Whether the customer has waited 10 minutes for the agent who claimed it."""
    late: bool
    """Whether the customer has waited 10 minutes for anybody to claim it."""
    contact: str | None
    """The e-mail address that the customer left."""


class Queue(Shape):
    now: int
    """The server's time, Unix milliseconds."""
    rows: list[Row]


class HandoffRecord(Shape):
    """One time that the bot handed over."""

    epoch: int
    reason: str
    reason_text: str
    turn: str
    opened_at: int
    """Unix milliseconds."""
    claimed_at: int | None
    """When an agent first claimed it; null until then, as the next two."""
    replied_at: int | None
    """When an agent first replied."""
    closed_at: int | None
    """When it was over."""


class Reads(Shape):
    """Up to which seq each side has read."""

    customer: int
    agent: int


class Image(Shape):
    """An image that came with a message; its bytes are read by its seq."""

    media_type: MediaType
    size: int
    """Bytes."""


class ViewedMessage(DeskMessage):
    attachment: Image | None


class GivenRating(Shape):
    """What the customer thought of a visit."""

    episode: int
    score: int
    """1 (bad) to 5 (good)."""
    comment: str
    at: int
    """Unix milliseconds."""


class VisitedPage(Shape):
    """Where the customer is, as the embedding page says; anybody can say anything."""

    url: str
    title: str


class View(State):
    """One conversation as an agent has it in view."""

    now: int
    """Unix milliseconds."""
    conversation: str
    customer: str
    verified: bool
    page: VisitedPage | None
    """Where the customer is."""
    row: Row | None
    """Its line in the queue; null when it is in none."""
    messages: list[ViewedMessage]
    """Those after the cursor, by seq."""
    draft: list[Block]
    """What is shown already of the bot's running answer."""
    notes: list[Note]
    """Those after the cursor, by seq."""
    handoffs: list[HandoffRecord]
    marks: list[Mark]
    reads: Reads
    ratings: list[GivenRating]
    my_draft: str
    """What the asking agent has begun to write."""


class AuditEntry(Shape):
    at: int
    """Unix milliseconds."""
    who: str
    what: str
    """What happened, as a code."""
    what_text: str
    detail_text: str


class History(Shape):
    rows: list[AuditEntry]
    """Oldest first."""


class Match(Shape):
    """A conversation that a search found, by its newest match."""

    conversation: str
    customer: str
    verified: bool
    state: Status
    at: int
    """Unix milliseconds."""
    seq: int
    excerpt: str


class Matches(Shape):
    found: list[Match]


class CannedText(Shape):
    id: str
    title: str
    text: str
    locale: str


class CannedTexts(Shape):
    canned: list[CannedText]
    """By title."""


class AgentsArticle(Shape):
    """An article that could answer."""

    id: str
    title: str
    url: str | None
    excerpt: str
    cosine: float | None
    """How near it is to what was asked: -1 to 1; null when it is not known."""


class Trouble(Shape):
    code: Literal["retrieval_unavailable", "index_not_ready", "out_of_time"]
    text: str


class Suggested(Shape):
    articles: list[AgentsArticle]
    """Best first."""
    problem: Trouble | None
    """Why there may be more; null when the search was made."""

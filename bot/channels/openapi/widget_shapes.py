"""What the widget's routes answer."""

from bot.channels.openapi.operations import Shape
from bot.channels.openapi.shapes import MESSAGE, Block, Message
from bot.core.conversation import Status


class Standing(Shape):
    """Who has the conversation, and what a waiting customer can expect."""

    state: Status
    """`bot` answers, `queued` waits for an agent, `claimed` by an agent, `resolved` until the customer writes again."""
    answering: bool
    """Whether the bot works on an answer."""
    position: int | None
    """The place among those who wait, from 1; null when nobody is waited for."""
    expected_wait_s: int | None
    """Seconds until an agent is expected; null when it is not known."""
    opens_at: int | None
    """When agents are there again, Unix milliseconds; null while they are."""
    agent: str | None
    """The display name of the agent who has it."""
    rating: int | None
    """How the customer rated what was finished last: 1 to 5; null without a rating."""
    read: int
    """The seq up to which agents have read."""
    reset: bool
    """Whether the cursor lay in a future that never was: forget every message you had and keep these."""
    draft: list[Block]
    """What is shown already of the running answer."""


class Events(Standing):
    """What a customer has not seen yet, and where they stand."""

    events: list[Message]
    """The messages after the cursor, by seq."""


class Offered(Shape):
    """What this installation offers a customer."""

    categories: list[str]
    """Topics to tap, in the customer's language; send the chosen one as a message with `category`."""
    attachments: bool
    """Whether images are kept; if not, of a file its name alone is."""
    articles: int
    """How many articles the bot searches."""


class KnownCustomer(Shape):
    """Whom the site vouches for."""

    name: str | None
    verified: bool


class Session(Standing, Offered):
    """A conversation as a browser begins with it."""

    token: str
    """A fresh token; keep it in place of the last one."""
    conversation: str
    """The conversation's id, for support and logs; it opens nothing."""
    messages: list[Message]
    """Every message, by seq."""
    customer: KnownCustomer | None
    """Null for a customer whom nobody vouches for."""


class RatingReceipt(Shape):
    """A rating as it is kept."""

    client_message_id: str
    episode: int
    """Which of the customer's visits it is about, from 1."""
    score: int
    """1 (bad) to 5 (good)."""
    comment: str
    at: int
    """When it was given, Unix milliseconds."""


class Nothing(Shape):
    """It is done."""


class Receipt(Shape):
    """A message was stored; the bot's answer comes as an event."""

    seq: int
    client_message_id: str
    at: int
    """When it was stored, Unix milliseconds."""


STANDING = {
    "state": "bot",
    "answering": False,
    "position": None,
    "expected_wait_s": None,
    "opens_at": None,
    "agent": None,
    "rating": None,
    "read": 0,
    "reset": False,
    "draft": [],
}
EVENTS = {**STANDING, "events": [MESSAGE]}
OFFERED = {"categories": ["Lessons", "Payments"], "attachments": True, "articles": 63}
SESSION = {
    **STANDING,
    "token": "eyJhbGciOiJIUzI1NiJ9.e30.signature",
    "conversation": "3f2a9c0d5b7e4a1f8c6d2e0b9a7f5c3d",
    "messages": [],
    **OFFERED,
    "customer": None,
}
RATED = {
    "client_message_id": "r-1",
    "episode": 1,
    "score": 5,
    "comment": "Thank you!",
    "at": 1_796_036_400_000,
}
RECEIPT = {"seq": 1, "client_message_id": "m-1", "at": 1_796_036_400_000}

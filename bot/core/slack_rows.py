"""What is kept of Slack: what came in, which thread is which conversation, what was posted there, and who is which agent. Pure."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import AgentId, ConversationId

KEPT_MS = 48 * 3_600_000  # how long the id of something that came in is known at least (FAULTS SL4)


class InboxKind(StrEnum):
    """What Slack sent."""

    EVENT = "event"
    ACTION = "action"
    VIEW = "view"


class Side(StrEnum):
    """Who uses a thread: a customer, or the agents' desk."""

    CUSTOMER = "customer"
    DESK = "desk"


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """Something that came in; of equal keys, and of equal effects, only the first is kept.

    `payload` is the JSON text, empty once it was worked on. `error` is why the last attempt failed.
    """

    key: str
    kind: InboxKind
    payload: str
    received_ms: int
    due_ms: int
    effect: str | None = None
    attempts: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A thread in Slack; without `thread_ts` the channel itself, as a direct message is outside of threads."""

    team: str
    channel: str
    thread_ts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackThread:
    """What a place is to a conversation, and how far it shows its messages and notes.

    `user` is the customer's Slack id, `spell` the epoch that a desk's card began with.
    """

    conversation: ConversationId
    side: Side
    place: Place
    user: str = ""
    spell: int = 0
    shown_seq: int = 0
    shown_note: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPost:
    """Something that the bot posts once; without `ts` it was begun and nobody knows yet what came of it.

    `digest` tells whether what is shown differs from what should be.
    """

    key: str
    conversation: ConversationId
    place: Place
    begun_ms: int
    ts: str | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPerson:
    """Which agent a Slack user is."""

    team: str
    user: str
    agent: AgentId


def is_about(payload: str, conversation: ConversationId, places: Collection[Place]) -> bool:
    """Return whether something that came in names the conversation, or came from one of its places."""
    if re.search(rf"(?<![\w-]){re.escape(conversation)}(?![\w-])", payload):
        return True
    try:
        named = tuple(_named(json.loads(payload)))
    except ValueError:
        return False
    values = {value for _, value in named}
    in_thread = any(name == "thread_ts" for name, _ in named)
    return any(
        {place.team, place.channel} <= values
        and (place.thread_ts in values if place.thread_ts else not in_thread)
        for place in places
    )


def _named(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a payload with the name that it stands under."""
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _named(one, inner)
    elif isinstance(value, list):
        for one in value:
            yield from _named(one, name)
    elif isinstance(value, str):
        yield name, value

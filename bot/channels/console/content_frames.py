"""What the content page asks for: bodies and queries, strict and bounded, with errors that name field, problem and remedy. Pure."""

import math
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from bot.channels.bodies import Strict
from bot.channels.console.frames import Locale, to_search_text
from bot.core.conversation import Role
from bot.core.knowledge import ArticleId, ArticleStatus
from bot.errors import InputRejected

DAYS = 30
MOST_MESSAGES = 10  # more than the four that count; all of them fit into the longest body
LONGEST_MESSAGE = 1_500  # characters
MOST_TAG = 100  # characters
THRESHOLD_LENGTH = 12  # characters; a cosine needs fewer

Article = Annotated[str, Field(min_length=1, max_length=200)]


class TriedMessage(Strict):
    role: Literal["customer", "bot", "agent"]
    text: Annotated[str, Field(max_length=LONGEST_MESSAGE)]


class TryBody(Strict):
    messages: Annotated[list[TriedMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    """Oldest first; the last is the customer's question."""
    locale: Locale | None = None
    """The customer's language, such as `en`; null for that of the articles."""

    @property
    def said(self) -> tuple[tuple[Role, str], ...]:
        """Return who wrote what."""
        return tuple((Role(message.role), message.text) for message in self.messages)


class SupersedeBody(Strict):
    """One article of the pair stays, and the other is superseded."""

    decision: Literal["supersede"]
    keep: Article
    """The id of the article that stays."""


class DistinctBody(Strict):
    """Both articles stay, and the pair is not shown again."""

    decision: Literal["distinct"]


class DecisionBody(RootModel[Annotated[SupersedeBody | DistinctBody, Field(discriminator="decision")]]):
    """What to do with a pair."""

    model_config = ConfigDict(strict=True, frozen=True)

    @property
    def keep(self) -> ArticleId | None:
        """Return the article that stays; None when both do."""
        return ArticleId(self.root.keep) if isinstance(self.root, SupersedeBody) else None


def to_span(raw: str | None, *, most: int) -> int:
    """Read for how many days something is wanted."""
    if raw is None:
        return DAYS
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 3 and 1 <= int(raw) <= most):
        raise InputRejected("days", "is not a number of days", f"send 1 to {most}")
    return int(raw)


def to_words(raw: str | None) -> str:
    """Read words to find articles by; empty for all articles."""
    return to_search_text(raw).strip()


def to_status(raw: str | None) -> ArticleStatus | None:
    """Read which articles are wanted; None for all."""
    if not raw:
        return None
    try:
        return ArticleStatus(raw)
    except ValueError:
        raise InputRejected("status", "is no status", f"use {', '.join(ArticleStatus)}, or none") from None


def to_tag(raw: str | None) -> str:
    """Read with which tag articles are wanted; empty for any."""
    tag = raw or ""
    if len(tag) > MOST_TAG:
        raise InputRejected("tag", f"is {len(tag):,} characters long", f"shorten it to {MOST_TAG}")
    return tag


def to_threshold(raw: str | None) -> float | None:
    """Read a threshold; None for the one in force."""
    if not raw:
        return None
    refused = InputRejected("threshold", "is not a cosine", "send a number from -1 to 1")
    if len(raw) > THRESHOLD_LENGTH or not raw.isascii():
        raise refused
    try:
        value = float(raw)
    except ValueError:
        raise refused from None
    if not (math.isfinite(value) and -1 <= value <= 1):
        raise refused
    return value

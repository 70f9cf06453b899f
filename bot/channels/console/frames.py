"""What the console sends, over HTTP and over its socket: strict, bounded, and nothing but what is listed here. Pure."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from bot.channels.bodies import MessageId, Seq, Strict
from bot.core.desk import MarkKind, Resolution
from bot.errors import InputRejected

MOST_SEARCHED = 200  # characters

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Locale = Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
Text = Annotated[str, Field(max_length=8_000)]  # the service cleans it and says how long it may be


class NothingBody(Strict):
    """What a move needs that says all by its address."""


class TransferBody(Strict):
    to: Key
    """The colleague's id."""


class ResolveBody(Strict):
    code: Resolution
    seen: Seq
    """The last of the customer's messages that the agent had in view."""


class ReplyBody(Strict):
    client_message_id: MessageId
    text: Text
    """At most 4,000 characters once it is cleaned."""
    seen: Seq
    """The last of the customer's messages that the agent had in view."""


class NoteBody(Strict):
    client_message_id: MessageId
    text: Text


class DraftBody(Strict):
    text: Text


class MarkBody(Strict):
    kind: MarkKind
    seq: Seq = 0
    """The message of the bot that is wrong; 0 for the whole conversation, which a gap in the articles is about."""
    remark: Annotated[str, Field(max_length=1_000)] = ""


class CannedReplyBody(Strict):
    title: Annotated[str, Field(max_length=200)]
    text: Text
    locale: Locale
    """The language that it is written in, such as `en`."""


class HelloFrame(Strict):
    """The first frame of a socket."""

    type: Literal["hello"]


class AliveFrame(Strict):
    """A sign of life of the page, which keeps its agent's claims."""

    type: Literal["alive"]


class WatchFrame(Strict):
    """Which conversation is in view, and up to where the page has it."""

    type: Literal["watch"]
    conversation: Key
    after: Seq = 0
    notes_after: Seq = 0


class UnwatchFrame(Strict):
    type: Literal["unwatch"]


class TypingFrame(Strict):
    type: Literal["typing"]
    conversation: Key


class ReadFrame(Strict):
    """Up to which message the agent has the conversation in view."""

    type: Literal["read"]
    conversation: Key
    seq: Seq


AnyFrame = AliveFrame | WatchFrame | UnwatchFrame | TypingFrame | ReadFrame


class ClientFrame(RootModel[Annotated[AnyFrame, Field(discriminator="type")]]):
    """Any frame after the first."""

    model_config = ConfigDict(strict=True, frozen=True)


def to_mark_kind(raw: str) -> MarkKind:
    """Read the kind of a mark from an address; InputRejected when there is none such."""
    try:
        return MarkKind(raw)
    except ValueError:
        raise InputRejected("kind", "is no kind of mark", f"use {' or '.join(MarkKind)}") from None


def to_search_text(raw: str | None) -> str:
    """Read what to search for from a query; InputRejected when it is too long to be words that somebody typed."""
    text = raw or ""
    if len(text) > MOST_SEARCHED:
        raise InputRejected("q", f"is {len(text):,} characters long", f"shorten it to {MOST_SEARCHED}")
    return text

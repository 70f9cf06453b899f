"""Pure translations between the widget's JSON and our values. Customers never see a score or evidence."""

import unicodedata
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from bot.channels.bodies import MessageId, MessageSeq, Seq, Strict
from bot.channels.events import Event, to_block, to_message_event
from bot.channels.person_requests import person_request
from bot.channels.widget.standing import Names, Shown, Standing
from bot.core.attachments import cleaned_file_name
from bot.core.conversation import (
    DID_NOT_HELP,
    HELPED,
    Channel,
    Conversation,
    ConversationId,
    Kind,
    Message,
    Role,
)
from bot.core.customers import Customer, Page, cleaned_page
from bot.core.inbound import CustomerMessage, clean_text
from bot.core.languages import language_part
from bot.core.revisions import without_old_texts
from bot.errors import InputRejected
from bot.ports import Received

Locale = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$")]


class PageBody(Strict):
    """Where the customer is, as the embedding page says."""

    url: str = ""
    """At most 200 characters are kept, as of the title."""
    title: str = ""


class Arriving(Strict):
    """What a browser says whenever it comes."""

    locale: Locale = "en"
    """The customer's language, such as `de` or `pt-BR`."""
    page: PageBody | None = None

    @property
    def language(self) -> str:
        """The language alone: articles are kept by language, not by region."""
        return language_part(self.locale)


class SessionBody(Arriving):
    identity: str | None = None
    """A JWT by which the site vouches for the customer."""
    restart: bool = False
    """Whether to open a new conversation for the same customer; the old one stays."""


class IdentifyBody(Arriving):
    identity: str
    """A JWT by which the site vouches for the customer."""


class LogoutBody(Strict):
    """Nothing: the token says who signs out."""


class MessageBody(Strict):
    """What a customer says; a category that was tapped is no question and is marked as what it is."""

    client_message_id: MessageId
    text: str
    """At most 4,000 characters."""
    category: bool = False
    """Whether it is one of the categories that the session offered."""
    retry: bool = False
    """Whether it asks again what could not be looked up: after a message whose reason is `records_unavailable`."""


class HandoffBody(Strict):
    client_message_id: MessageId


class FeedbackBody(Strict):
    client_message_id: MessageId
    helped: bool
    message_seq: MessageSeq
    """The bot's message that is judged."""


class FileHead(Strict):
    """What the headers say of a file, because the body is the file itself."""

    client_message_id: MessageId
    file_name: str


class AuthFrame(Strict):
    """The first frame of a socket."""

    type: Literal["auth"]
    token: str
    after: Seq = 0


class PingFrame(Strict):
    """What a browser sends to learn whether the line is alive, because it cannot see the protocol's own pings."""

    type: Literal["ping"]


class TypingFrame(Strict):
    """The customer writes."""

    type: Literal["typing"]


class ReadFrame(Strict):
    """The customer has seen the messages up to this one."""

    type: Literal["read"]
    seq: Seq


class ClientFrame(RootModel[Annotated[PingFrame | TypingFrame | ReadFrame, Field(discriminator="type")]]):
    """Any frame after the first."""

    model_config = ConfigDict(strict=True, frozen=True)


def to_page(body: PageBody | None) -> Page | None:
    return None if body is None else cleaned_page(url=body.url, title=body.title)


def to_text_message(body: MessageBody, conversation: ConversationId) -> CustomerMessage:
    text = clean_text(body.text)
    if not any(_is_visible(character) for character in text):
        raise InputRejected("text", "is empty", "write something")
    kind = Kind.CATEGORY if body.category else Kind.RETRY if body.retry else Kind.TEXT
    return _customer_message(conversation, body.client_message_id, text, kind)


def to_file_message(head: FileHead, conversation: ConversationId) -> CustomerMessage:
    return _customer_message(
        conversation, head.client_message_id, cleaned_file_name(head.file_name), Kind.FILE
    )


def to_person_request(body: HandoffBody, conversation: Conversation) -> CustomerMessage:
    text = person_request(conversation.locale)
    return _customer_message(conversation.id, body.client_message_id, text, Kind.PERSON_REQUEST)


def to_feedback(body: FeedbackBody, conversation: ConversationId) -> CustomerMessage:
    text = HELPED if body.helped else DID_NOT_HELP
    return _customer_message(conversation, body.client_message_id, text, Kind.FEEDBACK)


def to_receipt(received: Received) -> Event:
    """Only what never changes, so that a repeat gets the very same answer."""
    message = received.message
    return {"seq": message.seq, "client_message_id": message.channel_message_id, "at": message.at_ms}


def to_customers_messages(messages: Iterable[Message], names: Names) -> list[Event]:
    """Translate what follows a cursor for the customer, who reads an agent's name and nothing else of the account, and no text that was revised."""
    return [
        {**to_message_event(m), "agent": names.get(m.author) if m.author else None}
        for m in without_old_texts(messages)
    ]


def to_status_event(standing: Standing) -> Event:
    """Translate who has the conversation and, in the queue, the place, the wait and the next opening."""
    return {"type": "status", **_to_state(standing)}


def to_typing_event() -> Event:
    return {"type": "typing", "by": Role.AGENT}


def to_read_event(seq: int) -> Event:
    """Say up to where agents have read."""
    return {"type": "read", "seq": seq}


def to_snapshot(shown: Shown) -> Event:
    """All that a client needs to be up to date; `reset` tells it to forget what it had."""
    return {
        "events": to_customers_messages(shown.snapshot.messages, shown.standing.names),
        "draft": [to_block(position, text) for position, text in enumerate(shown.snapshot.draft)],
        "reset": shown.reset,
        "read": shown.standing.reads.agent,
        **_to_state(shown.standing),
    }


def to_session(shown: Shown, token: str, customer: Customer) -> Event:
    whole = to_snapshot(shown)
    return {
        "token": token,
        "customer": {"name": customer.name, "verified": True} if customer.verified else None,
        "conversation": shown.standing.conversation.id,
        "messages": whole.pop("events"),
        **whole,
    }


def _to_state(standing: Standing) -> Event:
    conversation, wait = standing.conversation, standing.wait
    expected_ms = wait.expected_ms
    return {
        "state": conversation.status,
        "answering": conversation.owes_a_turn,
        "position": wait.position,
        "expected_wait_s": None if expected_ms is None else -(-expected_ms // 1000),
        "opens_at": wait.opens_ms,
        "agent": standing.names.get(conversation.agent) if conversation.agent else None,
        "rating": standing.rating,
    }


def _customer_message(
    conversation: ConversationId, message_id: str, text: str, kind: Kind
) -> CustomerMessage:
    return CustomerMessage(
        conversation=conversation,
        channel=Channel.WIDGET,
        channel_message_id=message_id,
        text=text,
        kind=kind,
    )


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "ZCM"

"""Pure translations between the widget's JSON and our values. Customers never see a score or evidence."""

import unicodedata
from typing import Annotated, Literal

from pydantic import Field

from bot.channels.bodies import MessageId, MessageSeq, Seq, Strict
from bot.channels.events import Event, to_block, to_message_event
from bot.core.conversation import Channel, Conversation, ConversationId, Kind
from bot.core.inbound import CustomerMessage, clean_text
from bot.core.languages import language_part
from bot.errors import InputRejected
from bot.ports import Received, Snapshot

Locale = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$")]

PERSON_REQUESTS = {
    "en": "I would like to talk to a person",
    "de": "Ich möchte mit einem Menschen sprechen",
    "es": "Quiero hablar con una persona",
    "fr": "Je voudrais parler à une personne",
    "pt": "Quero falar com uma pessoa",
}


class SessionBody(Strict):
    locale: Locale = "en"

    @property
    def language(self) -> str:
        """The language alone: articles are kept by language, not by region."""
        return language_part(self.locale)


class MessageBody(Strict):
    client_message_id: MessageId
    text: str


class HandoffBody(Strict):
    client_message_id: MessageId


class FeedbackBody(Strict):
    client_message_id: MessageId
    helped: bool
    message_seq: MessageSeq


class AuthFrame(Strict):
    """The first frame of a socket."""

    type: Literal["auth"]
    token: str
    after: Seq = 0


class PingFrame(Strict):
    """What a browser sends to learn whether the line is alive, because it cannot see the protocol's own pings."""

    type: Literal["ping"]


def to_text_message(body: MessageBody, conversation: ConversationId) -> CustomerMessage:
    text = clean_text(body.text)
    if not any(_is_visible(character) for character in text):
        raise InputRejected("text", "is empty", "write something")
    return _customer_message(conversation, body.client_message_id, text, Kind.TEXT)


def to_person_request(body: HandoffBody, conversation: Conversation) -> CustomerMessage:
    text = PERSON_REQUESTS.get(conversation.locale, PERSON_REQUESTS["en"])
    return _customer_message(conversation.id, body.client_message_id, text, Kind.PERSON_REQUEST)


def to_feedback(body: FeedbackBody, conversation: ConversationId) -> CustomerMessage:
    text = "yes" if body.helped else "no"
    return _customer_message(conversation, body.client_message_id, text, Kind.FEEDBACK)


def to_receipt(received: Received) -> Event:
    """Only what never changes, so that a repeat gets the very same answer."""
    message = received.message
    return {"seq": message.seq, "client_message_id": message.channel_message_id, "at": message.at_ms}


def to_status_event(conversation: Conversation) -> Event:
    return {"type": "status", **_to_state(conversation)}


def to_snapshot(snapshot: Snapshot, *, reset: bool) -> Event:
    """All that a client needs to be up to date; `reset` tells it to forget what it had."""
    return {
        "events": [to_message_event(message) for message in snapshot.messages],
        "draft": [to_block(position, text) for position, text in enumerate(snapshot.draft)],
        "reset": reset,
        **_to_state(snapshot.conversation),
    }


def to_session(snapshot: Snapshot, token: str) -> Event:
    whole = to_snapshot(snapshot, reset=True)
    return {
        "token": token,
        "conversation": snapshot.conversation.id,
        "messages": whole.pop("events"),
        **whole,
    }


def _to_state(conversation: Conversation) -> Event:
    return {"state": conversation.status, "answering": conversation.owes_a_turn}


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

"""Pure translations between the widget's JSON and our values. Customers never see a score or evidence."""

import unicodedata
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.channels.rendering import render, safe_url
from bot.core.conversation import Channel, Conversation, ConversationId, Kind, Message, Role, Source
from bot.core.inbound import CustomerMessage, clean_text
from bot.core.languages import language_part
from bot.errors import InputRejected
from bot.ports import Received, Snapshot
from bot.service.live import DraftShown, Step

LARGEST_SEQ = 2**53 - 1  # the largest whole number that a browser holds exactly
Event = dict[str, object]

MessageId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Seq = Annotated[int, Field(ge=0, le=LARGEST_SEQ)]
Locale = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$")]

PERSON_REQUESTS = {
    "en": "I would like to talk to a person",
    "de": "Ich möchte mit einem Menschen sprechen",
    "es": "Quiero hablar con una persona",
    "fr": "Je voudrais parler à une personne",
    "pt": "Quero falar com uma pessoa",
}


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SessionBody(_Strict):
    locale: Locale = "en"

    @property
    def language(self) -> str:
        """The language alone: articles are kept by language, not by region."""
        return language_part(self.locale)


class MessageBody(_Strict):
    client_message_id: MessageId
    text: str


class HandoffBody(_Strict):
    client_message_id: MessageId


class FeedbackBody(_Strict):
    client_message_id: MessageId
    helped: bool
    message_seq: Annotated[int, Field(ge=1, le=LARGEST_SEQ)]


class AuthFrame(_Strict):
    """The first frame of a socket."""

    type: Literal["auth"]
    token: str
    after: Seq = 0


class PingFrame(_Strict):
    """What a browser sends to learn whether the line is alive, because it cannot see the protocol's own pings."""

    type: Literal["ping"]


Body = TypeVar("Body", bound=_Strict)


def parse(model: type[Body], raw: bytes | str) -> Body:
    """Read untrusted JSON; InputRejected names the first field that is wrong and never repeats what was sent."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise InputRejected(field[:64], first["msg"], "see the widget protocol") from None


def parse_cursor(raw: str | None) -> int:
    """Read `after` from a query; InputRejected unless it is a whole number that is not negative."""
    if raw is None:
        return 0
    if not (raw.isascii() and raw.isdigit()) or int(raw[:17]) > LARGEST_SEQ or len(raw) > 16:
        raise InputRejected("after", "is not a sequence number", "send the seq of the last message you have")
    return int(raw)


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


def to_message_event(message: Message) -> Event:
    return {
        "type": "message",
        "seq": message.seq,
        "role": message.role,
        "automated": message.role is Role.BOT,
        "kind": message.kind,
        "text": message.text,
        "html": render(message.text) if message.role is Role.BOT else None,
        "at": message.at_ms,
        "sources": [_to_source(source) for source in message.sources],
        "options": list(message.options),
        "interrupted": message.interrupted,
        "reason": message.reason,
        "client_message_id": message.channel_message_id if message.role is Role.CUSTOMER else None,
    }


def to_draft_event(shown: DraftShown) -> Event:
    return {"type": "draft", "turn": shown.turn, **_to_block(shown.position, shown.text)}


def to_progress_event(step: Step) -> Event:
    return {"type": "progress", "step": step}


def to_status_event(conversation: Conversation) -> Event:
    return {"type": "status", **_to_state(conversation)}


def to_snapshot(snapshot: Snapshot, *, reset: bool) -> Event:
    """All that a client needs to be up to date; `reset` tells it to forget what it had."""
    return {
        "events": [to_message_event(message) for message in snapshot.messages],
        "draft": [_to_block(position, text) for position, text in enumerate(snapshot.draft)],
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


def _to_block(position: int, text: str) -> Event:
    return {"position": position, "text": text, "html": render(text)}


def _to_source(source: Source) -> Event:
    return {"id": source.id, "title": source.title, "url": safe_url(source.url)}


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

"""The operations of the customers' widget."""

from bot.channels.openapi import problems as p
from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Tag
from bot.channels.openapi.widget_shapes import (
    EVENTS,
    OFFERED,
    RECEIPT,
    SESSION,
    Events,
    Nothing,
    Offered,
    Receipt,
    Session,
)
from bot.channels.widget.frames import (
    FeedbackBody,
    HandoffBody,
    IdentifyBody,
    LogoutBody,
    MessageBody,
    SessionBody,
)

ARRIVING = (p.INPUT, p.TOKEN, p.ORIGIN, p.TOO_LARGE, p.TOO_MANY, p.UNAVAILABLE)
KNOWN = {**SESSION, "customer": {"name": "Ana Costa", "verified": True}}
WRITING = (p.INPUT, p.TOKEN, p.ORIGIN, p.CONFLICT, p.TOO_LARGE, p.TOO_MANY, p.UNAVAILABLE)
STORED = {
    202: Payload(description="The message is stored.", model=Receipt, example=RECEIPT),
    200: Payload(
        description="It had been stored before: this is the same receipt.", model=Receipt, example=RECEIPT
    ),
}
AFTER = Parameter(
    name="after",
    place="query",
    description="The seq of the last message that you have; 0 for none.",
    schema={"type": "integer", "minimum": 0, "maximum": 2**53 - 1, "default": 0},
    example=0,
)
LOCALE = Parameter(
    name="locale",
    place="query",
    description="The customer's language; an unknown one is answered in English.",
    schema={"type": "string", "default": "en"},
    example="en",
)
SOCKET = """Events as they happen. The first frame names the customer, within 5 seconds: `{"type": "auth", "token": "…", "after": 0}`.

The server answers with `snapshot` (the fields of `Events`), then sends `message` (a `Message`), `draft` (a `Block` with its `turn`), `progress`
(`step`: `searching` or `writing`), `status` (who has the conversation and the wait, as in `Events`), `typing` (`by`: `agent`) and
`read` (`seq`: agents have read so far). A `draft` is replaced by the next `message` of the bot.

The client may send `ping` (answered with `pong`), `typing`, and `read` with the `seq` up to which its reader has seen the messages. Messages
themselves are posted over HTTP."""

LOCALE = Parameter(
    name="locale",
    place="query",
    description="The customer's language.",
    schema={"type": "string", "default": "en"},
    example="en",
)

OPERATIONS = (
    Operation(
        method="get",
        path="/widget/v1/welcome",
        id="readOffers",
        tag=Tag.WIDGET,
        summary="What a customer is offered",
        description="The same is part of each session; this opens none. Origin may be missing here.",
        parameters=(LOCALE,),
        answers={200: Payload(model=Offered, example=OFFERED)},
        problems=(p.ORIGIN, p.UNAVAILABLE),
    ),
    Operation(
        method="post",
        path="/widget/v1/sessions",
        id="openSession",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER_OR_NEW,
        summary="Begin or resume a conversation",
        description="Without a token a new conversation is opened; with one its conversation is resumed. Both answer with a fresh token.",
        body=Payload(model=SessionBody, example={"locale": "en"}),
        answers={
            201: Payload(description="A conversation was opened.", model=Session, example=SESSION),
            200: Payload(description="The token's conversation.", model=Session, example=SESSION),
        },
        problems=(*ARRIVING, p.IDENTITY_REQUIRED, p.IDENTITY_REFUSED),
    ),
    Operation(
        method="post",
        path="/widget/v1/identify",
        id="identifyCustomer",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER_OR_NEW,
        summary="Say who the customer is",
        description="`identity` is a JWT (HS256) that the site's own server signs with WIDGET_JWT_SECRET: `sub` names the customer, `aud` is "
        "SITE, `exp` is at most an hour ahead. The customer's own latest open conversation is resumed, or a new one opened; that of an "
        "anonymous token is never merged with it.",
        body=Payload(model=IdentifyBody, example={"identity": "eyJhbGciOiJIUzI1NiJ9.e30.signature"}),
        answers={
            201: Payload(description="A conversation was opened.", model=Session, example=KNOWN),
            200: Payload(description="The customer's conversation.", model=Session, example=KNOWN),
        },
        problems=(*ARRIVING, p.IDENTITY_REFUSED),
    ),
    Operation(
        method="post",
        path="/widget/v1/logout",
        id="signCustomerOut",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Sign the customer out",
        description="Voids this token, every other one of the customer's, and every identity that was signed for them until now.",
        body=Payload(model=LogoutBody, example={}),
        answers={200: Payload(description="They are signed out.", model=Nothing, example={})},
        problems=(p.INPUT, p.TOKEN, p.ORIGIN, p.TOO_LARGE, p.UNAVAILABLE),
    ),
    Operation(
        method="post",
        path="/widget/v1/messages",
        id="sendMessage",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Say something",
        description="At most 4,000 characters. Text is stored as plain text, composed (NFC) and without control characters. With `retry` "
        "the bot looks up once more what it could not (`records_unavailable`), as long as no agent has taken the conversation; after that "
        "it is a message like any other.",
        body=Payload(
            model=MessageBody, example={"client_message_id": "m-1", "text": "How do I reschedule a lesson?"}
        ),
        answers=STORED,
        problems=WRITING,
    ),
    Operation(
        method="post",
        path="/widget/v1/handoff",
        id="askForPerson",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Ask for a person",
        description="Stored as a message of kind `person_request` in the conversation's language; the bot hands over.",
        body=Payload(model=HandoffBody, example={"client_message_id": "m-2"}),
        answers=STORED,
        problems=WRITING,
    ),
    Operation(
        method="post",
        path="/widget/v1/feedback",
        id="giveFeedback",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Say whether an answer helped",
        body=Payload(
            model=FeedbackBody, example={"client_message_id": "m-3", "helped": True, "message_seq": 2}
        ),
        answers=STORED,
        problems=(*WRITING, p.NO_MESSAGE),
    ),
    Operation(
        method="get",
        path="/widget/v1/events",
        id="readEvents",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Read what is new",
        description="What the socket sends first, for clients that have none and after a pause. Origin may be missing here.",
        parameters=(AFTER,),
        answers={200: Payload(model=Events, example=EVENTS)},
        problems=(p.INPUT, p.TOKEN, p.ORIGIN, p.UNAVAILABLE),
    ),
    Operation(
        method="get",
        path="/widget/v1/socket",
        id="openSocket",
        tag=Tag.WIDGET,
        summary="Follow a conversation over a WebSocket",
        description=SOCKET,
        answers={101: Payload(description="The WebSocket is open.")},
        problems=(p.NO_UPGRADE, p.ORIGIN, p.TOO_MANY),
    ),
)

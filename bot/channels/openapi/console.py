"""The operations of the agents' console that are about no single conversation."""

from bot.channels.console.frames import MOST_SEARCHED, CannedReplyBody
from bot.channels.console.sessions import AcceptBody, InvitationBody, SignInBody
from bot.channels.openapi import problems as p
from bot.channels.openapi.console_examples import AGENT_SESSION, CANNED, HOLDER, ROW
from bot.channels.openapi.console_shapes import (
    AgentSession,
    CannedText,
    CannedTexts,
    Colleagues,
    Invited,
    Matches,
    Queue,
)
from bot.channels.openapi.evidence_shapes import NUMBERS, NumbersReport
from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Tag
from bot.service.numbers import MOST_DAYS

COOKIE = {"Set-Cookie": "The session. Only browsers read it."}
READING = (p.SIGNED_OUT, p.UNAVAILABLE)
WRITING = (p.INPUT, p.SIGNED_OUT, p.ORIGIN, p.CSRF, p.ROLE, p.TOO_LARGE, p.UNAVAILABLE)
ENTERING = (p.INPUT, p.ORIGIN, p.HTTPS, p.TOO_LARGE, p.TOO_MANY, p.UNAVAILABLE)
KEY = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
SEARCH = Parameter(
    name="q",
    place="query",
    description="Words that stand in a message.",
    schema={"type": "string", "maxLength": MOST_SEARCHED},
    example="refund",
)
DAYS = Parameter(
    name="days",
    place="query",
    description="For how many days, today included.",
    schema={"type": "integer", "minimum": 1, "maximum": MOST_DAYS, "default": 7},
    example=7,
)
CANNED_ID = Parameter(
    name="id", place="path", required=True, description="The text's id.", schema=KEY, example="refund"
)
SOCKET = """The queue and one conversation, as they happen. The first frame is `{"type": "hello"}`, within 5 seconds.

The server answers with `queue` (`now`, `rows`), then sends `row` (a row that is new or different), `gone` (a conversation that is in the queue
no longer), and of the conversation in view `conversation` (a `View` of what is new), `draft`, `progress`, `typing` and `read`.

The client sends `alive` every 25 seconds, which keeps its agent's claims and is answered with `alive`; `watch` with `conversation`, `after` and
`notes_after`; `unwatch`; `typing` with `conversation`; and `read` with `conversation` and `seq`. A session that has ended closes the
socket within 60 seconds."""


OPERATIONS = (
    Operation(
        method="post",
        path="/console/v1/session",
        id="signIn",
        tag=Tag.CONSOLE,
        summary="Sign in",
        body=Payload(
            model=SignInBody,
            example={"email": "maria@shop.example", "password": "correct horse battery staple"},
        ),
        answers={201: Payload(model=AgentSession, example=AGENT_SESSION, headers=COOKIE)},
        problems=(*ENTERING, p.SIGN_IN),
    ),
    Operation(
        method="get",
        path="/console/v1/session",
        id="readAgentSession",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="Who is signed in",
        answers={200: Payload(model=AgentSession, example=AGENT_SESSION)},
        problems=READING,
    ),
    Operation(
        method="delete",
        path="/console/v1/session",
        id="signOut",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Sign out",
        answers={204: Payload(description="The session has ended.", headers=COOKIE)},
        problems=(p.SIGNED_OUT, p.ORIGIN, p.CSRF, p.UNAVAILABLE),
    ),
    Operation(
        method="post",
        path="/console/v1/invitation/look",
        id="readInvitation",
        tag=Tag.CONSOLE,
        summary="Whom an invitation is for",
        body=Payload(model=InvitationBody, example={"token": "the-secret-of-the-invitation"}),
        answers={
            200: Payload(
                model=Invited,
                example={"email": "maria@shop.example", "name": "Maria Lopez", "role": "agent"},
            )
        },
        problems=(*ENTERING, p.INVITATION),
    ),
    Operation(
        method="post",
        path="/console/v1/invitation",
        id="acceptInvitation",
        tag=Tag.CONSOLE,
        summary="Set a password and sign in",
        description="A password has 12 to 200 characters and is not easy to guess.",
        body=Payload(
            model=AcceptBody,
            example={"token": "the-secret-of-the-invitation", "password": "correct horse battery staple"},
        ),
        answers={201: Payload(model=AgentSession, example=AGENT_SESSION, headers=COOKIE)},
        problems=(*ENTERING, p.INVITATION),
    ),
    Operation(
        method="get",
        path="/console/v1/queue",
        id="readQueue",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="Who waits, and who is being helped",
        answers={200: Payload(model=Queue, example={"now": 1_796_036_460_000, "rows": [ROW]})},
        problems=READING,
    ),
    Operation(
        method="get",
        path="/console/v1/agents",
        id="readAgents",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="The colleagues",
        answers={
            200: Payload(model=Colleagues, example={"agents": [{**HOLDER, "role": "agent", "here": True}]})
        },
        problems=READING,
    ),
    Operation(
        method="get",
        path="/console/v1/search",
        id="searchConversations",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="Find past conversations",
        parameters=(SEARCH,),
        answers={
            200: Payload(
                model=Matches,
                example={
                    "found": [
                        {
                            "conversation": ROW["conversation"],
                            "customer": "Customer 3F2A",
                            "verified": False,
                            "state": "resolved",
                            "at": 1_796_036_400_000,
                            "seq": 1,
                            "excerpt": "Can I get a refund?",
                        }
                    ]
                },
            )
        },
        problems=(p.INPUT, *READING),
    ),
    Operation(
        method="get",
        path="/console/v1/canned",
        id="readCannedTexts",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="The prepared texts",
        answers={200: Payload(model=CannedTexts, example={"canned": [CANNED]})},
        problems=READING,
    ),
    Operation(
        method="put",
        path="/console/v1/canned/{id}",
        id="saveCannedText",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Keep a prepared text",
        description="For the roles content and admin; at most 500 texts.",
        parameters=(CANNED_ID,),
        body=Payload(
            model=CannedReplyBody, example={"title": "Refund", "text": "I have sent it.", "locale": "en"}
        ),
        answers={200: Payload(model=CannedText, example=CANNED)},
        problems=(*WRITING, p.NOT_FOUND),
    ),
    Operation(
        method="delete",
        path="/console/v1/canned/{id}",
        id="removeCannedText",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Remove a prepared text",
        description="For the roles content and admin. One that is not there is left alone.",
        parameters=(CANNED_ID,),
        answers={204: Payload(description="It is not there any more.")},
        problems=(p.SIGNED_OUT, p.ORIGIN, p.CSRF, p.ROLE, p.NOT_FOUND, p.UNAVAILABLE),
    ),
    Operation(
        method="get",
        path="/console/v1/numbers",
        id="readNumbers",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="How the bot and the desk do",
        parameters=(DAYS,),
        answers={200: Payload(model=NumbersReport, example=NUMBERS)},
        problems=(p.INPUT, *READING),
    ),
    Operation(
        method="get",
        path="/console/v1/socket",
        id="openDeskSocket",
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary="Follow the desk over a WebSocket",
        description=SOCKET,
        answers={101: Payload(description="The WebSocket is open.")},
        problems=(p.NO_UPGRADE, p.SIGNED_OUT, p.ORIGIN, p.UNAVAILABLE),
    ),
)

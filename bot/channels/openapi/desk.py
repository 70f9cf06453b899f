"""The operations of the agents' console below one conversation."""

from dataclasses import replace

from bot.channels.console.frames import (
    DraftBody,
    MarkBody,
    NoteBody,
    NothingBody,
    ReplyBody,
    ResolveBody,
    TransferBody,
)
from bot.channels.openapi import problems as p
from bot.channels.openapi.console import KEY, READING, WRITING
from bot.channels.openapi.console_examples import HOLDER, MARK, NOTE, REPLY, STATE, VIEW
from bot.channels.openapi.console_shapes import History, Marked, Noted, Replied, State, Suggested, View
from bot.channels.openapi.evidence_shapes import EVIDENCE, Evidence
from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Tag
from bot.channels.openapi.problems import Problem
from bot.channels.openapi.widget import AFTER
from bot.core.attachments import MediaType
from bot.core.desk import MarkKind

PATH = "/console/v1/conversations/{id}"
CONVERSATION = Parameter(
    name="id",
    place="path",
    required=True,
    description="The conversation.",
    schema=KEY,
    example="3f2a9c0d5b7e4a1f8c6d2e0b9a7f5c3d",
)
NOTES_AFTER = Parameter(
    name="notes_after",
    place="query",
    description="The seq of the last note that you have; 0 for none.",
    schema=AFTER.schema,
    example=0,
)
TURN = Parameter(
    name="turn",
    place="path",
    required=True,
    description="The turn, as the message that it ended with names it.",
    schema={"type": "string", "minLength": 1},
    example="5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60",
)
ASKED = Parameter(
    name="q",
    place="query",
    description="What to look for; without it, what the customer asked last.",
    schema={"type": "string"},
    example="reschedule",
)
MARK_KIND = Parameter(
    name="kind",
    place="path",
    required=True,
    description="What was noticed.",
    schema={"type": "string", "enum": list(MarkKind)},
    example="wrong_answer",
)
MARK_SEQ = Parameter(
    name="seq",
    place="path",
    required=True,
    description="The message; 0 for the whole conversation.",
    schema={"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
    example=2,
)
IMAGE_SEQ = replace(MARK_SEQ, description="The message that it came with.")
IMAGE = Payload(
    description="The image. Its headers keep browsers from opening it as a page.",
    media_types=tuple(MediaType),
    binary=True,
    headers={"Content-Disposition": "Names the file to save it as."},
)
HERE = (p.NO_CONVERSATION, p.NOT_FOUND)
MOVING = (*WRITING, *HERE, p.CHANGED, p.REFUSED)


def _reading(path: str, operation_id: str, summary: str, answer: Payload) -> Operation:
    return Operation(
        method="get",
        path=PATH + path,
        id=operation_id,
        tag=Tag.CONSOLE,
        access=Access.READER,
        summary=summary,
        parameters=(CONVERSATION,),
        answers={200: answer},
        problems=(*READING, *HERE),
    )


def _move(path: str, operation_id: str, summary: str, body: Payload, *problems: Problem) -> Operation:
    return Operation(
        method="post",
        path=PATH + path,
        id=operation_id,
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary=summary,
        parameters=(CONVERSATION,),
        body=body,
        answers={200: Payload(description="Who has it now.", model=State, example=STATE)},
        problems=(*WRITING, *HERE, p.CHANGED, *problems),
    )


NOTHING = Payload(model=NothingBody, example={})
VIEWED = Payload(model=View, example=VIEW)
PAST = Payload(
    model=History,
    example={
        "rows": [
            {
                "at": 1_796_036_400_000,
                "who": "Customer",
                "what": "opened",
                "what_text": "opened the conversation",
                "detail_text": "",
            }
        ]
    },
)
SUGGESTED = Payload(
    model=Suggested,
    example={
        "articles": [
            {
                "id": "KB000003",
                "title": "How to reschedule a lesson",
                "url": "/articles/KB000003",
                "excerpt": "Open **My lessons**.",
                "cosine": 0.71,
            }
        ],
        "problem": None,
    },
)

OPERATIONS = (
    replace(
        _reading("", "readConversation", "What an agent sees of a conversation", VIEWED),
        parameters=(CONVERSATION, AFTER, NOTES_AFTER),
        problems=(p.INPUT, *READING, *HERE),
    ),
    _reading("/history", "readHistory", "What happened to a conversation, and who did it", PAST),
    replace(
        _reading(
            "/turns/{turn}",
            "readEvidence",
            "Why the bot did what it did",
            Payload(model=Evidence, example=EVIDENCE),
        ),
        parameters=(CONVERSATION, TURN),
        problems=(*READING, *HERE, p.NO_TURN),
    ),
    replace(
        _reading("/suggestions", "readSuggestions", "Articles that could answer", SUGGESTED),
        parameters=(CONVERSATION, ASKED),
        problems=(*READING, *HERE, p.NO_SEARCH, p.NO_INDEX, p.OUT_OF_TIME),
    ),
    replace(
        _reading("/attachments/{seq}", "readImage", "An image that a customer sent", IMAGE),
        parameters=(CONVERSATION, IMAGE_SEQ),
        problems=(p.INPUT, *READING, *HERE, p.NO_IMAGE),
    ),
    replace(
        _move("/claim", "claimConversation", "Claim", NOTHING, p.CLAIM_REFUSED, p.REFUSED),
        description="From the queue, or from the bot. A claim lasts for 120 seconds after the agent's last sign of life.",
    ),
    replace(
        _move("/release", "releaseConversation", "Put back into the queue", NOTHING, p.CLAIM_LOST, p.REFUSED),
    ),
    replace(
        _move("/return", "returnConversation", "Give back to the bot", NOTHING, p.CLAIM_LOST, p.REFUSED),
        description="The bot answers what the customer wrote since the agent's last reply.",
    ),
    _move(
        "/transfer",
        "transferConversation",
        "Give to a colleague",
        Payload(model=TransferBody, example={"to": HOLDER["id"]}),
        p.CLAIM_LOST,
        p.REFUSED,
    ),
    _move(
        "/resolve",
        "resolveConversation",
        "Finish",
        Payload(model=ResolveBody, example={"code": "answered", "seen": 3}),
        p.CLAIM_LOST,
        p.WROTE,
        p.REFUSED,
    ),
    replace(
        _move(
            "/reply",
            "reply",
            "Say something to the customer",
            Payload(
                model=ReplyBody,
                example={"client_message_id": "r-1", "text": "Hello, this is Maria.", "seen": 3},
            ),
            p.CLAIM_LOST,
            p.CONFLICT,
            p.REFUSED,
        ),
        answers={
            200: Payload(description="It was sent.", model=Replied, example={**STATE, "message": REPLY})
        },
    ),
    replace(
        _move(
            "/draft",
            "keepDraft",
            "Keep what the agent has begun to write",
            Payload(model=DraftBody, example={"text": "Hel"}),
        ),
        method="put",
    ),
    replace(
        _move(
            "/note",
            "addNote",
            "Add an internal note",
            Payload(model=NoteBody, example={"client_message_id": "n-1", "text": "Called the tutor."}),
            p.CONFLICT,
        ),
        answers={200: Payload(description="It was added.", model=Noted, example={**STATE, "note": NOTE})},
    ),
    replace(
        _move(
            "/marks",
            "mark",
            "Mark a gap in the articles, or a wrong answer",
            Payload(model=MarkBody, example={"kind": "wrong_answer", "seq": 2, "remark": "Out of date"}),
        ),
        answers={200: Payload(description="It is marked.", model=Marked, example={**STATE, "mark": MARK})},
    ),
    Operation(
        method="delete",
        path=f"{PATH}/marks/{{kind}}/{{seq}}",
        id="unmark",
        tag=Tag.CONSOLE,
        access=Access.WRITER,
        summary="Take a mark away",
        parameters=(CONVERSATION, MARK_KIND, MARK_SEQ),
        answers={200: Payload(description="It is not there any more.", model=State, example=STATE)},
        problems=(p.INPUT, p.SIGNED_OUT, p.ORIGIN, p.CSRF, *HERE, p.UNAVAILABLE),
    ),
)

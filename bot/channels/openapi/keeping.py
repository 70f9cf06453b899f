"""The operations of the customers' widget about what is kept beside messages: files, ratings, transcripts."""

from bot.channels.openapi import problems as p
from bot.channels.openapi.operations import Access, Operation, Parameter, Payload, Tag
from bot.channels.openapi.widget import STORED, WRITING
from bot.channels.openapi.widget_shapes import RATED, RatingReceipt
from bot.channels.widget.ratings import RatingBody
from bot.channels.widget.uploads import FILE_NAME_HEADER, MESSAGE_ID_HEADER
from bot.core.attachments import MediaType

MESSAGE_ID = Parameter(
    name=MESSAGE_ID_HEADER,
    place="header",
    required=True,
    description="Chosen by the client, new for each message: the file's `client_message_id`.",
    schema={"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    example="f-1",
)
FILE_NAME = Parameter(
    name=FILE_NAME_HEADER,
    place="header",
    required=True,
    description="The file's name, percent-encoded UTF-8; agents see it.",
    schema={"type": "string", "pattern": "^([A-Za-z0-9_.~-]|%[0-9A-F]{2})+$"},
    example="screenshot%201.png",
)

OPERATIONS = (
    Operation(
        method="post",
        path="/widget/v1/attachments",
        id="sendFile",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Send a file",
        description="An image of at most 5 MB is kept for agents where ATTACHMENTS is on. Elsewhere its name alone is, as a message of kind "
        "`file`, and the bot hands over. What a file is, its first bytes say, never its name.",
        parameters=(MESSAGE_ID, FILE_NAME),
        body=Payload(media_types=tuple(MediaType), binary=True),
        answers=STORED,
        problems=(
            *WRITING[:4],
            p.FILE_TOO_LARGE,
            p.NO_ROOM,
            p.UNSUPPORTED,
            p.TOO_SLOW,
            p.TOO_MANY,
            p.UNAVAILABLE,
        ),
    ),
    Operation(
        method="post",
        path="/widget/v1/rating",
        id="rate",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="Rate what was finished",
        description="Once an agent has resolved the conversation; it may be rated again, the last rating counts.",
        body=Payload(
            model=RatingBody, example={"client_message_id": "r-1", "score": 5, "comment": "Thank you!"}
        ),
        answers={200: Payload(description="The rating is kept.", model=RatingReceipt, example=RATED)},
        problems=(*WRITING, p.NOT_RESOLVED),
    ),
    Operation(
        method="get",
        path="/widget/v1/transcript",
        id="readTranscript",
        tag=Tag.WIDGET,
        access=Access.CUSTOMER,
        summary="The conversation as a text to keep",
        description="All that the customer has seen. Origin may be missing here.",
        answers={
            200: Payload(
                description="The text.",
                media_types=("text/plain",),
                headers={"Content-Disposition": "Names the file to save it as."},
            )
        },
        problems=(p.TOKEN, p.ORIGIN, p.UNAVAILABLE),
    ),
)

"""How untrusted JSON is read and answered over HTTP, the same in every channel: strict, bounded, never repeated in an error."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import InputRejected

LARGEST_SEQ = 2**53 - 1  # the largest whole number that a browser holds exactly

MessageId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Chosen by the client, new for each message.")
]
Seq = Annotated[int, Field(ge=0, le=LARGEST_SEQ)]
MessageSeq = Annotated[int, Field(ge=1, le=LARGEST_SEQ)]


class Strict(BaseModel):
    """A body or frame with exactly its own fields, of exactly their types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)


Body = TypeVar("Body", bound=BaseModel)


def parse(model: type[Body], raw: bytes | str) -> Body:
    """Read untrusted JSON; InputRejected names the first field that is wrong and never repeats what was sent."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        raise InputRejected(field[:64], first["msg"], "correct it and send it again") from None


async def json_body(request: web.Request, model: type[Body]) -> Body:
    """Read a request's body, which a form on another site cannot send: it has to be declared as JSON."""
    if request.content_type != "application/json":
        raise InputRejected("Content-Type", "is not application/json", "send JSON")
    return parse(model, await request.read())


def parse_cursor(raw: str | None, *, name: str = "after") -> int:
    """Read a cursor from a query; InputRejected unless it is a whole number that is not negative."""
    if raw is None:
        return 0
    if not (raw.isascii() and raw.isdigit()) or int(raw[:17]) > LARGEST_SEQ or len(raw) > 16:
        raise InputRejected(name, "is not a sequence number", "send the seq of the last message you have")
    return int(raw)


def json_answer(body: Mapping[str, object], *, status: int = 200) -> web.Response:
    """Answer with JSON that nobody keeps."""
    return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})

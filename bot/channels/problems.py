"""The one form in which an error leaves the server: JSON with a code for programs and a sentence for people."""

from collections.abc import Mapping
from http import HTTPStatus

from aiohttp import web

from bot.errors import (
    CandorError,
    ConversationUnknown,
    InputRejected,
    MessageConflict,
    OutsideFailure,
    Refused,
)

RETRY_AFTER_S = 5  # for an outside system that is down; a client adds its own jitter


class ProblemJson(web.HTTPException):
    """A request that ends in an error which was put into words already."""

    status_code: int = 400  # the library refuses a subclass without one

    def __init__(
        self, status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status_code = status
        body = web.json_response({"error": {"code": code, "message": message}}).text
        super().__init__(headers=headers, text=body, content_type="application/json")


def to_problem(error: CandorError) -> ProblemJson:
    """Say what went wrong without telling how: details are in the log."""
    match error:
        case InputRejected():
            return ProblemJson(400, "input_rejected", str(error))
        case MessageConflict():
            return ProblemJson(409, "message_conflict", "This message id was used with another message.")
        case ConversationUnknown():
            return ProblemJson(404, "conversation_unknown", "There is no such conversation.")
        case Refused():
            return ProblemJson(409, "refused", str(error))
        case OutsideFailure():
            message = "We cannot reach our records right now. Please try again in a moment."
            return ProblemJson(503, "unavailable", message, headers={"Retry-After": str(RETRY_AFTER_S)})
        case _:
            return internal_problem()


def from_http(error: web.HTTPException) -> ProblemJson:
    """Put aiohttp's own refusals (404, 405, 413) into the same form."""
    phrase = HTTPStatus(error.status).phrase
    allow = {"Allow": error.headers["Allow"]} if "Allow" in error.headers else None
    return ProblemJson(error.status, phrase.lower().replace(" ", "_"), f"{phrase}.", headers=allow)


def internal_problem() -> ProblemJson:
    """Admit a defect of ours."""
    return ProblemJson(500, "internal", "Something went wrong on our side. Please try again.")

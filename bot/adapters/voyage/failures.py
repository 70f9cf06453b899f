"""What a failure of Voyage means, and whether it is worth another try. Pure.

Messages name the kind of failure and never repeat what was sent or received: the client's own ones quote whole answers.
"""

from aiohttp import ClientError
from voyageai.error import APIConnectionError, Timeout, VoyageError

from bot.core.retries import may_pass, pause_before_retry
from bot.errors import EmbedderKeyRejected, RetrievalUnavailable

LEAST_LEFT_S = 0.5  # less than this is too short for an answer of Voyage's
REFUSED = "Voyage refuses the request; check VOYAGE_MODEL, VOYAGE_DIMENSION and VOYAGE_BASE_URL"


def to_error(failure: Exception) -> RetrievalUnavailable:
    """Return our error for whatever was raised while Voyage was asked or its answer read."""
    status = _status(failure)
    kind = " ".join(str(part) for part in (type(failure).__name__, status) if part is not None)
    if status in {401, 403}:
        return EmbedderKeyRejected(
            f"Voyage rejects VOYAGE_API_KEY ({kind}); set a key that may use the model"
        )
    return RetrievalUnavailable(f"{_said(failure, status)} ({kind})")


def pause_after(failure: Exception, *, attempt: int, left_s: float, jitter: float) -> float | None:
    """Return how long to wait before the next attempt, the first one being 0; None when there shall be none."""
    if not _may_pass(failure):
        return None
    asked = failure.headers.get("retry-after") if isinstance(failure, VoyageError) else None
    return pause_before_retry(
        attempt=attempt, left_s=left_s, least_s=LEAST_LEFT_S, jitter=jitter, asked=asked
    )


def _said(failure: Exception, status: int | None) -> str:
    if isinstance(failure, Timeout):
        return "Voyage did not answer in time"
    if isinstance(failure, APIConnectionError | ClientError):
        return "Voyage cannot be reached, or broke the connection"
    if status is None or status < 400:
        return "what Voyage answered cannot be read"
    if status == 429:
        return "Voyage's rate limit is reached; try again later"
    return REFUSED if status < 500 else "Voyage fails"


def _may_pass(failure: Exception) -> bool:
    status = _status(failure)
    if status is not None:
        return may_pass(status)
    # A connection that breaks within an answer comes as the error of the library below the client.
    return isinstance(failure, Timeout | APIConnectionError | ClientError)


def _status(failure: Exception) -> int | None:
    return failure.http_status if isinstance(failure, VoyageError) else None

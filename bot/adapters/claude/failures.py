"""What a failure of the model's provider means, and whether it is worth another try within the turn. Pure.

Messages name the kind of failure and never repeat what was sent or received.
"""

import re

import httpx2
from anthropic import APIConnectionError, APIStatusError

from bot.adapters.claude.events import NotAnAnswer, StreamBroken
from bot.core import retries
from bot.errors import KeyRejected, ModelUnavailable, ProviderLimitReached

LEAST_LEFT_S = 2.0  # less than this is too short for an answer: a person is told at once
LIMIT_CODES = frozenset(
    {
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
    }
)
# A limit of the operator's own comes as a plain 400 without a code: only its words tell it from a bad request.
LIMIT_WORDS = re.compile(r"you have reached your specified|credit balance is too low", re.IGNORECASE)
PASSING_TYPES = frozenset({"overloaded_error", "api_error", "timeout_error", "rate_limit_error"})


def to_error(failure: Exception) -> ModelUnavailable:
    """Return our error for whatever was raised while an answer was asked for or read."""
    if not isinstance(failure, APIStatusError):
        words = str(failure) if isinstance(failure, NotAnAnswer | StreamBroken) else "no answer could be read"
        return ModelUnavailable(f"{type(failure).__name__}: {words}")
    named = [type(failure).__name__, str(failure.status_code), failure.type, failure.error_code]
    described = " ".join(name for name in named if isinstance(name, str))
    if _is_limit(failure):
        return ProviderLimitReached(f"the spending limit at the model's provider is reached ({described})")
    if failure.status_code in {401, 403} or failure.type in {"authentication_error", "permission_error"}:
        return KeyRejected(f"the model's provider rejects ANTHROPIC_API_KEY ({described})")
    return ModelUnavailable(described)


def pause_before_retry(failure: Exception, *, attempt: int, left_s: float, jitter: float) -> float | None:
    """Return how long to wait before the next attempt, the first one being 0; None when there shall be none.

    *jitter* is between 0 and 1. A wait that the provider asks for is obeyed when it fits into the time that is left, else nothing
    is tried again.
    """
    if not _may_pass(failure):
        return None
    asked = None
    if isinstance(failure, APIStatusError) and failure.status_code != 200:
        asked = failure.response.headers.get("retry-after")
    return retries.pause_before_retry(
        attempt=attempt, left_s=left_s, least_s=LEAST_LEFT_S, jitter=jitter, asked=asked
    )


def _may_pass(failure: Exception) -> bool:
    if isinstance(failure, APIStatusError):
        if _is_limit(failure):
            return False
        if failure.status_code == 200:  # an error event within a stream
            return failure.type in PASSING_TYPES
        return retries.may_pass(failure.status_code)
    return isinstance(failure, APIConnectionError | httpx2.TransportError | StreamBroken)


def _is_limit(failure: APIStatusError) -> bool:
    return (
        failure.error_code in LIMIT_CODES
        or failure.type == "billing_error"
        or failure.status_code == 402
        or (failure.status_code == 400 and LIMIT_WORDS.search(str(failure.api_message)) is not None)
    )

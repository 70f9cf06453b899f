"""What became of a call to Slack that did not go well: whether it may have been done all the same, and whether waiting helps. Pure.

Slack's own words for a failure: https://docs.slack.dev/reference/methods/chat.postMessage#errors
"""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import aiohttp
from slack_sdk.errors import SlackApiError

from bot.errors import NotDelivered

LONGEST_WAIT_S = 900.0
UNTOLD_WAIT_S = 30.0  # where Slack says that it is too much, and not for how long
TOO_MANY = 429
NO_MESSAGE = "message_not_found"
NO_THREAD = "thread_not_found"
NOT_OURS = "cant_update_message"  # of what was ours: somebody deleted it, and its thread stayed


class Ending(StrEnum):
    """How a call ended that did not go well."""

    TOO_MUCH = "too_much"  # not done; it may be made again after a wait
    UNREACHED = "unreached"  # not done; Slack was never reached
    UNKNOWN = "unknown"  # nobody knows whether it was done
    LASTING = "lasting"  # not done, and never will be until somebody mends something
    REFUSED = "refused"  # not done; Slack does not take this content
    GONE = "gone"  # the message, thread or person that it is about is not there, or is fixed for good


class Scope(StrEnum):
    """How far a trouble reaches."""

    WORKSPACE = "workspace"
    METHOD = "method"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong; `asked_s` is the wait that Slack asks for, `wait_s` how much of it is obeyed."""

    code: str
    ending: Ending
    asked_s: float = 0.0

    @property
    def wait_s(self) -> float:
        return min(self.asked_s, LONGEST_WAIT_S)


class Unsaid(NotDelivered):
    """A call to Slack failed; `failure` says how."""

    def __init__(self, failure: Failure, *, detail: str = "") -> None:
        what = f"{failure.code} ({detail})" if detail else failure.code
        super().__init__(f"Slack: {what}", wait_s=failure.wait_s)
        self.failure = failure


_INVITE = "invite the app into the channel again"
_TOKEN = "install the app again and set SLACK_BOT_TOKEN to its new token"  # noqa: S105 (advice, not a token)
_SCOPE = "add the scopes of `python -m bot slack manifest` and install the app again"
_POLICY = "ask the workspace's administrators to let the app post there"
_ELSEWHERE = "open that channel again; where it is the desk's, SLACK_HANDOFF_CHANNEL may also name another"
OF_ONE_THREAD = frozenset(
    {"cannot_reply_to_message", "restricted_action_thread_locked"}
)  # a channel's other threads may be well
UNKNOWN_REMEDY = "see what Slack's documentation says of this code"

REMEDIES: Mapping[Scope, Mapping[str, str]] = {
    Scope.WORKSPACE: {
        "not_authed": _TOKEN,
        "invalid_auth": _TOKEN,
        "token_revoked": _TOKEN,
        "token_expired": _TOKEN,
        "account_inactive": _TOKEN,
        "org_login_required": _POLICY,
        "ekm_access_denied": _POLICY,
        "two_factor_setup_required": _POLICY,
        "team_access_not_granted": _POLICY,
        "enterprise_is_restricted": _POLICY,
        "accesslimited": _POLICY,
    },
    Scope.METHOD: {
        "missing_scope": _SCOPE,
        "not_allowed_token_type": _SCOPE,
        "no_permission": _SCOPE,
        "access_denied": _POLICY,
        "method_deprecated": "update Candor",
    },
    Scope.CHANNEL: {
        "not_in_channel": _INVITE,
        "channel_not_found": _ELSEWHERE,
        "is_archived": _ELSEWHERE,
        "is_inactive": _ELSEWHERE,
        "restricted_action": _POLICY,
        "restricted_action_read_only_channel": _POLICY,
        "restricted_action_thread_only_channel": _POLICY,
        "restricted_action_non_threadable_channel": _POLICY,
        "restricted_action_thread_locked": _POLICY,
        "messages_tab_disabled": "turn on the app's messages tab, as `python -m bot slack manifest` has it",
        "cannot_reply_to_message": _POLICY,
        "user_disabled": "the customer's account was closed; resolve the conversation in the console",
        "cannot_dm_bot": "a bot cannot be a customer; resolve the conversation in the console",
    },
}
_SCOPES = {code: scope for scope, remedies in REMEDIES.items() for code in remedies}
_TOO_MUCH = frozenset(
    {"ratelimited", "rate_limited", "message_limit_exceeded", "request_timeout", "team_added_to_org"}
)
# Of these Slack says that a part of the call may have been done.
_UNKNOWN = frozenset({"internal_error", "fatal_error", "service_unavailable"})
_REFUSED = frozenset(
    {
        "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text",
        "invalid_arguments", "invalid_arg_name", "invalid_array_arg", "invalid_charset", "invalid_form_data",
        "invalid_metadata_format", "invalid_metadata_schema", "metadata_too_large", "too_many_attachments",
        "markdown_text_conflict",
    }
)  # fmt: skip
_GONE = frozenset(
    {
        NO_MESSAGE, NO_THREAD, NOT_OURS, "cant_delete_message", "edit_window_closed",
        "user_not_in_channel",
    }
)  # fmt: skip


def failure_of(error: Exception) -> Failure:
    """Return what an error of the Slack client means; it raises more than its own errors."""
    if isinstance(error, SlackApiError):
        return _answered(error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return Failure(code="unreachable", ending=Ending.UNREACHED)
    if isinstance(error, asyncio.TimeoutError):
        return Failure(code="no_answer_in_time", ending=Ending.UNKNOWN)
    return Failure(code=type(error).__name__, ending=Ending.UNKNOWN)


def seconds_asked(raw: str | None) -> float:
    """Return the wait that a Retry-After header asks for, whole or fraction; the usual one when it says nothing sensible."""
    try:
        asked_s = float(raw or "")
    except ValueError:
        return UNTOLD_WAIT_S
    return asked_s if math.isfinite(asked_s) and asked_s > 0 else UNTOLD_WAIT_S


def scope_of(code: str) -> Scope:
    """Return how far the trouble reaches that a code tells of."""
    return _SCOPES.get(code, Scope.CHANNEL)


def remedy_for(code: str) -> str:
    """Return what an operator can do about it."""
    return REMEDIES[scope_of(code)].get(code, UNKNOWN_REMEDY)


def ending_of(code: str) -> Ending:
    """Return what one of Slack's codes means; one that is not known is taken as lasting, so that somebody looks."""
    for ending, codes in _ENDINGS.items():
        if code in codes:
            return ending
    return Ending.LASTING


_ENDINGS: Mapping[Ending, frozenset[str]] = {
    Ending.TOO_MUCH: _TOO_MUCH,
    Ending.UNKNOWN: _UNKNOWN,
    Ending.REFUSED: _REFUSED,
    Ending.GONE: _GONE,
}


def _answered(error: SlackApiError) -> Failure:
    """The client puts its own answer into the error, or aiohttp's where the body was no JSON."""
    response = error.response
    data = getattr(response, "data", None)
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0))
    code = data.get("error") if isinstance(data, dict) else None
    if status == TOO_MANY or code in _TOO_MUCH:
        headers = getattr(response, "headers", {})
        return Failure(
            code="ratelimited", ending=Ending.TOO_MUCH, asked_s=seconds_asked(headers.get("Retry-After"))
        )
    if not isinstance(code, str) or status >= 500:
        # Whoever answers so to every call never did it, but of a server's own failure nobody knows.
        ending = Ending.LASTING if 400 <= status < 500 else Ending.UNKNOWN
        return Failure(code=f"http_{status}", ending=ending)
    return Failure(code=code, ending=ending_of(code))

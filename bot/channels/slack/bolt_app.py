"""Slack's Bolt as what it is here: it finds the listener for something that was received, verified and kept before.

It is told who the bot is, because it takes a question to Slack that failed for a listener that had nothing to do.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog
from aiohttp import ClientError
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.keys import payload_of
from bot.channels.slack.outcomes import Ending, Unsaid, failure_of
from bot.core.slack_rows import InboxRow

log = structlog.get_logger()

DONE = 200
_FAILURE = "candor_failure"
_DEFECTS = frozenset({Ending.REFUSED, Ending.GONE})


class ListenerFailed(Exception):
    """Bolt says that something was not worked on, and not why."""


@dataclass(slots=True)
class Identity:
    """Who the bot is in its workspace, asked once; Unsaid while Slack does not say."""

    client: AsyncWebClient
    _known: AuthorizeResult | None = None
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self) -> AuthorizeResult:
        async with self._asking:
            if self._known is None:
                self._known = await self._asked()
        return self._known

    async def team(self) -> str:
        """Return the id of the bot's own workspace."""
        return (await self()).team_id or ""

    async def _asked(self) -> AuthorizeResult:
        try:
            told = await self.client.auth_test()
        except Exception as failed:  # the client raises more than its own errors
            raise Unsaid(failure_of(failed)) from failed
        return AuthorizeResult.from_auth_test_response(bot_token=self.client.token, auth_test_response=told)


def bolt_app(client: AsyncWebClient, *, identity: Callable[[], Awaitable[AuthorizeResult]]) -> AsyncApp:
    """Return an app to register listeners at, which speaks through *client*."""

    async def authorize() -> AuthorizeResult:
        return await identity()

    app = AsyncApp(
        name="candor",
        logger=_quiet(),
        client=client,
        authorize=authorize,
        signing_secret="",
        process_before_response=True,
        raise_error_for_unhandled_request=True,
        request_verification_enabled=False,
        url_verification_enabled=False,
        ssl_check_enabled=False,
        attaching_function_token_enabled=False,
    )
    app.error(_remember)
    return app


async def dispatch(app: AsyncApp, row: InboxRow) -> None:
    """Let the listener work on *row*; raises what the listener raised, or ListenerFailed.

    What no listener is there for needs nothing.
    """
    request = AsyncBoltRequest(mode="socket_mode", body=payload_of(row))
    response = await app.async_dispatch(request)
    failure = request.context.get(_FAILURE)
    if isinstance(failure, BoltUnhandledRequestError):
        log.info("slack_not_listened_to", kind=row.kind)
    elif isinstance(failure, Exception):
        raise _translated(failure)
    elif response.status != DONE:
        raise ListenerFailed(f"status {response.status}")


def _translated(failure: Exception) -> Exception:
    """Tell what Slack's being down or full does to a listener from a defect, which is given up sooner."""
    if not isinstance(failure, SlackApiError | ClientError):
        return failure
    known = failure_of(failure)
    return failure if known.ending in _DEFECTS else Unsaid(known)


async def _remember(error: Exception, context: AsyncBoltContext) -> None:
    """Bolt would log it, with what was said; who dispatched it raises it again."""
    context[_FAILURE] = error


def _quiet() -> logging.Logger:
    """Bolt repeats what it was sent in its warnings, and warns of settings that are meant so."""
    logger = logging.getLogger("candor.slack_bolt")
    logger.setLevel(logging.CRITICAL)
    return logger

"""Calls to Slack without which customers are answered all the same: who somebody is, what an assistant's thread shows, streams."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot.channels.slack.calling import Request
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.outcomes import Ending, Failure, Scope, failure_of, scope_of

log = structlog.get_logger()

LIMIT_S = 4.0  # two of them fit into one delivery of the outbox

Answer = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempting:
    """Makes each call once and never raises. Only what keeps every such call from working is an alarm."""

    health: SlackHealth
    limit_s: float = LIMIT_S

    async def make(self, method: str, request: Request) -> Answer | None:
        """Return what Slack answers; None when the call failed."""
        answer = await self.tried(method, request)
        return None if isinstance(answer, Failure) else answer

    async def tried(self, method: str, request: Request) -> Answer | Failure:
        """Return what Slack answers, or what became of the call."""
        try:
            async with asyncio.timeout(self.limit_s):
                answer = await request()
        except Exception as error:  # noqa: BLE001 - the client raises more than its own errors (FAULTS §3.3)
            return self._failed(method, failure_of(error))
        if not isinstance(answer.data, dict):
            return self._failed(method, Failure(code="no_json", ending=Ending.UNKNOWN))
        self.health.worked(method, "")
        return answer.data

    def _failed(self, method: str, failure: Failure) -> Failure:
        log.warning("slack_attempt_failed", method=method, error=failure.code)
        if failure.ending is Ending.LASTING and scope_of(failure.code) is not Scope.CHANNEL:
            self.health.failed(method, "", failure)
        return failure

"""Calls to Slack that nothing depends on: who a customer is, what an assistant's thread shows beside the messages. They never raise."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot.channels.slack.calling import Request
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.outcomes import Scope, failure_of, scope_of

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempting:
    """Makes each call once. Only what keeps every such call from working is an alarm."""

    health: SlackHealth

    async def make(self, method: str, request: Request) -> Mapping[str, object] | None:
        """Return what Slack answers; None when the call failed."""
        try:
            answer = await request()
        except Exception as error:  # noqa: BLE001 - the client raises more than its own errors (FAULTS §3.3)
            failure = failure_of(error)
            log.warning("slack_attempt_failed", method=method, error=failure.code)
            if scope_of(failure.code) is not Scope.CHANNEL:
                self.health.failed(method, "", failure)
            return None
        if not isinstance(answer.data, dict):
            log.warning("slack_attempt_failed", method=method, error="no_json")
            return None
        self.health.worked(method, "")
        return answer.data

"""The one way in which what lasts is said to Slack: each call once, its failure translated, and its troubles noted."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.health import SlackHealth
from bot.channels.slack.outcomes import Ending, Failure, Unsaid, failure_of
from bot.channels.slack.pacing import Pacing

Request = Callable[[], Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calling:
    """Makes calls about channels."""

    pacing: Pacing
    health: SlackHealth

    async def make(self, method: str, channel: str, request: Request) -> Mapping[str, object]:
        """Return what Slack answers; Unsaid says what became of a call that failed."""
        try:
            answer = await request()
        except Exception as error:  # the design: the client raises more than its own errors (FAULTS §3.3)
            raise self._unsaid(method, channel, failure_of(error)) from error
        if not isinstance(answer.data, dict):
            raise self._unsaid(method, channel, Failure(code="no_json", ending=Ending.UNKNOWN))
        self.health.worked(method, channel)
        return answer.data

    def _unsaid(self, method: str, channel: str, failure: Failure) -> Unsaid:
        self.health.failed(method, channel, failure)
        if failure.ending is Ending.TOO_MUCH:
            self.pacing.rest(channel, failure.wait_s)
        return Unsaid(failure)

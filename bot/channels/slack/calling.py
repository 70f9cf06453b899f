"""The one way in which what lasts is said to Slack: each call once, its failure translated, and its troubles noted."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.health import SlackHealth
from bot.channels.slack.outcomes import OF_ONE_THREAD, Ending, Failure, Scope, Unsaid, failure_of, scope_of
from bot.channels.slack.pacing import Pacing

LASTING_REST_S = 30.0
UNREACHED_REST_S = 2.0

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
        self.pacing.rest(channel, rest_s(failure))
        return Unsaid(failure)


def rest_s(failure: Failure) -> float:
    """Return how long a channel is to be left alone after a failure: many rows may wait for what will fail for all of them."""
    match failure.ending:
        case Ending.TOO_MUCH:
            return failure.wait_s
        case Ending.LASTING if (
            scope_of(failure.code) is not Scope.METHOD and failure.code not in OF_ONE_THREAD
        ):
            return LASTING_REST_S
        case Ending.UNREACHED:
            return UNREACHED_REST_S
        case _:
            return 0.0

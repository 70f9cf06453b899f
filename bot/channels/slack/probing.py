"""Asks Slack at the start what it would tell too late: whether the token works, what it may do, and whether the desk's channel can be used."""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.channels.slack.calling import Calling
from bot.channels.slack.manifest import SCOPES
from bot.channels.slack.outcomes import Ending, Failure, Unsaid
from bot.errors import NotDelivered

log = structlog.get_logger()

GRANTED = "x-oauth-scopes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackProbe:
    """What is wrong becomes a trouble of the channel's health, as if a customer had met with it. *channel* is the desk's, where there is one."""

    client: AsyncWebClient
    calling: Calling
    channel: str | None

    async def look(self) -> Mapping[str, str]:
        """Return which workspace it is and who the bot is there; NotDelivered says what is wrong, and what to do."""
        answer = await self._who_we_are()
        if self.channel is not None:
            await self._look_at(self.channel)
        return {name: str(answer.get(name, "")) for name in ("team", "user")}

    async def warn(self) -> None:
        """Look, and leave what is found to the alarms; never raises."""
        try:
            await self.look()
        except NotDelivered as wrong:
            log.warning("slack_not_confirmed", problem=str(wrong))

    async def _who_we_are(self) -> Mapping[str, object]:
        answers: list[AsyncSlackResponse] = []

        async def asked() -> AsyncSlackResponse:
            answers.append(await self.client.auth_test())
            return answers[-1]

        answer = await self.calling.make("auth.test", "", asked)
        granted = _scopes(answers[-1].headers)
        if granted and (missing := sorted(SCOPES.keys() - granted)):
            raise self._unfit("missing_scope", where="auth.test", detail=", ".join(missing))
        return answer

    async def _look_at(self, channel: str) -> None:
        answer = await self.calling.make(
            "conversations.info", channel, lambda: self.client.conversations_info(channel=channel)
        )
        about = answer.get("channel")
        known = about if isinstance(about, dict) else {}
        if known.get("is_archived"):
            raise self._unfit("is_archived", where=channel)
        if known.get("is_member") is False:
            raise self._unfit("not_in_channel", where=channel)

    def _unfit(self, code: str, *, where: str, detail: str = "") -> NotDelivered:
        """Raise the alarm that the first call would raise."""
        failure = Failure(code=code, ending=Ending.LASTING)
        self.calling.health.failed(where, where, failure)
        return Unsaid(failure, detail=detail)


def _scopes(headers: Mapping[str, str]) -> frozenset[str]:
    """Return what Slack says that the token may do; nothing where it does not say."""
    said = next((value for name, value in headers.items() if name.lower() == GRANTED), "")
    return frozenset(scope.strip() for scope in said.split(",") if scope.strip())

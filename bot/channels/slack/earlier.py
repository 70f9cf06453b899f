"""What was said in a thread before its first message reached us, for events come in any order: read from Slack once, when it begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.attempting import Attempting
from bot.channels.slack.finding import listed
from bot.core.slack_rows import Place

MOST_REPLIES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierReplies:
    """The replies to a message that began a conversation in a channel."""

    client: AsyncWebClient
    attempting: Attempting

    async def bodies(self, place: Place) -> tuple[Mapping[str, object], ...]:
        """Return each reply as its own event would tell it; none when Slack does not say."""
        page = await self.attempting.make(
            "conversations.replies",
            lambda: self.client.conversations_replies(
                channel=place.channel, ts=place.thread_ts, limit=MOST_REPLIES
            ),
        )
        replies = listed(page or {}, "messages")
        return tuple(_body(place, reply) for reply in replies if reply.get("ts") != place.thread_ts)


def _body(place: Place, reply: Mapping[str, object]) -> Mapping[str, object]:
    return {"team_id": place.team, "event": {**reply, "channel": place.channel}}

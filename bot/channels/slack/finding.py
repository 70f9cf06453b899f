"""Finds out whether a post of ours arrived whose outcome nobody knows, by the key in its metadata (FAULTS SL10)."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.calling import Calling, Request
from bot.channels.slack.outcomes import Ending, Unsaid
from bot.core.conversation import ConversationId
from bot.core.slack_rows import SlackPost

EVENT_TYPE = "candor_post"
SKEW_MS = 600_000  # so far Slack's clock, which stamps messages, may be from ours
PAGE = 100

Page = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Reads where posts were to appear."""

    client: AsyncWebClient
    calling: Calling

    async def find(self, post: SlackPost) -> str | None:
        """Return the `ts` of a post in its place; None when it is not there. Unsaid when that cannot be read."""
        try:
            return await self._found(post)
        except Unsaid as unsaid:
            if unsaid.failure.ending is not Ending.GONE:
                raise
            return None  # its thread is not there either

    async def _found(self, post: SlackPost) -> str | None:
        async for page in self._pages(post):
            for message in listed(page, "messages"):
                if key_of(message) == post.key:
                    return str(message["ts"])
        return None

    async def _pages(self, post: SlackPost) -> AsyncIterator[Page]:
        cursor: str | None = ""
        while cursor is not None:
            page = await self.calling.make(_method(post), post.place.channel, self._page(post, cursor))
            yield page
            cursor = next_cursor(page)

    def _page(self, post: SlackPost, cursor: str) -> Request:
        channel, thread, client = post.place.channel, post.place.thread_ts, self.client
        oldest = _to_ts(post.begun_ms - SKEW_MS)
        latest = _to_ts(post.begun_ms + SKEW_MS)
        if thread:
            return lambda: client.conversations_replies(
                channel=channel, ts=thread, include_all_metadata=True,
                oldest=oldest, latest=latest, limit=PAGE, cursor=cursor or None,
            )  # fmt: skip
        return lambda: client.conversations_history(
            channel=channel, include_all_metadata=True,
            oldest=oldest, latest=latest, limit=PAGE, cursor=cursor or None,
        )  # fmt: skip


def metadata_of(key: str, conversation: ConversationId) -> dict[str, object]:
    """Return what tells a post of ours from all others."""
    return {"event_type": EVENT_TYPE, "event_payload": {"key": key, "conversation": conversation}}


def key_of(message: Mapping[str, object]) -> str | None:
    """Return the key of a message that is a post of ours; None when it is none."""
    metadata = message.get("metadata")
    if not isinstance(metadata, Mapping) or metadata.get("event_type") != EVENT_TYPE:
        return None
    payload = metadata.get("event_payload")
    key = payload.get("key") if isinstance(payload, Mapping) else None
    return key if isinstance(key, str) else None


def is_threaded(answer: Page) -> bool:
    """Whether a message that was just posted is in a thread; also when Slack does not show it."""
    message = answer.get("message")
    return not isinstance(message, Mapping) or "thread_ts" in message


def next_cursor(page: Page) -> str | None:
    """Return where the next page begins; None after the last."""
    about = page.get("response_metadata")
    cursor = about.get("next_cursor") if isinstance(about, Mapping) else None
    return cursor if isinstance(cursor, str) and cursor else None


def listed(page: Page, name: str) -> tuple[Mapping[str, object], ...]:
    """Return a page's objects."""
    rows = page.get(name)
    return tuple(row for row in rows if isinstance(row, Mapping)) if isinstance(rows, list) else ()


def _method(post: SlackPost) -> str:
    return "conversations.replies" if post.place.thread_ts else "conversations.history"


def _to_ts(at_ms: int) -> str:
    return f"{at_ms // 1000}.{at_ms % 1000:03}000"

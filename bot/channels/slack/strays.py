"""Streams among the messages of a thread: one that nobody knows of, and one that something else was said after. Pure."""

from collections.abc import Iterable, Mapping

from bot.channels.slack.finding import SKEW_MS, key_of, listed
from bot.core.slack_rows import SlackPost


def stray_in(page: Mapping[str, object], begun: SlackPost) -> str | None:
    """Return the `ts` of the newest message of the bot's that is no post of ours and may be the stream *begun*; None without any."""
    since_s = (begun.begun_ms - SKEW_MS) / 1000
    found = [str(message.get("ts")) for message in listed(page, "messages") if _may_be(message, begun)]
    return max((ts for ts in found if _seconds(ts) >= since_s), key=_seconds, default=None)


def is_overtaken(stream: SlackPost, ts: str, posts: Iterable[SlackPost]) -> bool:
    """Whether something was posted in the stream's thread after the stream began.

    Messages are posted in their order, so that it belongs before what the stream shows.
    """
    others = (post for post in posts if post.place == stream.place and post.key != stream.key)
    return any(_seconds(post.ts or "") > _seconds(ts) for post in others)


def _may_be(message: Mapping[str, object], begun: SlackPost) -> bool:
    is_reply = message.get("ts") != begun.place.thread_ts
    return is_reply and bool(message.get("bot_id")) and key_of(message) is None


def _seconds(ts: str) -> float:
    try:
        return float(ts)
    except ValueError:
        return 0.0
